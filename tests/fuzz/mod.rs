//! Hostile input, made from what there is: boards, documents, PDFs, queries and `--set`. Nothing may panic, take more
//! than two seconds or 500 MB, print a raw control character or broken JSON.
//!
//! `cargo bench --bench fuzz` runs a long round (`-- boards 100000 7`: what, how many, from which seed); the tests run
//! a short one. What is found is printed with the smallest input that shows it.

#![allow(dead_code)] // The test and the program use their own parts.

pub mod boards;
pub mod others;
pub mod tree;

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{LazyLock, Mutex, Once};
use std::time::{Duration, Instant};

use saitei::text::caught::caught;

/// Unoptimised code is slower.
pub const LONGEST: Duration = Duration::from_millis(if cfg!(debug_assertions) { 15_000 } else { 2_000 });
pub const LARGEST: isize = 500 << 20;

pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Small, fast and the same everywhere.
pub struct Dice(pub u64);

impl Dice {
    pub fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % sides.max(1)
    }

    pub fn pick<'a, T>(&mut self, among: &'a [T]) -> &'a T {
        &among[self.roll(among.len())]
    }

    pub fn word(&mut self, among: &[&'static str]) -> &'static str {
        among[self.roll(among.len())]
    }

    pub fn chance(&mut self, one_in: usize) -> bool {
        self.roll(one_in) == 0
    }
}

/// Counts what the thread has taken and not given back.
struct Counting;

thread_local! {
    static NOW: Cell<isize> = const { Cell::new(0) };
    static PEAK: Cell<isize> = const { Cell::new(0) };
}

fn count(change: isize) {
    let _ = NOW.try_with(|now| {
        now.set(now.get() + change);
        PEAK.with(|peak| peak.set(peak.get().max(now.get())));
    });
}

// SAFETY: everything is left to the system's allocator; counting allocates nothing.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size() as isize);
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        count(-(layout.size() as isize));
        unsafe { System.dealloc(at, layout) }
    }

    unsafe fn realloc(&self, at: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count(size as isize - layout.size() as isize);
        unsafe { System.realloc(at, layout, size) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

/// Tries something; says what is wrong with it: a panic by its place, too long, too much.
pub fn tried<T>(what: impl FnOnce() -> T) -> Result<T, String> {
    watched(Some(busy("self")));
    let (begun, before) = (busy("thread-self"), NOW.get());
    PEAK.set(before);
    let done = caught(what).map_err(|place| format!("panic {}", short(&place)));
    watched(None);
    let (time, peak) = (busy("thread-self").saturating_sub(begun), PEAK.get() - before);
    if time > LONGEST {
        return Err(format!("slow ({:.0} s)", time.as_secs_f64()));
    }
    if peak > LARGEST {
        return Err(format!("large ({} MB)", peak >> 20));
    }
    done
}

/// How long a process or thread has been at work; by the clock where the system does not say. Other programs on the
/// machine make nothing of ours slow.
fn busy(who: &str) -> Duration {
    static BEGUN: LazyLock<Instant> = LazyLock::new(Instant::now);
    let stat = std::fs::read_to_string(format!("/proc/{who}/stat")).unwrap_or_default();
    // After the name: the 12th and 13th are hundredths of seconds.
    let rest = stat.rsplit_once(')').map_or("", |(_, rest)| rest);
    let ticks: Vec<u64> = rest.split_whitespace().skip(11).take(2).filter_map(|n| n.parse().ok()).collect();
    if ticks.len() == 2 { Duration::from_millis(ticks.iter().sum::<u64>() * 10) } else { BEGUN.elapsed() }
}

/// What never ends cannot be reported by itself: the whole process is given up, with the input that was kept.
fn watched(since: Option<Duration>) {
    static SINCE: Mutex<Option<Duration>> = Mutex::new(None);
    static WATCH: Once = Once::new();
    *SINCE.lock().unwrap_or_else(|e| e.into_inner()) = since;
    WATCH.call_once(|| {
        std::thread::spawn(|| {
            loop {
                std::thread::sleep(Duration::from_millis(500));
                let since = *SINCE.lock().unwrap_or_else(|e| e.into_inner());
                if since.is_some_and(|since| busy("self").saturating_sub(since) > LONGEST * 8) {
                    println!("---- endless: {}", scratch_path("").display());
                    std::process::exit(3);
                }
            }
        });
    });
}

/// The place of a panic without the folders of this machine.
fn short(place: &str) -> String {
    place.rsplit_once("/src/").map_or(place.to_string(), |(_, file)| format!("src/{file}"))
}

/// What was found: each kind once, with an input that shows it.
#[derive(Default)]
pub struct Findings(pub BTreeMap<String, String>);

impl Findings {
    pub fn add(&mut self, what: &str, input: impl FnOnce() -> String) {
        // How slow, or how large, differs from run to run.
        let kind = what.split(" (").next().unwrap_or(what).to_string();
        self.0.entry(kind).or_insert_with(|| format!("{what}\n{}", input()));
    }

    pub fn print(&self) {
        for input in self.0.values() {
            println!("---- {input}\n");
        }
    }
}

/// Runs the program itself. Its output must not command a terminal, its JSON must be whole, its end must be foreseen.
pub fn printed(args: &[&str]) -> Result<(), String> {
    let home = std::env::temp_dir().join("saitei-fuzz");
    let begun = Instant::now();
    let output = Command::new(env!("CARGO_BIN_EXE_saitei"))
        .args(args)
        .env("SAITEI_HOME", home.join("home"))
        .env("SAITEI_CACHE", home.join("cache"))
        .env_remove("SAITEI_DATA")
        .output()
        .map_err(|e| format!("does not start: {e}"))?;
    // By the clock, for want of better: other programs may be at work.
    if begun.elapsed() > LONGEST * 4 {
        return Err(format!("slow ({:.0} s)", begun.elapsed().as_secs_f64()));
    }
    match output.status.code() {
        Some(0..=2) => {}
        code => return Err(format!("exit {code:?}")),
    }
    for (name, bytes) in [("stdout", &output.stdout), ("stderr", &output.stderr)] {
        let text = std::str::from_utf8(bytes).map_err(|_| format!("{name} is no UTF-8"))?;
        if let Some(c) = text.chars().find(|c| c.is_control() && !matches!(c, '\n' | '\t')) {
            return Err(format!("raw {c:?} on {name}"));
        }
        if text.contains("不具合") {
            let place =
                text.split_once('（').and_then(|(_, rest)| rest.split_once('）')).map_or("", |(place, _)| place);
            return Err(format!("panic {}", short(place)));
        }
    }
    if args.contains(&"--json") && output.status.code() != Some(2) {
        serde_json::from_slice::<serde_json::Value>(&output.stdout).map_err(|e| format!("broken JSON: {e}"))?;
    }
    Ok(())
}

/// A file of its own for the program to read.
pub fn scratch(name: &str, bytes: &[u8]) -> PathBuf {
    let path = scratch_path(name);
    let dir = path.parent().expect("a folder");
    std::fs::create_dir_all(dir).and_then(|()| std::fs::write(&path, bytes)).expect("a temporary file");
    path
}

fn scratch_path(name: &str) -> PathBuf {
    std::env::temp_dir().join("saitei-fuzz").join(format!("{}-{name}", std::process::id()))
}

/// The input at hand is kept, in case the process itself does not survive it.
pub fn keep(name: &str, bytes: &[u8]) {
    scratch(name, bytes);
}

//! Reading a PDF of a stranger's. Its reader overflows the stack on cycles, and believes every size that a file claims:
//! nothing that a program could catch. So the program starts itself once more, with bounds, to read it.

use std::io::{Read, Write};
use std::path::PathBuf;
use std::process::{Command, ExitStatus, Stdio};
use std::sync::OnceLock;
use std::sync::mpsc;
use std::time::Duration;

use super::files;
use crate::import::decode;
use crate::import::pdf::{LARGEST, UNREADABLE, extract, why};

/// What the second process may take: memory, processor seconds, stack. Unoptimised code needs several times as long.
const MEMORY: u64 = 400 << 20;
const SECONDS: u64 = if cfg!(debug_assertions) { 10 } else { 2 };
const STACK: usize = 32 << 20;

/// However busy the machine is.
const PATIENCE: Duration = Duration::from_secs(60);

/// Tells the second process what it is for.
const ASKED: &str = "SAITEI_READS_PDF";

/// The program that is started.
static PROGRAM: OnceLock<PathBuf> = OnceLock::new();

/// From now on PDFs are read by that program, started once more.
pub fn read_by(program: PathBuf) {
    PROGRAM.get_or_init(|| program);
    crate::import::pdf::READER.get_or_init(|| apart);
}

fn apart(bytes: &[u8]) -> Result<String, String> {
    let mut command = Command::new(PROGRAM.get().expect("it was said which"));
    command.env(ASKED, "1").stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn().map_err(|e| format!("PDFを読む処理を始められません（{}）", files::reason(&e)))?;
    let (Some(mut stdin), Some(stdout)) = (child.stdin.take(), child.stdout.take()) else {
        return Err("PDFを読む処理を始められません".to_string());
    };
    let (send, receive) = mpsc::channel();
    std::thread::spawn(move || {
        let _ = send.send(files::all_of(stdout, decode::LARGEST));
    });
    let read = std::thread::scope(|scope| {
        // A reader that gives up early leaves the rest unread.
        scope.spawn(move || drop(stdin.write_all(bytes)));
        let read = receive.recv_timeout(PATIENCE);
        if !matches!(read, Ok(Ok(_))) {
            let _ = child.kill();
        }
        read
    });
    let ended = child.wait().map_err(|e| files::reason(&e))?;
    match read {
        Err(_) => Err(SLOW.to_string()),
        Ok(Err(too_much)) => Err(too_much),
        Ok(Ok(_)) if !ended.success() => Err(refused(ended).to_string()),
        Ok(Ok(text)) => Ok(String::from_utf8_lossy(&text).into_owned()),
    }
}

const SLOW: &str = "PDFが複雑すぎて、読み終わりません";

/// Why the second process ended without a text.
fn refused(ended: ExitStatus) -> &'static str {
    #[cfg(unix)]
    if std::os::unix::process::ExitStatusExt::signal(&ended) == Some(signal_hook::consts::SIGXCPU) {
        return SLOW;
    }
    why(ended.code())
}

/// Reads the PDF on standard input, if this process was started for that: says how it ends.
pub fn asked() -> Option<i32> {
    std::env::var_os(ASKED)?;
    bound();
    let read = std::thread::Builder::new().stack_size(STACK).spawn(|| {
        let bytes = files::all_of(std::io::stdin().lock().by_ref(), LARGEST).map_err(|_| UNREADABLE)?;
        extract(&bytes)
    });
    let text = read.ok().and_then(|thread| thread.join().ok()).unwrap_or(Err(UNREADABLE));
    let written = text.map(|text| std::io::stdout().lock().write_all(text.as_bytes()));
    Some(match written {
        Ok(Ok(())) => 0,
        Ok(Err(_)) => UNREADABLE,
        Err(code) => code,
    })
}

/// No more than this from now on. Where the system knows no such bounds, the first process still stops waiting.
fn bound() {
    #[cfg(unix)]
    {
        use rustix::process::{Resource, Rlimit, setrlimit};
        let most = |n: u64| Rlimit { current: Some(n), maximum: Some(n) };
        // A soft limit of processor time sends the signal that says why.
        let _ = setrlimit(Resource::Cpu, Rlimit { current: Some(SECONDS), maximum: Some(SECONDS + 2) });
        let _ = setrlimit(Resource::As, most(MEMORY));
        let _ = setrlimit(Resource::Core, most(0));
    }
}

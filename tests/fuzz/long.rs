//! `cargo bench --bench fuzz`: a long round of hostile input. `-- boards 1000 7` is one kind, so many, from this seed.

#[path = "mod.rs"]
mod fuzz;

use std::process::ExitCode;
use std::time::Instant;

use fuzz::{Findings, boards, others};

type Round = fn(usize, u64) -> Findings;

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).filter(|a| !a.starts_with("--")).collect();
    let number = |at: usize| args.get(at).and_then(|n| n.parse::<u64>().ok());
    let rounds: [(&str, usize, Round); 5] = [
        ("boards", 100_000, boards::boards),
        ("documents", 10_000, others::documents),
        ("pdfs", 10_000, others::pdfs),
        ("queries", 10_000, others::queries),
        ("sets", 10_000, others::sets),
    ];
    let mut found = 0;
    for (name, many, round) in rounds {
        if args.first().is_some_and(|wanted| wanted != name) {
            continue;
        }
        let many = number(1).map_or(many, |n| n as usize);
        let seed = number(2).unwrap_or(1);
        let begun = Instant::now();
        let findings = std::thread::Builder::new()
            .stack_size(64 << 20)
            .spawn(move || round(many, seed))
            .ok()
            .and_then(|thread| thread.join().ok())
            .unwrap_or_default();
        findings.print();
        println!("{name} {many}: {} findings, {:.0} s", findings.0.len(), begun.elapsed().as_secs_f64());
        found += findings.0.len();
    }
    if found == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

//! A short round of hostile input; `cargo bench --bench fuzz` runs as many as one likes.

#[path = "fuzz/mod.rs"]
mod fuzz;

use fuzz::{Findings, boards, others};

fn nothing(findings: Findings) {
    findings.print();
    assert!(findings.0.is_empty(), "{:?}", findings.0.keys());
}

#[test]
fn boards_hold() {
    nothing(boards::boards(400, 20261118));
}

#[test]
fn documents_hold() {
    nothing(others::documents(60, 20261118));
}

#[test]
fn pdfs_hold() {
    nothing(others::pdfs(20, 20261118));
}

#[test]
fn queries_hold() {
    nothing(others::queries(150, 20261118));
}

#[test]
fn changes_from_outside_hold() {
    nothing(others::sets(200, 20261118));
}

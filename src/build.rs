//! Packs `rules/` into the bytes that the binary carries.

use std::path::Path;
use std::{env, fs, process};

#[allow(dead_code, unused_imports)]
#[path = "text/mod.rs"]
mod text;

fn main() {
    println!("cargo::rerun-if-changed=rules");
    println!("cargo::rerun-if-changed=src/text");
    println!("cargo::rerun-if-changed=src/build.rs");
    let root = env::var("CARGO_MANIFEST_DIR").expect("cargo sets it");
    let (drafts, problems) = text::load::load(Path::new(&root));
    if !problems.is_empty() {
        for problem in &problems {
            eprintln!("{problem}");
        }
        process::exit(1);
    }
    let out = Path::new(&env::var("OUT_DIR").expect("cargo sets it")).join("library.bin");
    fs::write(out, text::library::pack(&drafts)).expect("the build directory can be written");
}

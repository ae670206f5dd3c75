//! Packs `rules/` and `index/` into the bytes that the binary carries: the library and its search index.

use std::path::Path;
use std::{env, fs, process};

#[allow(dead_code, unused_imports)]
mod text;

#[allow(dead_code)]
mod stock {
    pub mod files;
    pub mod rules;
}

#[allow(dead_code)]
mod search {
    pub mod analysis;
    pub mod bag;
    pub mod index;
    pub mod lessons;
    pub mod sense;
}

fn main() {
    for source in ["rules", "index", "rulings", "src/text", "src/search", "src/stock", "src/build.rs"] {
        println!("cargo::rerun-if-changed={source}");
    }
    // The program is full of tables: placed once by the linker, they need not be relocated at every start.
    if env::var("CARGO_CFG_TARGET_OS").as_deref() == Ok("linux")
        && env::var("CARGO_CFG_TARGET_ENV").as_deref() == Ok("gnu")
    {
        println!("cargo::rustc-link-arg-bins=-no-pie");
    }
    let root = env::var("CARGO_MANIFEST_DIR").expect("cargo sets it");
    let out = env::var("OUT_DIR").expect("cargo sets it");
    let (drafts, problems) = stock::rules::load(Path::new(&root));
    if !problems.is_empty() {
        for problem in &problems {
            eprintln!("{problem}");
        }
        process::exit(1);
    }
    let library: &'static [u8] = text::library::pack(&drafts).leak();
    let index = search::index::build(&text::Library::open(library), &|_, _| None).expect("an index of the rules");
    let rulings = postcard::to_stdvec(&files(Path::new(&root), "rulings")).expect("texts");
    for (name, bytes) in [("library.bin", library), ("index.bin", &index), ("rulings.bin", &rulings)] {
        fs::write(Path::new(&out).join(name), bytes).expect("the build directory can be written");
    }
}

/// The YAML files under a folder: paths and texts, in order of path.
fn files(root: &Path, folder: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let Ok(entries) = fs::read_dir(root.join(folder)) else { return found };
    let mut names: Vec<String> = entries.filter_map(|e| e.ok()?.file_name().into_string().ok()).collect();
    names.sort();
    for name in names {
        let path = format!("{folder}/{name}");
        if root.join(&path).is_dir() {
            found.extend(files(root, &path));
        } else if name.ends_with(".yaml") {
            found.push((path.clone(), fs::read_to_string(root.join(&path)).expect("a readable file")));
        }
    }
    found
}

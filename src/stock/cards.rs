//! The cards that scenarios may use.

use std::fs;
use std::io;
use std::path::Path;

use crate::kernel::Rulebook;
use crate::scenario::Store;
use crate::text::yaml::Problem;

/// Adds `<root>/<game>/cards/*.yaml`, in the order of names.
pub fn add(store: &mut Store, book: &'static dyn Rulebook, root: &Path) -> io::Result<Vec<Problem>> {
    let folder = root.join(book.code()).join("cards");
    let mut problems = Vec::new();
    if !folder.is_dir() {
        return Ok(problems);
    }
    let entries = fs::read_dir(folder)?.collect::<Result<Vec<_>, _>>()?;
    let mut paths: Vec<_> = entries.into_iter().map(|e| e.path()).collect();
    paths.retain(|p| p.extension().is_some_and(|e| e == "yaml"));
    paths.sort();
    for path in paths {
        problems.extend(store.add(book, &path, &fs::read_to_string(&path)?));
    }
    Ok(problems)
}

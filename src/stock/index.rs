//! Where an index comes from: the binary, the cache directory, or memory.
//!
//! The index of the embedded data is part of the binary. For a working tree or imported documents it is built on first
//! use and kept as one file, named by all that it depends on, written beside its place and moved there: two
//! processes may build it at once, a damaged file is built anew, and a directory that cannot be written only costs
//! the time of building again.

use std::fs;
use std::io::Write;
use std::path::Path;

use crate::text::Library;

use crate::search::analysis::VERSION;
use crate::search::bundle::Bundle;
use crate::search::index::{Official, build, checksum};

/// The index of a library, from `directory` if it is there and whole.
pub fn open(library: &Library, stamp: &[u8], official: Official, directory: Option<&Path>) -> tantivy::Result<Bundle> {
    let name = format!("index-v{VERSION}-{:016x}-{:016x}.bin", checksum(library.bytes()), checksum(stamp));
    let path = directory.map(|dir| dir.join(&name));
    let cached = path.as_ref().and_then(|path| fs::read(path).ok());
    if let Some(bundle) = cached.and_then(|bytes| Bundle::checked(bytes.leak())) {
        return Ok(bundle);
    }
    let bytes: &'static [u8] = build(library, official)?.leak();
    if let Some(dir) = directory {
        // A cache that cannot be kept is no reason to fail.
        let _ = keep(dir, &name, bytes);
    }
    Bundle::checked(bytes)
        .ok_or_else(|| tantivy::TantivyError::InternalError("a bundle that was just built".to_string()))
}

fn keep(dir: &Path, name: &str, bytes: &[u8]) -> std::io::Result<()> {
    fs::create_dir_all(dir)?;
    let mut file = tempfile::Builder::new().prefix(".index-").tempfile_in(dir)?;
    file.write_all(bytes)?;
    file.persist(dir.join(name)).map_err(|e| e.error)?;
    // Indexes of older data are of no use to anybody.
    for old in fs::read_dir(dir)?.flatten() {
        let other = old.file_name().to_string_lossy().into_owned();
        let aged = old
            .metadata()
            .and_then(|m| m.modified())
            .is_ok_and(|t| t.elapsed().is_ok_and(|e| e.as_secs() > 7 * 86_400));
        if other != name && other.starts_with("index-v") && aged {
            let _ = fs::remove_file(old.path());
        }
    }
    Ok(())
}

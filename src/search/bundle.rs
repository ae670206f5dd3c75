//! A tantivy directory over bytes that are already in memory.

use std::collections::BTreeMap;
use std::io;
use std::path::Path;
use std::sync::Arc;

use tantivy::directory::error::{DeleteError, LockError, OpenReadError, OpenWriteError};
use tantivy::directory::{
    Directory, DirectoryLock, FileHandle, Lock, OwnedBytes, WatchCallback, WatchHandle, WritePtr,
};

use crate::text::Game;
use crate::text::packed::Packed;

use super::index::{PLACES, SENSE, WEIGHTS, bag_file, checksum};
use super::sense::Sense;

/// The files of a bundle made by [`super::index::build`]. Nothing is copied and nothing can be written.
#[derive(Clone, Debug)]
pub struct Bundle {
    files: Arc<BTreeMap<String, &'static [u8]>>,
}

impl Bundle {
    /// Opens a bundle that is part of the program.
    pub fn trusted(bytes: &'static [u8]) -> Option<Bundle> {
        let body = bytes.get(..bytes.len().checked_sub(8)?)?;
        let size = u32::from_le_bytes(body.get(..4)?.try_into().ok()?) as usize;
        let table: BTreeMap<String, (u32, u32)> = postcard::from_bytes(body.get(4..4 + size)?).ok()?;
        let start = (4 + size).next_multiple_of(16);
        let file = |(name, (from, to)): (String, (u32, u32))| {
            Some((name, body.get(start + from as usize..start + to as usize)?))
        };
        let files = table.into_iter().map(file).collect::<Option<BTreeMap<_, _>>>()?;
        Some(Bundle { files: Arc::new(files) })
    }

    /// Opens a bundle from a file, which may be damaged.
    pub fn checked(bytes: &'static [u8]) -> Option<Bundle> {
        let (body, sum) = bytes.split_at_checked(bytes.len().checked_sub(8)?)?;
        (checksum(body).to_le_bytes() == sum).then(|| Bundle::trusted(bytes))?
    }

    /// All that every clause of a game says, folded.
    pub fn bags(&self, game: Game) -> Bags {
        Bags(Packed::new(self.files.get(&bag_file(game)).copied().unwrap_or_default()))
    }

    /// What each document stands for, as [`super::index::Place`] is encoded.
    pub fn places(&self) -> &'static [u8] {
        self.files.get(PLACES).copied().unwrap_or_default()
    }

    /// How much each mark of a line tells.
    pub fn weights(&self) -> &'static [u8] {
        self.files.get(WEIGHTS).copied().unwrap_or_default()
    }

    /// Where clauses and words point.
    pub fn sense(&self) -> Sense<'static> {
        Sense::read(self.files.get(SENSE).copied().unwrap_or_default())
    }

    fn get(&self, path: &Path) -> Result<&'static [u8], OpenReadError> {
        let name = path.to_string_lossy();
        self.files.get(&*name).copied().ok_or_else(|| OpenReadError::FileDoesNotExist(path.to_path_buf()))
    }
}

/// The bags of a game.
#[derive(Clone, Copy, Debug)]
pub struct Bags(Packed);

impl Bags {
    pub fn len(self) -> usize {
        self.0.len()
    }

    pub fn is_empty(self) -> bool {
        self.len() == 0
    }

    pub fn get(self, position: usize) -> Option<&'static [u8]> {
        self.0.get(position)
    }
}

fn read_only() -> io::Error {
    io::Error::new(io::ErrorKind::ReadOnlyFilesystem, "a bundle cannot be written")
}

impl Directory for Bundle {
    fn get_file_handle(&self, path: &Path) -> Result<Arc<dyn FileHandle>, OpenReadError> {
        Ok(Arc::new(OwnedBytes::new(self.get(path)?)))
    }

    fn delete(&self, path: &Path) -> Result<(), DeleteError> {
        Err(DeleteError::IoError { io_error: Arc::new(read_only()), filepath: path.to_path_buf() })
    }

    fn exists(&self, path: &Path) -> Result<bool, OpenReadError> {
        Ok(self.get(path).is_ok())
    }

    fn open_write(&self, path: &Path) -> Result<WritePtr, OpenWriteError> {
        Err(OpenWriteError::wrap_io_error(read_only(), path.to_path_buf()))
    }

    fn atomic_read(&self, path: &Path) -> Result<Vec<u8>, OpenReadError> {
        Ok(self.get(path)?.to_vec())
    }

    fn atomic_write(&self, _: &Path, _: &[u8]) -> io::Result<()> {
        Err(read_only())
    }

    fn sync_directory(&self) -> io::Result<()> {
        Ok(())
    }

    /// Nobody writes, so nobody need wait.
    fn acquire_lock(&self, _: &Lock) -> Result<DirectoryLock, LockError> {
        Ok(DirectoryLock::from(Box::new(())))
    }

    fn watch(&self, _: WatchCallback) -> tantivy::Result<WatchHandle> {
        Ok(WatchHandle::empty())
    }
}

//! Artifacts in a folder: one file for each, named by its digest, under a folder of its first two digits.

use std::fs::{self, File};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicU64, Ordering};

use loopwright_core::json::Digest;

use super::{ArtifactError, Artifacts};

/// Keeps artifacts below one folder, which is made when the first one is kept.
#[derive(Debug)]
pub struct FolderArtifacts {
    folder: PathBuf,
    next: AtomicU64,
}

impl FolderArtifacts {
    /// Artifacts below a folder.
    pub fn new(folder: impl Into<PathBuf>) -> Self {
        Self { folder: folder.into(), next: AtomicU64::new(0) }
    }

    fn place(&self, digest: &Digest) -> PathBuf {
        let text = digest.to_string();
        let (first, _) = text.split_at(2);
        self.folder.join(first).join(&text)
    }
}

impl Artifacts for FolderArtifacts {
    fn put(&self, bytes: &[u8]) -> Result<Digest, ArtifactError> {
        let digest = Digest::of(bytes);
        let place = self.place(&digest);
        if fs::metadata(&place).is_ok_and(|kept| kept.len() == bytes.len() as u64) {
            return Ok(digest);
        }
        if let Some(folder) = place.parent() {
            fs::create_dir_all(folder).map_err(|source| storage("make the folder", folder, source))?;
        }
        // Written beside its place under a name of its own, so that nobody ever reads half of it.
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        let beside = place.with_extension(format!("{}-{number}.new", process::id()));
        let write = || {
            let mut file = File::create(&beside)?;
            file.write_all(bytes)?;
            file.sync_all()
        };
        write().map_err(|source| storage("write", &beside, source))?;
        fs::rename(&beside, &place).map_err(|source| storage("write", &place, source))?;
        Ok(digest)
    }

    fn get(&self, digest: &Digest) -> Result<Vec<u8>, ArtifactError> {
        let place = self.place(digest);
        let bytes = fs::read(&place).map_err(|source| match source.kind() {
            ErrorKind::NotFound => ArtifactError::Unknown { digest: *digest },
            _ => storage("read", &place, source),
        })?;
        if Digest::of(&bytes) == *digest { Ok(bytes) } else { Err(ArtifactError::Damaged { digest: *digest }) }
    }
}

fn storage(doing: &'static str, place: &Path, source: std::io::Error) -> ArtifactError {
    ArtifactError::Storage { doing, place: place.display().to_string(), source }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_the_contract() {
        let folder = tempfile::tempdir().unwrap();
        crate::artifacts::contract::check(&FolderArtifacts::new(folder.path().join("artifacts")));
    }

    #[test]
    fn a_changed_file_is_noticed_and_a_folder_that_is_none_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let artifacts = FolderArtifacts::new(folder.path());
        let digest = artifacts.put(b"picture").unwrap();
        fs::write(artifacts.place(&digest), b"pictures").unwrap();
        assert!(matches!(artifacts.get(&digest), Err(ArtifactError::Damaged { .. })));
        // A file of another length is written again.
        artifacts.put(b"picture").unwrap();
        assert_eq!(artifacts.get(&digest).unwrap(), b"picture");

        let file = folder.path().join("file");
        fs::write(&file, b"").unwrap();
        let error = FolderArtifacts::new(&file).put(b"x").unwrap_err().to_string();
        assert!(error.contains("cannot make the folder"), "{error}");
    }
}

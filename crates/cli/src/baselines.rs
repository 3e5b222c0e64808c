//! Baselines that were run before, kept in the data directory: an index by what was run, and the bytes as artifacts.
//!
//! The index only saves work. What is lost or damaged here is run again, so nothing in this file fails a command.

use std::fs;
use std::path::{Path, PathBuf};

use loopwright_core::json::Digest;
use loopwright_engines::remembered::BaselineStore;
use loopwright_runtime::artifacts::{Artifacts, FolderArtifacts};

use crate::{files, store};

/// The index below `baselines/`, and the artifacts it names below `artifacts/`.
pub(crate) struct KeptBaselines {
    index: PathBuf,
    artifacts: FolderArtifacts,
}

impl KeptBaselines {
    pub(crate) fn of(data_dir: &Path) -> Self {
        Self { index: data_dir.join("baselines"), artifacts: store::artifacts(data_dir) }
    }
}

impl BaselineStore for KeptBaselines {
    fn put(&self, bytes: &[u8]) {
        // What cannot be kept is missing when it is looked for, and then the baseline is run once more.
        self.artifacts.put(bytes).ok();
    }

    fn get(&self, digest: &Digest) -> Option<Vec<u8>> {
        self.artifacts.get(digest).ok()
    }

    fn point(&self, key: &Digest, entry: &Digest) {
        let place = self.index.join(key.to_string());
        files::make_folder(&self.index).and_then(|()| files::write_whole(&place, format!("{entry}\n").as_bytes())).ok();
    }

    fn find(&self, key: &Digest) -> Option<Digest> {
        fs::read_to_string(self.index.join(key.to_string())).ok()?.trim().parse().ok()
    }
}

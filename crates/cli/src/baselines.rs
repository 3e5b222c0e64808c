//! Baselines that were run before, kept in the data directory: an index by what was run, and the bytes as artifacts.
//!
//! The index only saves work. What is lost or damaged here is run again, so nothing in this file fails a command.

use std::fs;
use std::path::{Path, PathBuf};

use loopwright_core::json::Digest;
use loopwright_engines::remembered::BaselineStore;
use loopwright_runtime::artifacts::{Artifacts, FolderArtifacts};

use crate::files;

/// The index below `baselines/`, and the artifacts it names below `artifacts/`.
pub(crate) struct KeptBaselines {
    index: PathBuf,
    artifacts: FolderArtifacts,
}

impl KeptBaselines {
    pub(crate) fn of(data_dir: &Path) -> Self {
        Self { index: data_dir.join("baselines"), artifacts: FolderArtifacts::new(data_dir.join("artifacts")) }
    }
}

impl BaselineStore for KeptBaselines {
    fn find(&self, key: &Digest) -> Option<Vec<u8>> {
        let line = fs::read_to_string(self.index.join(key.to_string())).ok()?;
        self.artifacts.get(&line.trim().parse().ok()?).ok()
    }

    fn keep(&self, key: &Digest, entry: &[u8], telemetry: &[u8]) {
        let kept = self.artifacts.put(telemetry).and_then(|_| self.artifacts.put(entry));
        let Ok(digest) = kept else { return };
        let place = self.index.join(key.to_string());
        // Where it cannot be kept, the next process runs the baseline once more.
        files::make_folder(&self.index)
            .and_then(|()| files::write_whole(&place, format!("{digest}\n").as_bytes()))
            .ok();
    }
}

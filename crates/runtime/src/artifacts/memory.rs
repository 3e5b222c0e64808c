//! Artifacts in memory.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use loopwright_core::json::Digest;

use super::{ArtifactError, Artifacts};

/// Keeps everything in one map.
#[derive(Debug, Default)]
pub struct MemoryArtifacts(Mutex<BTreeMap<Digest, Vec<u8>>>);

impl Artifacts for MemoryArtifacts {
    fn put(&self, bytes: &[u8]) -> Result<Digest, ArtifactError> {
        let digest = Digest::of(bytes);
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(digest, bytes.to_vec());
        Ok(digest)
    }

    fn get(&self, digest: &Digest) -> Result<Vec<u8>, ArtifactError> {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner).get(digest).cloned();
        kept.ok_or(ArtifactError::Unknown { digest: *digest })
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn keeps_the_contract() {
        crate::artifacts::contract::check(&super::MemoryArtifacts::default());
    }
}

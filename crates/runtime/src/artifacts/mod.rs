//! The artifact port: bytes that a run produced, addressed by their SHA-256.
//!
//! Facts name artifacts by digest; the bytes live apart, so that a journal stays small.

#[cfg(feature = "testing")]
pub mod contract;
mod folder;
mod memory;

use loopwright_core::json::Digest;

pub use folder::FolderArtifacts;
pub use memory::MemoryArtifacts;

/// Why artifacts could not be kept or read.
#[derive(Debug, thiserror::Error)]
pub enum ArtifactError {
    /// No such artifact.
    #[error("there is no artifact {digest}")]
    Unknown {
        /// Its digest.
        digest: Digest,
    },
    /// What is stored is not what was kept.
    #[error("the artifact {digest} is damaged: its bytes have another digest")]
    Damaged {
        /// Its digest.
        digest: Digest,
    },
    /// The disk failed.
    #[error("cannot {doing} {place}")]
    Storage {
        /// What was tried.
        doing: &'static str,
        /// The file or folder.
        place: String,
        /// Why.
        #[source]
        source: std::io::Error,
    },
}

/// Keeps bytes by their digest. Keeping the same bytes twice is keeping them once.
pub trait Artifacts: Send + Sync {
    /// Keeps some bytes and says under which digest.
    fn put(&self, bytes: &[u8]) -> Result<Digest, ArtifactError>;

    /// The bytes of a digest, checked against it.
    fn get(&self, digest: &Digest) -> Result<Vec<u8>, ArtifactError>;
}

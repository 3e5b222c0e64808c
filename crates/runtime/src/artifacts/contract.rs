//! What every store of artifacts must do.

#![expect(clippy::unwrap_used, reason = "this is test code, compiled only for tests")]

use loopwright_core::json::Digest;

use super::{ArtifactError, Artifacts};

/// Runs the whole suite.
///
/// # Panics
///
/// With the rule that is broken.
pub fn check(artifacts: &dyn Artifacts) {
    let large: Vec<u8> = (0..=255).cycle().take(300_000).collect();
    for bytes in [b"".as_slice(), b"one", &large] {
        let digest = artifacts.put(bytes).unwrap();
        assert_eq!(digest, Digest::of(bytes));
        assert_eq!(artifacts.put(bytes).unwrap(), digest, "keeping twice is keeping once");
        assert_eq!(artifacts.get(&digest).unwrap(), bytes);
    }
    let unknown = Digest::of(b"never kept");
    assert!(matches!(artifacts.get(&unknown), Err(ArtifactError::Unknown { digest }) if digest == unknown));
}

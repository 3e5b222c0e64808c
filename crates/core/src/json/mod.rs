//! JSON as it crosses the core: values that carry their digest, one strict reader, one canonical form.
//!
//! Nothing here knows what a value means. Typed views live with whoever owns the meaning.

mod canonical;
mod digest;
mod reader;
mod value;

pub use canonical::{canonical_bytes, normalise_whole_numbers};
pub use digest::{Digest, ParseDigestError};
pub use reader::{Limits, ReadError, read, read_str};
pub use value::Json;

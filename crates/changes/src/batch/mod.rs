//! Many changes verified under the same terms: the items, who takes which, and what the whole came to.
//!
//! - [`item`] is one change to verify, [`input`] reads items from what people write, [`identity`] names their runs and
//!   [`shard`] shares them out.
//! - [`standing`] is where one item stands, [`against`] sets a batch beside an earlier one, and [`summary`] joins both;
//!   [`page`] and [`junit`] are projections of it.
//!
//! Everything here is pure: threads, files and exit codes' meaning for a shell belong to the command line.

pub mod against;
pub mod identity;
pub mod input;
pub mod item;
pub mod junit;
mod markup;
pub mod page;
pub mod shard;
pub mod standing;
pub mod summary;

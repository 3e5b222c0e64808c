//! Config documents as data: where a value stands, whether it is allowed, how it is computed, what changed.
//!
//! Nothing here knows a game, a loop or a file. A document is a [`serde_json::Value`]; what it means is told by a
//! [`Layout`] (which arrays hold named items) and a [`Schema`] (what may stand where).

pub mod diff;
pub mod edit;
pub mod expr;
pub mod fault;
pub mod intent;
pub mod layout;
pub mod path;
pub mod schema;
pub mod select;
pub mod text;

pub use diff::{Change, diff, same_value};
pub use edit::{Edit, EditError, apply};
pub use expr::{Expr, ExprError, Scope};
pub use fault::Fault;
pub use intent::{Expect, Intent, IntentResult};
pub use layout::{Collection, Layout, PlaceError};
pub use path::{Key, ParsePathError, Path, Segment};
pub use schema::{Kind, Range, Schema, SchemaError};
pub use select::{Pick, Select, SelectError};
pub use text::{Lang, Text};

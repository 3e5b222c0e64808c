//! Changes whose policy is a model that answers from a list: what its answers may and may not do.

mod amending;
mod intake;
mod reviews;
mod stage;

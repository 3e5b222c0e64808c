//! people

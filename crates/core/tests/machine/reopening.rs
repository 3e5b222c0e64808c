//! reopening

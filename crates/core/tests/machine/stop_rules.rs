//! stop_rules

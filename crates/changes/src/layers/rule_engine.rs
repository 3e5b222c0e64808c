//! Whether the estimates of a candidate keep their limits.

use loopwright_configs::Fault;
use serde_json::Value;

use crate::estimates;
use crate::pack::Pack;

pub(super) fn faults(pack: &Pack, candidate: &Value) -> Vec<Fault> {
    estimates::faults(pack, candidate)
}

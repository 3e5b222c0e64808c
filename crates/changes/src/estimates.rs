//! Figures of a config that are known before anything runs.

use loopwright_configs::fault::brief;
use loopwright_configs::select::item_scope;
use loopwright_configs::text::plain;
use loopwright_configs::{ExprError, Fault, Path, Scope, Text};
use serde_json::Value;

use crate::layers::{Layer, broken_formula};
use crate::pack::{Estimate, Pack};

/// An estimate at one place.
#[derive(Debug, Clone, PartialEq)]
pub struct Estimated {
    /// The item it is about.
    pub path: Path,
    /// The item's id.
    pub id: String,
    /// The estimate.
    pub value: f64,
    /// The most it may be.
    pub limit: f64,
}

/// One estimate for every place of a config that it is computed for, in document order.
pub fn estimates(pack: &Pack, estimate: &Estimate, config: &Value) -> Result<Vec<Estimated>, ExprError> {
    let scope = Scope::new().with("config", config.clone());
    let mut all = Vec::new();
    for (index, path) in pack.layout().expand(config, &estimate.each).into_iter().enumerate() {
        let scope = item_scope(pack.layout(), config, &path, &scope).with("index", index);
        let (value, limit) = (estimate.value.number(&scope)?, estimate.limit.number(&scope)?);
        let id = path.first_key().map(ToString::to_string).unwrap_or_default();
        all.push(Estimated { path, id, value, limit });
    }
    Ok(all)
}

/// Every estimate that breaks its limit.
pub fn faults(pack: &Pack, config: &Value) -> Vec<Fault> {
    let mut faults = Vec::new();
    for estimate in pack.estimates() {
        match estimates(pack, estimate, config) {
            Ok(all) => {
                faults.extend(all.iter().filter(|it| it.value > it.limit).map(|it| fault(estimate, it)));
            }
            Err(error) => faults.push(broken_formula(Layer::RuleEngine, &estimate.id, &error)),
        }
    }
    faults
}

fn fault(estimate: &Estimate, at: &Estimated) -> Fault {
    let (actual, limit) = (Value::from(at.value), Value::from(at.limit));
    Fault {
        layer: Layer::RuleEngine.name().to_owned(),
        path: at.path.join(&estimate.path),
        message: estimate.message.fill(&[
            ("actual", Text::same(plain(&actual))),
            ("limit", Text::same(plain(&limit))),
            ("id", Text::same(&at.id)),
        ]),
        actual: Some(brief(&crate::checks::whole(actual))),
        limit: Some(Value::from(format!("<= {}", plain(&limit)))),
        rule: estimate.id.clone(),
    }
}

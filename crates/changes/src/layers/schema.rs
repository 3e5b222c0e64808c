//! The contract: what the schema says, and then what it cannot say.

use loopwright_configs::fault::brief;
use loopwright_configs::select::item_scope;
use loopwright_configs::text::plain;
use loopwright_configs::{ExprError, Fault, Path, Scope, Text};
use serde_json::Value;

use super::{Layer, broken_formula};
use crate::pack::{Pack, Rule};

/// Everything about a config that breaks its contract. The rules are only asked about a config that the schema passes,
/// since they rely on its shape.
pub fn contract_faults(pack: &Pack, config: &Value) -> Vec<Fault> {
    let faults = pack.schema().faults(pack.layout(), config);
    if !faults.is_empty() {
        return faults;
    }
    let config = pack.normalised(config);
    let scope = Scope::new().with("config", config.clone());
    let mut faults = Vec::new();
    for rule in pack.rules() {
        let places = match &rule.each {
            Some(each) => pack.layout().expand(&config, each),
            None => vec![Path::root()],
        };
        for (index, place) in places.into_iter().enumerate() {
            let scope = item_scope(pack.layout(), &config, &place, &scope).with("index", index);
            match broken(pack, rule, &config, &place, &scope) {
                Ok(None) => {}
                Ok(Some(fault)) => faults.push(fault),
                Err(error) => faults.push(broken_formula(Layer::Schema, &rule.id, &error)),
            }
        }
    }
    faults
}

fn broken(pack: &Pack, rule: &Rule, config: &Value, place: &Path, scope: &Scope) -> Result<Option<Fault>, ExprError> {
    if rule.holds.truth(scope)? {
        return Ok(None);
    }
    let path = place.join(&rule.path);
    let limit = crate::checks::whole(rule.limit.eval(scope)?);
    let actual = pack.layout().get(config, &path);
    let shown = actual.map(plain).unwrap_or_default();
    let message = rule.message.fill(&[("actual", Text::same(shown)), ("limit", Text::same(plain(&limit)))]);
    Ok(Some(Fault {
        layer: Layer::Schema.name().to_owned(),
        path,
        actual: actual.map(brief),
        limit: Some(limit),
        message,
        rule: rule.id.clone(),
    }))
}

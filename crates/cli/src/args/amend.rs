//! The arguments of `amend`.

use clap::Args;
use loopwright_core::budget::{Amounts, Resource};

use super::OneRun;

/// Raise a run's budget.
#[derive(Debug, Args)]
#[command(after_help = "\
What can be raised: model_calls, engine_runs, tokens, cost (in the currency of models.toml), attempts, wall_ms.
A call of a model or a run of an engine needs a turn of its loop, so attempts grow with them.

Examples:
  loopwright amend last --budget model_calls=+4 --actor ann --note \"the server was down\"
  loopwright amend h4k2 --budget engine_runs=+2 --budget cost=+0.25 --actor ann --note \"one more try\"")]
pub(crate) struct Amend {
    #[command(flatten)]
    pub(crate) one: OneRun,
    /// What is raised, and by how much; repeatable
    #[arg(long, value_name = "NAME=+N", required = true, value_parser = raise)]
    pub(crate) budget: Vec<Raise>,
    /// Who raises it
    #[arg(long, value_name = "NAME", value_parser = super::name)]
    pub(crate) actor: String,
    /// Why
    #[arg(long, value_name = "TEXT")]
    pub(crate) note: String,
}

/// How much of one resource is added.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Raise {
    resource: Resource,
    by: u64,
}

impl Amend {
    /// Everything that is added.
    pub(crate) fn amounts(&self) -> Amounts {
        self.budget.iter().fold(Amounts::NONE, |sum, raise| sum.plus(&Amounts::of(raise.resource, raise.by)))
    }
}

fn raise(text: &str) -> Result<Raise, String> {
    let Some((name, by)) = text.split_once("=+") else {
        return Err("write NAME=+N, as in model_calls=+4: a budget is only ever raised".to_owned());
    };
    if name == "cost" {
        return Ok(Raise { resource: Resource::CostMicros, by: super::model::money(by)? });
    }
    let names = [Resource::ModelCalls, Resource::EngineRuns, Resource::Tokens, Resource::Attempts, Resource::WallMs];
    let Some(resource) = names.into_iter().find(|resource| resource.name() == name) else {
        let names: Vec<_> = names.iter().map(|resource| resource.name()).collect();
        return Err(format!("there is no {name:?}; what can be raised is {}, cost", names.join(", ")));
    };
    match by.parse() {
        Ok(by) if by > 0 => Ok(Raise { resource, by }),
        _ => Err(format!("{by:?} is no whole number above 0")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_there_is_is_raised_and_only_upwards() {
        assert_eq!(raise("model_calls=+4"), Ok(Raise { resource: Resource::ModelCalls, by: 4 }));
        assert_eq!(raise("cost=+0.25"), Ok(Raise { resource: Resource::CostMicros, by: 250_000 }));
        for text in ["model_calls=4", "model_calls=-4", "model_calls=+0", "model_calls=+x", "fun=+1", "=+1", "cost=+0"]
        {
            assert!(raise(text).is_err(), "{text}");
        }
    }
}

//! Models as agents of a change: what they are asked, within which bounds, and what their answers become.
//!
//! An agent proposes and nothing more. Its answer goes through the same layers and the same policy gate as the rules',
//! and nothing in here moves a run on.

mod ask;
mod places;
mod requirement;
mod review;

pub(super) use review::evidence;

use loopwright_core::budget::{Amounts, Resource};
use loopwright_models::{Model, ModelIdentity, Price, Tried, Usage};
use serde::{Deserialize, Serialize};

use crate::pack::Prompt;

/// What the agents of a run need that is not in its facts.
pub struct Agents<'a> {
    /// Who is asked.
    pub model: &'a dyn Model,
    /// Is told of every try of a call as it ends.
    pub heard: &'a (dyn Fn(&Tried) + Sync),
}

/// Which model a run asks and under which terms; kept in the run, so that whoever goes on with it asks the same way.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ModelReference {
    /// What the model is called in the settings it came from.
    pub name: String,
    /// Who answers.
    pub identity: ModelIdentity,
    /// What it costs; nothing where nobody said so.
    pub price: Option<Price>,
    /// How many tokens it can read and write in one call; nothing where nobody said so.
    pub context: Option<u64>,
    /// The most tokens of an answer; nothing for the prompt's own limit.
    pub answer_tokens: Option<u64>,
    /// The sampling temperature.
    pub temperature: Option<f64>,
    /// The sampling seed.
    pub seed: Option<u64>,
    /// How often a call is tried where trying costs nothing.
    pub tries: u32,
    /// The longest a try may take, in milliseconds.
    pub try_ms: u64,
}

/// The longest a call may take with all its tries, as a multiple of one try, where the run's time is not limited.
const CALLS_TRY_TIMES: u64 = 3;

impl ModelReference {
    /// The most that one call with a prompt can take.
    pub fn most(&self, prompt: &Prompt) -> Usage {
        let within = |tokens: u64| self.context.map_or(tokens, |context| tokens.min(context));
        Usage { input_tokens: within(prompt.prompt_tokens), output_tokens: within(self.answer_limit(prompt)) }
    }

    /// What is reserved for one call with a prompt.
    pub fn reserve(&self, prompt: &Prompt) -> Amounts {
        let most = self.most(prompt);
        let cost = self.price.map_or(0, |price| price.cost_micros(most));
        Amounts::of(Resource::ModelCalls, 1).with(Resource::Tokens, most.total()).with(Resource::CostMicros, cost)
    }

    fn answer_limit(&self, prompt: &Prompt) -> u64 {
        self.answer_tokens.map_or(prompt.answer_tokens, |most| most.min(prompt.answer_tokens))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn prompt() -> Prompt {
        let text = String::new;
        Prompt { answer_tokens: 4_000, prompt_tokens: 40_000, system: text(), user: text(), again: text() }
    }

    fn reference() -> ModelReference {
        let (provider, model) = ("here".to_owned(), "small".to_owned());
        ModelReference {
            name: "small".to_owned(),
            identity: ModelIdentity { provider, model },
            price: None,
            context: None,
            answer_tokens: None,
            temperature: None,
            seed: None,
            tries: 3,
            try_ms: 1_000,
        }
    }

    #[test]
    fn a_call_reserves_the_most_it_can_take() {
        let price = Price { input_micros: 1_000_000, output_micros: 2_000_000 };
        let cases = [
            (reference(), 44_000, 0),
            (ModelReference { price: Some(price), ..reference() }, 44_000, 48_000),
            (ModelReference { context: Some(8_192), ..reference() }, 12_192, 0),
            (ModelReference { answer_tokens: Some(500), ..reference() }, 40_500, 0),
            (ModelReference { answer_tokens: Some(9_000), ..reference() }, 44_000, 0),
        ];
        for (reference, tokens, cost) in cases {
            let reserve = reference.reserve(&prompt());
            let amounts = Resource::ALL.map(|resource| reserve.get(resource));
            assert_eq!(amounts, [0, 1, 0, 0, tokens, cost, 0], "{reference:?}");
        }
    }
}

//! One call of a model for an agent: the prompt filled, the call made within its reservation, the answer read.

use std::time::Duration;

use loopwright_core::budget::{Amounts, Resource};
use loopwright_core::fact::EffectResult;
use loopwright_core::json::Json;
use loopwright_core::machine::{Context, Planned};
use loopwright_core::outcome::Failure;
use loopwright_models::{
    AnswerSchema, Backoff, CallRecord, CallTerms, Message, ModelError, PromptReference, Request, Role, Shape, Unusable,
};
use loopwright_runtime::perform::{Interrupt, Performed};
use serde_json::{Value, json};

use super::{Agents, CALLS_TRY_TIMES, ModelReference};
use crate::pack::{Prompt, Values};
use crate::workflow::notes::{BadOutput, Note};
use crate::workflow::perform::{ChangePerformer, broken};

/// The class of a failure before anything was sent: the request does not fit what was reserved for it.
const PROMPT_TOO_LONG: &str = "prompt_too_long";

/// What an agent asks.
pub(super) struct Question<'a> {
    /// The agent's name, which is its prompt's.
    pub(super) agent: &'static str,
    pub(super) prompt: &'a Prompt,
    pub(super) values: Values,
    /// JSON Schema of the answer.
    pub(super) schema: Value,
}

/// What came of asking.
pub(super) enum Asked {
    /// An answer of the right shape.
    Usable(Value),
    /// An output that is no answer.
    Unusable(BadOutput),
    /// No output.
    Broken(Failure),
    /// A person wanted to stop.
    GivenUp,
}

/// What came of asking, with its bill and its record.
pub(super) struct Reply {
    pub(super) asked: Asked,
    pub(super) spent: Amounts,
    pub(super) call: Option<CallRecord>,
}

impl Reply {
    fn unsent(class: &str, message: String) -> Self {
        let failure = Failure { class: class.to_owned(), message, detail: Json::null() };
        Self { asked: Asked::Broken(failure), spent: Amounts::NONE, call: None }
    }
}

impl ChangePerformer<'_> {
    /// Who is asked, where the run's policy is a model.
    pub(super) fn agents(&self) -> Option<(&Agents<'_>, &ModelReference)> {
        Some((self.agents?, self.brief.model.as_ref()?))
    }

    /// Asks once: one call, whatever its number of tries.
    pub(super) fn ask(
        &self,
        question: &Question<'_>,
        context: &Context,
        planned: &Planned,
        interrupt: &Interrupt,
    ) -> Reply {
        let Some((agents, reference)) = self.agents() else {
            return Reply::unsent("no_model", "the run asks a model, but none was brought".to_owned());
        };
        let request = match request(question, reference, told(context)) {
            Ok(request) => request,
            Err(message) => return Reply::unsent("prompt", message),
        };
        let most = reference.most(question.prompt);
        if request.most_prompt_tokens() > question.prompt.prompt_tokens {
            let (tokens, limit) = (request.most_prompt_tokens(), question.prompt.prompt_tokens);
            let message = format!(
                "the request may have {tokens} tokens, more than the {limit} that {} reserves; raise prompt_tokens in the pack's prompts",
                question.agent
            );
            return Reply::unsent(PROMPT_TOO_LONG, message);
        }
        let shape = match Shape::compile(&question.answer_schema()) {
            Ok(shape) => shape,
            Err(error) => return Reply::unsent("answer_schema", error.to_string()),
        };
        let try_time = Duration::from_millis(reference.try_ms);
        let time = match planned.reserve().get(Resource::WallMs) {
            0 => Duration::from_millis(reference.try_ms.saturating_mul(CALLS_TRY_TIMES)),
            granted => Duration::from_millis(granted),
        };
        let terms = CallTerms {
            time,
            try_time,
            tries: reference.tries,
            price: reference.price,
            most,
            backoff: Backoff::default(),
            interrupt,
            heard: agents.heard,
        };
        let called = loopwright_models::call(agents.model, &request, &terms);
        let record = called.record;
        // A try that cannot have cost anything is no call of a model.
        let calls = u64::from(called.result.as_ref().map_or_else(ModelError::may_be_billed, |_| true));
        let spent = Amounts::of(Resource::ModelCalls, calls)
            .with(Resource::Tokens, record.bill.tokens)
            .with(Resource::CostMicros, record.bill.cost_micros.unwrap_or_default());
        let asked = match called.result {
            Ok(answer) => match loopwright_models::read(&answer, &shape) {
                Ok(value) => Asked::Usable(value),
                Err(Unusable { class, message }) => {
                    Asked::Unusable(BadOutput { class: class.to_owned(), message, raw: answer.text })
                }
            },
            Err(ModelError::Interrupted) => Asked::GivenUp,
            Err(error) => Asked::Broken(failure(&error)),
        };
        Reply { asked, spent, call: Some(record) }
    }

    /// Turns what came of asking into an effect's result; `decide` makes a decision of an answer, or says why it is none.
    ///
    /// Where the run was told to fall back, the rules' decision takes the place of an answer that did not come.
    pub(super) fn conclude(
        &self,
        reply: Reply,
        mut note: Note,
        decide: impl Fn(&Value) -> Result<Value, BadOutput>,
        rules: impl Fn() -> Performed,
    ) -> Performed {
        note.call = reply.call;
        // Tries that led to another one are facts of their own; the last one is what the call came to.
        let tries =
            note.call.as_ref().map(|call| call.tries.split_last().map(|(_, before)| before)).unwrap_or_default();
        let tries = tries.unwrap_or_default().iter().map(|tried| Json::new(json!(tried))).collect();
        let asked = match reply.asked {
            Asked::Usable(value) => match decide(&value) {
                Ok(decision) => {
                    let result = EffectResult::Decided { answer: decision.into() };
                    return Performed { result, spent: reply.spent, tries, note: note.to_json() };
                }
                Err(bad) => Asked::Unusable(bad),
            },
            asked => asked,
        };
        if self.brief.fallback && !matches!(asked, Asked::GivenUp) {
            let Performed { result, .. } = rules();
            match asked {
                Asked::Unusable(bad) => note.bad_output = Some(bad),
                Asked::Broken(failure) => note.failure = Some(failure),
                Asked::Usable(_) | Asked::GivenUp => {}
            }
            note.fell_back = true;
            return Performed { result, spent: reply.spent, tries, note: note.to_json() };
        }
        let result = match asked {
            Asked::Unusable(BadOutput { class, message, raw }) => {
                EffectResult::Unusable { class, message, raw: Json::new(raw.into()) }
            }
            Asked::Broken(failure) => EffectResult::Failed { failure },
            Asked::GivenUp => return Performed::given_up(),
            Asked::Usable(_) => return broken("an answer was neither used nor refused"),
        };
        Performed { result, spent: reply.spent, tries, note: note.to_json() }
    }
}

impl Question<'_> {
    fn answer_schema(&self) -> AnswerSchema {
        AnswerSchema { name: self.agent.to_owned(), schema: Json::new(self.schema.clone()) }
    }
}

fn request(question: &Question<'_>, reference: &ModelReference, error: Option<&str>) -> Result<Request, String> {
    let filled = question.prompt.fill(&question.values, error).map_err(|error| error.to_string())?;
    let message = |role, content| Message { role, content };
    Ok(Request {
        prompt: PromptReference { name: question.agent.to_owned(), sha256: question.prompt.sha256() },
        messages: vec![message(Role::System, filled.system), message(Role::User, filled.user)],
        schema: Some(question.answer_schema()),
        max_tokens: reference.most(question.prompt).output_tokens,
        temperature: reference.temperature,
        seed: reference.seed,
    })
}

/// What was wrong with the last answer, where that is what the loop tells.
fn told(context: &Context) -> Option<&str> {
    context.feedback.get("class")?;
    context.feedback.get("error")?.as_str()
}

fn failure(error: &ModelError) -> Failure {
    Failure { class: error.class().to_owned(), message: error.to_string(), detail: Json::null() }
}

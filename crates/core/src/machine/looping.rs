//! A loop in progress: `(Evaluate) -> Decide -> gate -> authority -> (approval) -> Act -> Evaluate -> stop rules`.
//!
//! This file knows how results move a loop on; what may be performed is decided in `plan`.

use serde_json::json;

use crate::budget::{Amounts, Budget, Ledger, Overrun, Resource, Shortage};
use crate::contract::{ClosesOn, FirstState, LoopContract};
use crate::decision::{Action, Decision};
use crate::evaluation::{Escalation, Evaluation, GateVerdict, Verdict};
use crate::json::{Digest, Json};
use crate::outcome::{Best, Exhaustion, Failure, HandOff, Outcome};
use crate::stop::{Stop, Watch};

use super::close::Closing;
use super::order::Context;

/// A loop's state between two facts; bounded in size whatever the number of turns.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct LoopState {
    pub(super) ledger: Ledger,
    pub(super) step: Step,
    state: Json,
    attempt: u32,
    /// Whether the turn under way is the claim of an accepted state that no attempt was left for.
    unpaid: bool,
    evaluation: Option<Evaluation>,
    feedback: Json,
    watch: Watch,
    /// What became of the wrap-up reserve.
    wrap_up: WrapUp,
}

/// What became of a loop's wrap-up reserve.
#[derive(Debug, Clone, PartialEq, Eq)]
enum WrapUp {
    /// It is kept; or the contract keeps none.
    Kept,
    /// It was used; this is what was written, `null` where nothing usable came.
    Used { written: Json },
}

/// What a loop does next.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Step {
    Evaluate {
        claimed: bool,
    },
    Decide,
    Gate {
        decision: Decision,
    },
    Act {
        action: Action,
    },
    Question {
        question: String,
    },
    /// The policy writes the hand-off of a loop that ran out; `then` as below.
    WrapUp {
        exhaustion: Exhaustion,
        then: Box<Step>,
    },
    /// Closed as exhausted; `then` is where it goes on if a person adds budget.
    Exhausted {
        exhaustion: Exhaustion,
        then: Box<Step>,
    },
    Escalated {
        escalation: Escalation,
    },
    Succeeded,
}

/// What can be seen of a loop from outside.
#[derive(Debug, Clone, Copy)]
pub struct LoopView<'a> {
    /// The state as it is.
    pub state: &'a Json,
    /// Attempts made.
    pub attempts: u32,
    /// The evaluation of the state, where there is one.
    pub evaluation: Option<&'a Evaluation>,
    /// The best state so far.
    pub best: Option<&'a Best>,
    /// What was spent and is left.
    pub ledger: &'a Ledger,
}

impl LoopState {
    pub(super) fn start(contract: &LoopContract, inputs: &Json, budget: Budget) -> Result<Self, Failure> {
        let state = match &contract.first_state {
            FirstState::Value(value) => value.clone(),
            FirstState::Input(pointer) => {
                let found = inputs.value().pointer(pointer).cloned().map(Json::new);
                found.ok_or_else(|| Failure {
                    class: "input_missing".to_owned(),
                    message: format!("the loop starts from {pointer}, which its inputs do not have"),
                    detail: inputs.clone(),
                })?
            }
        };
        let step = if contract.evaluates.first { Step::Evaluate { claimed: false } } else { Step::Decide };
        let (evaluation, feedback, watch) = (None, Json::null(), Watch::default());
        let (ledger, wrap_up) = (Ledger::new(budget), WrapUp::Kept);
        Ok(Self { ledger, step, state, attempt: 0, unpaid: false, evaluation, feedback, watch, wrap_up })
    }

    pub(super) fn view(&self) -> LoopView<'_> {
        let (evaluation, best) = (self.evaluation.as_ref(), self.watch.best());
        LoopView { state: &self.state, attempts: self.attempt, evaluation, best, ledger: &self.ledger }
    }

    pub(super) fn context(&self, contract: &LoopContract) -> Box<Context> {
        Box::new(Context {
            aim: contract.aim.clone(),
            state: self.state.clone(),
            attempt: self.attempt + u32::from(matches!(self.step, Step::Decide)),
            evaluation: self.evaluation.clone(),
            feedback: self.feedback.clone(),
            authority: contract.authority.clone(),
            budget_left: self.ledger.remaining(),
        })
    }

    /// Whether the evaluator has accepted the state as it is now.
    pub(super) fn accepted(&self) -> bool {
        self.evaluation.as_ref().is_some_and(|evaluation| evaluation.verdict == Verdict::Success)
    }

    /// How the loop closes, if it does so by itself.
    pub(super) fn closing(&self, contract: &LoopContract) -> Option<Closing> {
        match &self.step {
            Step::Succeeded => Some(Closing::success(self.value())),
            Step::Escalated { escalation } => Some(self.escalated(contract, escalation.clone())),
            Step::Exhausted { exhaustion, .. } => Some(self.exhausted(contract, exhaustion.clone())),
            _ => None,
        }
    }

    pub(super) fn exhausted(&self, contract: &LoopContract, exhaustion: Exhaustion) -> Closing {
        let hand_off = Some(self.hand_off(contract, exhaustion.to_string()));
        Closing::of(Outcome::BudgetExhausted { exhaustion, hand_off }, self.value())
    }

    pub(super) fn escalated(&self, contract: &LoopContract, escalation: Escalation) -> Closing {
        let hand_off = Some(self.hand_off(contract, escalation.message.clone()));
        Closing::of(Outcome::Escalated { escalation, hand_off }, self.value())
    }

    fn value(&self) -> Json {
        Json::new(json!({"state": self.state, "attempts": self.attempt, "evaluation": self.evaluation}))
    }

    fn hand_off(&self, contract: &LoopContract, why: String) -> Box<HandOff> {
        Box::new(HandOff {
            aim: contract.aim.clone(),
            why,
            attempts: self.attempt,
            state: self.state.clone(),
            evaluation: self.evaluation.clone(),
            best: self.watch.best().cloned(),
            budget: *self.ledger.limits(),
            spent: *self.ledger.spent(),
            decided_by: contract.authority.decided_by.clone(),
            written: match &self.wrap_up {
                WrapUp::Kept => Json::null(),
                WrapUp::Used { written } => written.clone(),
            },
        })
    }

    /// The policy answered.
    ///
    /// `paid` is whether an attempt was reserved: without one only the claim of an accepted state is left.
    pub(super) fn decided(&mut self, contract: &LoopContract, answer: &Json, paid: bool) {
        let decision = Decision::parse(answer.value());
        let claim = matches!(decision, Ok(Decision::Finish { .. })) && self.accepted();
        if !self.turn_begins(paid, claim) {
            return;
        }
        match decision {
            Err(error) => self.refused(contract, "malformed_decision", Json::new(json!({"error": error}))),
            Ok(Decision::ProposeGoalChange { proposal }) => {
                let message = "the policy proposes another goal".to_owned();
                self.escalate(contract, "goal_change_proposed", message, Some(proposal));
            }
            Ok(decision) if contract.gated => self.step = Step::Gate { decision },
            Ok(decision) => self.passed(contract, decision),
        }
    }

    /// The policy's output could not be used; it is told why and may try again.
    pub(super) fn unusable(&mut self, contract: &LoopContract, class: &str, message: &str, paid: bool) {
        if self.turn_begins(paid, false) {
            self.refused(contract, class, Json::new(json!({"error": message, "class": class})));
        }
    }

    /// Counts the attempt of a decision; without one only a claim may go on.
    fn turn_begins(&mut self, paid: bool, claim: bool) -> bool {
        self.unpaid = !paid;
        if !paid && !claim {
            self.step = self.out_of_attempts();
            return false;
        }
        self.attempt += u32::from(paid);
        true
    }

    /// What of the budget is not for turns.
    pub(super) fn kept(&self, contract: &LoopContract) -> Amounts {
        match (&self.wrap_up, &self.step) {
            (WrapUp::Kept, step) if !matches!(step, Step::WrapUp { .. }) => contract.wrap_up.unwrap_or_default(),
            _ => Amounts::NONE,
        }
    }

    /// Why the loop ends: a hand-off that could not be written is not the reason.
    pub(super) fn cause(&self, exhaustion: Exhaustion) -> Exhaustion {
        match &self.step {
            Step::WrapUp { exhaustion, .. } => exhaustion.clone(),
            _ => exhaustion,
        }
    }

    /// The policy begins to write the hand-off of a loop that ran out.
    pub(super) fn wraps_up(&mut self, exhaustion: Exhaustion) {
        if !matches!(self.step, Step::WrapUp { .. }) {
            let then = Box::new(std::mem::replace(&mut self.step, Step::Decide));
            self.step = Step::WrapUp { exhaustion, then };
        }
    }

    /// The hand-off is written, or nothing usable came of it: either way the loop ends.
    pub(super) fn wrapped_up(&mut self, written: Json) {
        if let Step::WrapUp { exhaustion, then } = std::mem::replace(&mut self.step, Step::Decide) {
            self.wrap_up = WrapUp::Used { written };
            self.step = Step::Exhausted { exhaustion, then };
        }
    }

    pub(super) fn gated(&mut self, contract: &LoopContract, verdict: GateVerdict) {
        let Step::Gate { decision } = std::mem::replace(&mut self.step, Step::Decide) else { return };
        match verdict {
            GateVerdict::Pass {} => self.passed(contract, decision),
            GateVerdict::Refuse { feedback } => self.refused(contract, "gate_refused", feedback),
            GateVerdict::Escalate { escalation } => self.step = Step::Escalated { escalation },
        }
    }

    fn passed(&mut self, contract: &LoopContract, decision: Decision) {
        self.step = match decision {
            Decision::Act { action } => Step::Act { action },
            Decision::AskHuman { question } => Step::Question { question },
            Decision::Finish { .. } if self.accepted() => Step::Succeeded,
            Decision::Finish { .. } if self.evaluation.is_none() && contract.evaluates.on_claim => {
                Step::Evaluate { claimed: true }
            }
            Decision::Finish { .. } => {
                let judged = self.evaluation.as_ref().map(|evaluation| evaluation.feedback.clone());
                let feedback = Json::new(json!({"error": "the claim is refused", "evaluation": judged}));
                return self.refused(contract, "claim_refused", feedback);
            }
            // Proposals are escalated before the gate; one that comes here anyway is escalated too.
            Decision::ProposeGoalChange { proposal } => {
                let message = "the policy proposes another goal".to_owned();
                return self.escalate(contract, "goal_change_proposed", message, Some(proposal));
            }
        };
    }

    /// The policy's proposal came to nothing; it is told why and may try again.
    pub(super) fn refused(&mut self, contract: &LoopContract, class: &str, feedback: Json) {
        self.feedback = feedback;
        self.step = if self.unpaid { self.out_of_attempts() } else { Step::Decide };
        let stop = self.watch.erred(&contract.stop_rules, class);
        self.stop(contract, stop);
    }

    pub(super) fn acted(&mut self, contract: &LoopContract, state: Json, observation: Json, error: Option<&str>) {
        let Step::Act { action } = &self.step else { return };
        let changed = state != self.state;
        let parts = [action.args.digest(), observation.digest(), state.digest()];
        let taken = Digest::of(format!("{} {parts:?}", action.name).as_bytes());
        self.state = state;
        self.feedback = observation;
        self.evaluation = None;
        self.step = if contract.evaluates.after_action { Step::Evaluate { claimed: false } } else { Step::Decide };
        let stop = match error {
            Some(class) => self.watch.erred(&contract.stop_rules, class),
            None => self.watch.acted(&contract.stop_rules, taken, changed),
        };
        self.stop(contract, stop);
    }

    pub(super) fn evaluated(&mut self, contract: &LoopContract, evaluation: Evaluation) {
        let claimed = matches!(self.step, Step::Evaluate { claimed: true });
        let stop = if evaluation.score.is_empty() {
            None
        } else {
            self.watch.scored(&contract.stop_rules, &evaluation, &self.state, self.attempt)
        };
        self.feedback = evaluation.feedback.clone();
        let (verdict, escalation) = (evaluation.verdict, evaluation.escalation.clone());
        self.evaluation = Some(evaluation);
        match verdict {
            Verdict::Success if claimed || contract.closes_on == ClosesOn::Accepted => self.step = Step::Succeeded,
            Verdict::Success => self.step = Step::Decide,
            Verdict::Escalate => match escalation {
                Some(escalation) => self.step = Step::Escalated { escalation },
                None => self.escalate(contract, "evaluator", "the evaluator asks a person".to_owned(), None),
            },
            Verdict::Continue => {
                self.step = Step::Decide;
                let refused = claimed.then(|| self.watch.erred(&contract.stop_rules, "claim_refused")).flatten();
                self.stop(contract, refused.or(stop));
            }
        }
    }

    pub(super) fn told(&mut self, text: &str, actor: &str) {
        self.feedback = Json::new(json!({"answer": text, "actor": actor}));
        self.step = Step::Decide;
    }

    /// A person refused an effect: an action can be replaced by another one, the rest cannot.
    pub(super) fn disapproved(&mut self, contract: &LoopContract, actor: &str, note: Option<&str>) {
        if matches!(self.step, Step::Act { .. }) {
            let feedback = json!({"error": "a person refused the action", "actor": actor, "note": note});
            return self.refused(contract, "approval_refused", Json::new(feedback));
        }
        self.escalate(contract, "approval_refused", format!("{actor} refused the effect"), None);
    }

    pub(super) fn overran(&mut self, overrun: Overrun) {
        self.exhaust(Exhaustion::Overrun { overrun });
    }

    pub(super) fn lost(&mut self, contract: &LoopContract) {
        let message = "an effect that must not happen twice was started, and its result never arrived".to_owned();
        self.escalate(contract, "effect_lost", message, None);
    }

    /// A person added budget: the loop goes on where it stopped.
    ///
    /// A hand-off that was written describes a loop that had ended, so it is dropped. Its reserve was spent, and what
    /// is added pays for going on, not for another one.
    pub(super) fn amended(&mut self) {
        self.watch.forgive();
        if let WrapUp::Used { written } = &mut self.wrap_up {
            *written = Json::null();
        }
        if let Step::Exhausted { then, .. } | Step::WrapUp { then, .. } = &self.step {
            self.step = (**then).clone();
        }
    }

    fn stop(&mut self, contract: &LoopContract, stop: Option<Stop>) {
        match stop {
            None => {}
            Some(Stop::NoProgress { rounds }) => self.exhaust(Exhaustion::NoProgress { rounds }),
            Some(Stop::Stuck { reason, message }) => self.escalate(contract, reason, message, None),
        }
    }

    fn exhaust(&mut self, exhaustion: Exhaustion) {
        let then = std::mem::replace(&mut self.step, Step::Decide);
        self.step = match then {
            // What the loop has already come to is not undone by a bill.
            Step::Escalated { .. } | Step::Exhausted { .. } | Step::WrapUp { .. } => then,
            // An acceptance that cost more than was granted is claimed again once a person has paid.
            Step::Succeeded => Step::Exhausted { exhaustion, then: Box::new(Step::Succeeded) },
            other => Step::Exhausted { exhaustion, then: Box::new(other) },
        };
    }

    fn escalate(&mut self, contract: &LoopContract, reason: &str, message: String, proposal: Option<Json>) {
        let required_authority = contract.authority.decided_by.clone();
        let escalation = Escalation { reason: reason.to_owned(), message, required_authority, proposal };
        self.step = Step::Escalated { escalation };
    }

    fn out_of_attempts(&self) -> Step {
        let resource = Resource::Attempts;
        let limit = self.ledger.limits().limit(resource).unwrap_or_default();
        let shortage = Shortage { resource, limit, left: 0, requested: 1 };
        Step::Exhausted { exhaustion: Exhaustion::Resource { shortage }, then: Box::new(Step::Decide) }
    }
}

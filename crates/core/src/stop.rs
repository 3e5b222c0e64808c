//! Stop rules: when a loop that still has budget goes nowhere.
//!
//! The watch keeps digests and counters of a bounded length, never history.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

use crate::evaluation::Evaluation;
use crate::json::{Digest, Json};
use crate::outcome::Best;

/// How many steps the longest cycle may have that is still noticed.
pub(crate) const LONGEST_CYCLE: u32 = 4;
/// How many recent steps are remembered; no rule can look further back.
pub(crate) const REMEMBERED: u32 = 24;

/// When a loop is stopped although its budget would last; an absent rule is off.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct StopRules {
    /// Rounds without a better score than the best so far; ends as `budget_exhausted`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stagnant_rounds: Option<u32>,
    /// The same action with the same result, this many times in a row; ends as `escalated`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub same_step: Option<u32>,
    /// A cycle of two to four steps, this many times in a row; ends as `escalated`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub same_cycle: Option<u32>,
    /// The same class of error, this many times in a row; ends as `escalated`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub same_error: Option<u32>,
    /// Whether an action that leaves the state as it was ends the loop as `escalated`.
    pub without_effect: bool,
}

/// Why the watch wants the loop to stop.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Stop {
    /// No better score for this many rounds.
    NoProgress {
        /// How many rounds.
        rounds: u32,
    },
    /// The loop is stuck.
    Stuck {
        /// A short code.
        reason: &'static str,
        /// What was seen.
        message: String,
    },
}

/// What the stop rules need to remember.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Watch {
    best: Option<Best>,
    stagnant: u32,
    steps: VecDeque<Digest>,
    error: Option<(String, u32)>,
}

impl Watch {
    pub(crate) fn best(&self) -> Option<&Best> {
        self.best.as_ref()
    }

    /// Gives the loop new patience.
    pub(crate) fn forgive(&mut self) {
        self.stagnant = 0;
    }

    /// Notes a scored state; the first one is never stagnant.
    pub(crate) fn scored(
        &mut self,
        rules: &StopRules,
        evaluation: &Evaluation,
        state: &Json,
        attempt: u32,
    ) -> Option<Stop> {
        let score = evaluation.score.as_slice();
        let better = self.best.as_ref().is_none_or(|best| score > best.score.as_slice());
        if better {
            let evaluation = Some(evaluation.clone());
            self.best = Some(Best { score: score.to_vec(), state: state.clone(), attempt, evaluation });
            self.stagnant = 0;
            return None;
        }
        self.stagnant += 1;
        let rounds = self.stagnant;
        rules.stagnant_rounds.is_some_and(|limit| rounds >= limit).then_some(Stop::NoProgress { rounds })
    }

    /// Notes a class of error: a malformed decision, a refusal, a failed action.
    pub(crate) fn erred(&mut self, rules: &StopRules, class: &str) -> Option<Stop> {
        let count = match &self.error {
            Some((last, count)) if last == class => count + 1,
            _ => 1,
        };
        self.error = Some((class.to_owned(), count));
        rules.same_error.is_some_and(|limit| count >= limit).then(|| Stop::Stuck {
            reason: "same_error",
            message: format!("the same error, {class}, {count} times in a row"),
        })
    }

    /// Notes an action that was performed, and what came of it.
    pub(crate) fn acted(&mut self, rules: &StopRules, step: Digest, changed: bool) -> Option<Stop> {
        self.error = None;
        if self.steps.len() >= REMEMBERED as usize {
            self.steps.pop_front();
        }
        self.steps.push_back(step);
        let stuck = |reason, message: String| Some(Stop::Stuck { reason, message });
        if rules.without_effect && !changed {
            return stuck("without_effect", "the action left the state as it was".to_owned());
        }
        if let Some(times) = rules.same_step.filter(|times| self.repeats(1, *times)) {
            return stuck("same_step", format!("the same action with the same result {times} times in a row"));
        }
        let times = rules.same_cycle?;
        let period = (2..=LONGEST_CYCLE as usize).find(|period| self.repeats(*period, times))?;
        stuck("same_cycle", format!("a cycle of {period} actions {times} times in a row"))
    }

    /// Whether the newest steps are `times` repetitions of `period` steps.
    fn repeats(&self, period: usize, times: u32) -> bool {
        let length = period.saturating_mul(times as usize);
        if times < 2 || length > self.steps.len() {
            return false;
        }
        let newest = self.steps.len() - length;
        (newest + period..self.steps.len()).all(|index| self.steps[index] == self.steps[index - period])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn rules() -> StopRules {
        StopRules {
            stagnant_rounds: Some(2),
            same_step: Some(3),
            same_cycle: Some(2),
            same_error: Some(3),
            without_effect: false,
        }
    }

    fn evaluation(score: &[i64]) -> Evaluation {
        Evaluation { score: score.to_vec(), ..Evaluation::new(crate::evaluation::Verdict::Continue, json!({})) }
    }

    fn reason(stop: Option<Stop>) -> Option<&'static str> {
        stop.map(|stop| match stop {
            Stop::NoProgress { .. } => "no_progress",
            Stop::Stuck { reason, .. } => reason,
        })
    }

    #[test]
    fn steps_that_repeat_are_noticed() {
        let cases = [
            ("aaa", Some("same_step")),
            ("aa", None),
            ("abab", Some("same_cycle")),
            ("aba", None),
            ("abcabc", Some("same_cycle")),
            ("abcdabcd", Some("same_cycle")),
            ("abcab", None),
            ("abcdeabcde", None),
        ];
        for (steps, expected) in cases {
            let mut watch = Watch::default();
            let mut last = None;
            for (index, step) in steps.bytes().enumerate() {
                assert_eq!(last, None, "{steps} stopped before step {index}");
                last = reason(watch.acted(&rules(), Digest::of(&[step]), true));
            }
            assert_eq!(last, expected, "{steps}");
        }
    }

    #[test]
    fn the_score_has_to_beat_the_best_so_far() {
        let mut watch = Watch::default();
        let state = Json::new(json!({}));
        let scores: [(&[i64], Option<&str>); 5] =
            [(&[1, -5], None), (&[1, -4], None), (&[1, -4], None), (&[2, -9], None), (&[1, 0], None)];
        for (score, expected) in scores {
            assert_eq!(reason(watch.scored(&rules(), &evaluation(score), &state, 0)), expected);
        }
        assert_eq!(reason(watch.scored(&rules(), &evaluation(&[2, -9]), &state, 0)), Some("no_progress"));
        watch.forgive();
        assert_eq!(watch.scored(&rules(), &evaluation(&[2, -9]), &state, 0), None);
    }

    #[test]
    fn errors_count_only_in_a_row() {
        let mut watch = Watch::default();
        assert_eq!(watch.erred(&rules(), "a"), None);
        assert_eq!(watch.erred(&rules(), "a"), None);
        assert_eq!(watch.erred(&rules(), "b"), None);
        assert_eq!(watch.erred(&rules(), "b"), None);
        watch.acted(&rules(), Digest::ZERO, true);
        assert_eq!(watch.erred(&rules(), "b"), None);
        assert_eq!(watch.erred(&rules(), "b"), None);
        assert_eq!(reason(watch.erred(&rules(), "b")), Some("same_error"));
    }

    #[test]
    fn an_action_without_effect_is_noticed() {
        let strict = StopRules { without_effect: true, ..StopRules::default() };
        let mut watch = Watch::default();
        assert_eq!(watch.acted(&strict, Digest::ZERO, true), None);
        assert_eq!(reason(watch.acted(&strict, Digest::ZERO, false)), Some("without_effect"));
    }
}

//! A node in progress: what is common to loops, gates, tasks and people.

use crate::budget::Amounts;
use crate::contract::Class;
use crate::fact::{Answer, Ask, OrderKind};
use crate::ids::EffectId;
use crate::json::Json;
use crate::outcome::{Failure, Signal};

use super::close::Closing;
use super::looping::LoopState;

/// A node's state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Node {
    pub(super) status: Status,
    pub(super) body: Body,
    /// What the node was given when it began.
    pub(super) inputs: Json,
    /// Whether an approval edge brought a person's yes.
    pub(super) approved: bool,
    /// What was carved out of the graph's budget for it.
    pub(super) carved: Amounts,
    /// Effects so far, the open one included.
    pub(super) effects: u32,
    /// Questions so far, the open one included.
    pub(super) asks: u32,
    /// The effect that was started and has not come back.
    pub(super) open: Option<OpenEffect>,
    /// The question that is not answered.
    pub(super) asked: Option<Ask>,
    /// The number of the effect that a person approved.
    pub(super) granted: Option<u32>,
    /// Set when the node cannot go on by itself: the world broke, or a task's bill was too large.
    pub(super) ended: Option<Closing>,
}

/// Where a node is in its life.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Status {
    Waiting,
    Running,
    Closed(Closing),
}

/// What a node is busy with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Body {
    /// Nothing yet.
    Idle,
    Loop(Box<LoopState>),
    /// A gate or a task, and what it brought.
    Single(Option<(Json, Signal)>),
    /// A person, and what they said.
    Human(Option<Answer>),
}

/// An effect whose intent is in the journal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct OpenEffect {
    pub(super) id: EffectId,
    pub(super) kind: OrderKind,
    pub(super) class: Class,
    pub(super) reserve: Amounts,
}

impl Node {
    pub(super) fn waiting() -> Self {
        Self {
            status: Status::Waiting,
            body: Body::Idle,
            inputs: Json::null(),
            approved: false,
            carved: Amounts::NONE,
            effects: 0,
            asks: 0,
            open: None,
            asked: None,
            granted: None,
            ended: None,
        }
    }

    pub(super) fn is_running(&self) -> bool {
        self.status == Status::Running
    }

    /// Whether it is a gate or task that has brought nothing yet.
    pub(super) fn is_undone(&self) -> bool {
        self.body == Body::Single(None)
    }

    pub(super) fn closing(&self) -> Option<&Closing> {
        match &self.status {
            Status::Closed(closing) => Some(closing),
            _ => None,
        }
    }

    pub(super) fn fail(&mut self, failure: Failure) {
        self.ended = Some(Closing::failed(failure));
    }

    /// Back to where it was before it began; numbers go on counting, so that no id stands for two things.
    pub(super) fn rewind(&mut self) {
        let (effects, asks) = (self.effects, self.asks);
        *self = Self { effects, asks, ..Self::waiting() };
    }
}

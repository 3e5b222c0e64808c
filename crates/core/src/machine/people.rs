//! Questions to people, and their answers.

use std::sync::Arc;

use crate::fact::{Answer, Ask, AskAbout, Reply};
use crate::graph::NodeKind;
use crate::ids::{AskId, NodePath};

use super::close::Closing;
use super::error::IllegalTransition;
use super::node::Body;
use super::run::Run;
use super::schedule::NodeStep;

impl Run {
    /// Says whether an answer would be accepted now.
    pub fn check_answer(&self, id: &AskId, answer: &Answer) -> Result<(), IllegalTransition> {
        let not_asked = || IllegalTransition::NotAsked { id: id.clone() };
        let position = self.locate(&id.path).map_err(|_| not_asked())?;
        let ask = self.nodes[position].asked.as_ref().filter(|ask| ask.id == *id).ok_or_else(not_asked)?;
        let refuse = |reply, why| Err(IllegalTransition::Reply { id: id.clone(), reply, why });
        match (&ask.about, &answer.reply) {
            (AskAbout::Question { .. }, Reply::Say { .. })
            | (AskAbout::Node { .. } | AskAbout::Approval { .. }, Reply::Approve { .. } | Reply::Reject {})
            | (AskAbout::Governor { may_approve: true, .. }, Reply::Approve { .. })
            | (AskAbout::Governor { .. }, Reply::Reject {} | Reply::ChangeGoal { .. }) => Ok(()),
            (AskAbout::Governor { .. }, Reply::Approve { .. }) => {
                refuse("approve", "not everything was accepted; reject or change the goal")
            }
            (_, Reply::Say { .. }) => refuse("say", "it asks for a decision, not for words"),
            (_, Reply::Approve { .. }) => refuse("approve", "it asks for words"),
            (_, Reply::Reject {}) => refuse("reject", "it asks for words"),
            (_, Reply::ChangeGoal { .. }) => refuse("change_goal", "only the governor changes the goal"),
        }
    }

    pub(super) fn put_question(&mut self, path: &NodePath, ask: &Ask) -> Result<(), IllegalTransition> {
        let position = self.locate(path)?;
        let due = !self.is_cancelled()
            && self.active().contains(&position)
            && matches!(self.node_step(position), NodeStep::Ask(due) if due == *ask);
        if !due {
            return Err(IllegalTransition::DoesNotFollow { event: "asked", path: path.clone() });
        }
        let node = &mut self.nodes[position];
        node.asks = ask.id.number;
        node.asked = Some(ask.clone());
        Ok(())
    }

    pub(super) fn answer(&mut self, id: &AskId, answer: &Answer) -> Result<(), IllegalTransition> {
        self.check_answer(id, answer)?;
        let position = self.locate(&id.path)?;
        let graph = Arc::clone(&self.graph);
        let node = &mut self.nodes[position];
        let Some(ask) = node.asked.take() else { return Err(IllegalTransition::NotAsked { id: id.clone() }) };
        match (&graph.spec().nodes[position].kind, &mut node.body, &answer.reply) {
            (_, Body::Human(said), _) => *said = Some(answer.clone()),
            (_, Body::Loop(state), Reply::Say { text }) => state.told(text, &answer.actor),
            (_, _, Reply::Approve { .. }) => node.granted = Some(node.effects + 1),
            (NodeKind::Loop { contract }, Body::Loop(state), _) => {
                state.disapproved(contract, &answer.actor, answer.note.as_deref());
            }
            _ => node.ended = Some(Closing::disapproved(&ask, answer)),
        }
        Ok(())
    }
}

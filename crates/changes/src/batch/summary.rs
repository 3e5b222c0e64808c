//! What a batch came to: the model that its page, its JUnit file and its JSON document are made from.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::against::Against;
use super::shard::Shard;
use super::standing::{Class, Standing, UNDONE, worst};
use crate::workflow::brief::Brief;

/// What a batch came to.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    /// The batch's name.
    pub batch: String,
    /// Which part of it this is.
    pub shard: Option<Shard>,
    /// What all items had in common, in words.
    pub terms: Value,
    /// Every item, in the order of the input.
    pub items: Vec<Standing>,
    /// What changed since an earlier batch.
    pub against: Option<Against>,
}

impl Summary {
    /// The terms of a batch as its summary shows them.
    pub fn terms_of(brief: &Brief, baseline_sha256: loopwright_core::json::Digest) -> Value {
        json!({
            "pack": {"name": brief.pack.name, "version": brief.pack.version, "digest": brief.pack.digest},
            "engine": brief.engine, "seed": brief.seed, "repair": brief.repair,
            "device_profile": brief.device_profile.get("name"),
            "candidate_runs": brief.budget.candidate_runs, "baseline_sha256": baseline_sha256,
        })
    }

    /// The items of one class.
    pub fn of(&self, class: Class) -> impl Iterator<Item = &Standing> {
        self.items.iter().filter(move |item| item.class() == class)
    }

    /// How the whole ends: as its worst item does, unless an interrupt left some undone.
    pub fn exit_code(&self) -> u8 {
        if self.of(Class::Undone).next().is_some() {
            return UNDONE;
        }
        worst(self.items.iter().map(|item| item.exit_code))
    }

    /// How many items there are of each class.
    pub fn counts(&self) -> Vec<(Class, usize)> {
        Class::ALL.into_iter().map(|class| (class, self.of(class).count())).collect()
    }

    /// The summary as a document; [`items_of`] reads its items back.
    pub fn to_json(&self) -> Value {
        let counts: Map<_, _> =
            self.counts().into_iter().map(|(class, n)| (class.name().to_owned(), json!(n))).collect();
        let items: Vec<_> = self.items.iter().map(with_class).collect();
        let world: Vec<_> =
            self.of(Class::World).map(|item| json!({"name": item.name, "message": item.message})).collect();
        json!({
            "batch": self.batch, "shard": self.shard, "exit_code": self.exit_code(), "terms": self.terms,
            "counts": counts, "world_failures": world, "against": self.against, "items": items,
        })
    }
}

fn with_class(item: &Standing) -> Value {
    let mut document = json!(item);
    document["class"] = json!(item.class());
    document
}

/// The items of a summary's document; nothing where it is none.
pub fn items_of(document: &Value) -> Option<Vec<Standing>> {
    serde_json::from_value(document.get("items")?.clone()).ok()
}

#[cfg(test)]
pub(crate) mod tests {
    use loopwright_configs::Text;
    use loopwright_core::json::Digest;

    use super::*;
    use crate::batch::standing::FailedCheck;

    /// One item of every class, with names that try to break out.
    pub(crate) fn example() -> Summary {
        let item = |name: &str, exit_code: u8| Standing {
            name: name.to_owned(),
            kind: "set".to_owned(),
            title: "a < b & \"c\"".to_owned(),
            content_sha256: Digest::of(name.as_bytes()),
            run_id: Some("r1".to_owned()),
            status: None,
            exit_code,
            failed_checks: Vec::new(),
            message: None,
            evidence: Some("evidence/r1".to_owned()),
        };
        let mut failed = item("<script>alert(1)</script>", 1);
        failed.failed_checks.push(FailedCheck {
            id: "load".to_owned(),
            title: Text::new("Load & more", "负载"),
            expected: json!("<= 3"),
            actual: json!(4),
        });
        let message = Some(Text::new("the disk\u{1} is full", "磁盘已满"));
        let invalid = Standing { run_id: None, evidence: None, message: message.clone(), ..item("bad", 2) };
        let world = Standing { message, ..item("far", 6) };
        let items = vec![item("fine", 0), failed, invalid, item("asked", 3), world, item("left", 130)];
        let against = Against { batch: "before".to_owned(), fixed: vec!["fine".to_owned()], ..Against::default() };
        Summary { batch: "b".to_owned(), shard: None, terms: json!({"seed": 7}), items, against: Some(against) }
    }

    #[test]
    fn a_document_counts_every_item_once_and_keeps_the_world_apart() {
        let mut summary = example();
        let document = summary.to_json();
        assert_eq!(document["exit_code"], UNDONE, "what was interrupted has not ended");
        let counts: Vec<_> = document["counts"].as_object().unwrap().values().map(|n| n.as_u64().unwrap()).collect();
        assert_eq!(counts, [1; 6]);
        assert_eq!(document["world_failures"][0]["name"], "far");
        assert_eq!(document["items"][1]["class"], "failed");
        assert_eq!(items_of(&document).unwrap(), summary.items, "what was written can be read back");
        assert_eq!(items_of(&json!({})), None);
        summary.items.retain(|item| item.class() != Class::Undone);
        assert_eq!(summary.exit_code(), 6);
    }
}

//! A batch beside an earlier one: what fails newly, what fails still, what is fixed.

use std::collections::BTreeMap;

use loopwright_core::json::Digest;
use serde::{Deserialize, Serialize};

use super::standing::{Class, Standing};

/// What changed since an earlier batch; names of items, in the order of the batch.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Against {
    /// The earlier batch.
    pub batch: String,
    /// Fails, and did not fail earlier: it passed, had no verdict, or was not there.
    pub new_failures: Vec<String>,
    /// Fails as it did.
    pub still_failing: Vec<String>,
    /// Failed earlier and passes.
    pub fixed: Vec<String>,
    /// Failed earlier and has no verdict now.
    pub without_verdict: Vec<String>,
    /// Was there earlier and is not any more.
    pub gone: Vec<String>,
}

/// Sets a batch beside an earlier one.
///
/// An item is the same where name and content are; failing that where the name is (its content was worked on), and
/// last where the content is (it was renamed). Every earlier item is met once.
pub fn join(batch: &str, now: &[Standing], earlier: &[Standing]) -> Against {
    let mut against = Against { batch: batch.to_owned(), ..Against::default() };
    let partners = partners(now, earlier);
    for (item, partner) in now.iter().zip(&partners) {
        let before = partner.map(|place| &earlier[place]);
        let failed_before = before.is_some_and(fails);
        let list = match item.class() {
            _ if fails(item) && failed_before => &mut against.still_failing,
            _ if fails(item) => &mut against.new_failures,
            Class::Passed if failed_before => &mut against.fixed,
            _ if failed_before => &mut against.without_verdict,
            _ => continue,
        };
        list.push(item.name.clone());
    }
    let gone = earlier.iter().enumerate().filter(|(place, _)| !partners.contains(&Some(*place)));
    against.gone = gone.map(|(_, item)| item.name.clone()).collect();
    against
}

fn fails(item: &Standing) -> bool {
    matches!(item.class(), Class::Failed | Class::Invalid)
}

/// For each item the place of the earlier one that it is.
fn partners(now: &[Standing], earlier: &[Standing]) -> Vec<Option<usize>> {
    type Key<'a> = (Option<&'a str>, Option<Digest>);
    let keys: [fn(&Standing) -> Key<'_>; 3] = [
        |item| (Some(&item.name), Some(item.content_sha256)),
        |item| (Some(&item.name), None),
        |item| (None, Some(item.content_sha256)),
    ];
    let mut partners = vec![None; now.len()];
    let mut met = vec![false; earlier.len()];
    for key in keys {
        let mut places: BTreeMap<Key<'_>, Vec<usize>> = BTreeMap::new();
        for (place, item) in earlier.iter().enumerate().filter(|(place, _)| !met[*place]).rev() {
            places.entry(key(item)).or_default().push(place);
        }
        for (item, partner) in now.iter().zip(&mut partners).filter(|(_, partner)| partner.is_none()) {
            *partner = places.get_mut(&key(item)).and_then(Vec::pop);
            if let Some(place) = *partner {
                met[place] = true;
            }
        }
    }
    partners
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::batch::item::{Content, Item};

    /// `name:content=code` each.
    fn batch(text: &str) -> Vec<Standing> {
        let item = |text: &str| {
            let (item, code) = text.split_once('=').unwrap();
            let (name, content) = item.split_once(':').unwrap();
            let item = Item { name: name.to_owned(), content: Content::Requirement(content.to_owned()) };
            Standing::without_run(&item, code.parse().unwrap(), None)
        };
        text.split_whitespace().map(item).collect()
    }

    #[test]
    fn failures_are_new_still_there_or_fixed() {
        // now, earlier, then new, still failing, fixed, without a verdict, gone
        let cases = [
            ("a:x=0", "a:x=0", ["", "", "", "", ""]),
            ("a:x=1", "a:x=0", ["a", "", "", "", ""]),
            ("a:x=1", "", ["a", "", "", "", ""]),
            ("a:x=5", "a:x=4", ["", "a", "", "", ""]),
            ("a:x=2", "a:x=2", ["", "a", "", "", ""]),
            ("a:x=0", "a:x=1", ["", "", "a", "", ""]),
            ("a:x=6", "a:x=1", ["", "", "", "a", ""]),
            ("a:x=130", "a:x=1", ["", "", "", "a", ""]),
            ("a:x=6", "a:x=0", ["", "", "", "", ""]),
            ("a:x=1", "a:x=6", ["a", "", "", "", ""]),
            ("", "a:x=1", ["", "", "", "", "a"]),
            // Worked on, renamed, both at once.
            ("a:y=0", "a:x=1", ["", "", "a", "", ""]),
            ("b:x=0", "a:x=1", ["", "", "b", "", ""]),
            ("b:y=0", "a:x=1", ["", "", "", "", "a"]),
            // Two of the same content keep to their names.
            ("a:x=1 b:x=0", "b:x=1 a:x=0", ["a", "", "b", "", ""]),
            ("c:x=1 a:x=1", "a:x=0 d:x=1", ["a", "c", "", "", ""]),
        ];
        for (now, earlier, expected) in cases {
            let found = join("e", &batch(now), &batch(earlier));
            let lists = [&found.new_failures, &found.still_failing, &found.fixed, &found.without_verdict, &found.gone];
            assert_eq!(lists.map(|list| list.join(" ")), expected, "{now} against {earlier}");
        }
    }
}

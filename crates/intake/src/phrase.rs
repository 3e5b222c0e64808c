//! The phrases of a pack: their notation, what each can mean, and the lexicon they are looked up in.
//!
//! A phrase may hold optional parts, `piece(s)`, and alternatives, `(a|one) bit`; both are spelled out when the pack
//! is read. Nothing here knows what a phrase is used for: that is the grammar's business.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;

/// What a word does in a sentence, whatever the game. The pack lists the words of each role per language.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Role {
    /// Adds nothing to the meaning: "please", "的".
    Filler,
    /// Strength without a number: "much". The step stays the documented one, and the answer says so.
    Emphasis,
    /// Joins two things: "and", "和".
    And,
    /// Starts another statement: "then", "但".
    Then,
    /// Ties a thing to the one before it: "'s", "的".
    Of,
    /// Marks a known thing: "the".
    Definite,
    /// Asks that something stays: "keep", "不变".
    Keep,
    /// Says that something still is as it is: "still", "仍".
    Still,
    /// Turns a word into its opposite: "not", "不要".
    Not,
    /// Asks for a change without saying which: "change", "改".
    Change,
    /// Leads to a new value or a new kind: "into", "换成".
    Become,
    /// Leads to a new number: "to", "到".
    To,
    /// Leads to a number as it stands: "at", "=".
    At,
    /// Leads to a difference: "by".
    By,
    /// Leads to the old number: "from", "从".
    From,
    /// Upper bound that includes its number: "at most", "不超过".
    AtMost,
    /// Lower bound that includes its number: "at least", "至少".
    AtLeast,
    /// Upper bound that excludes its number: "under", "低于".
    Under,
    /// Lower bound that excludes its number: "above", "高于".
    Over,
    /// Permits a looser limit in words: "allow", "就够".
    Allow,
    /// Complains: "too", "太".
    Too,
    /// Leads to a reason, which asks for nothing: "because", "因为".
    Because,
    /// Says by itself how things are: "is a mess", "躲不开".
    Remark,
    /// Leaves something out: "except", "除了".
    Except,
    /// What was not named so far: "the rest", "其他".
    Rest,
    /// Everything an element holds: "everything", "参数".
    Everything,
    /// Adds, removes or moves whole elements: "add", "删掉".
    Structure,
    /// Asks for a program: "script", "代码".
    Code,
    /// Yes and no for a field that is on or off.
    On,
    /// See `On`.
    Off,
    /// "%", "percent".
    Percent,
    /// A tenth: "成".
    Tenth,
    /// What remains in tenths: "折".
    Remains,
    /// A factor: "x", "times".
    Times,
    /// A factor that is read in two ways after a word of change: "倍".
    Multiple,
    /// Doubles: "double", "翻倍".
    Double,
    /// Halves: "halve", "减半".
    Halve,
    /// A measure word that says nothing about the unit: "个".
    Measure,
    /// The word for an element: "part", "部分".
    Element,
    /// The same, only glued to its number: "p".
    Glued,
    /// "第".
    Ordinal,
    /// A number of elements, not their place: "both", "两".
    Count,
    /// All elements.
    All,
    /// Before the word for an element the first one; before a number too, so many from the start.
    First,
    /// The last one; likewise.
    Last,
    /// The first element, in one phrase.
    TheFirst,
    /// The last element, in one phrase.
    TheLast,
    /// Each of several things alike: "各". Of one element it leaves open how many are meant.
    Each,
    /// Each of several elements in turn: "respectively", "分别".
    Respectively,
}

/// One meaning of a phrase.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Sense {
    /// A grammatical role.
    Role(Role),
    /// The name of a field or a limit; a hint is a weaker word that a better one overrules.
    Field { field: String, hint: bool },
    /// A value of a field with named values.
    Choice { field: String, value: Value },
    /// A value that such a field doesn't know.
    Unsupported { field: String },
    /// A direction.
    Direction(String),
    /// A unit.
    Unit(String),
    /// Whose field it is, where two things have one of the same name.
    Owner(String),
    /// A wish that no field can hold.
    Wish(String),
    /// An element, by its id or its name.
    Named(String),
}

impl Sense {
    /// Two senses of one kind would leave no rule to choose between them.
    fn rivals(&self, other: &Self) -> bool {
        let filler = |sense: &Self| matches!(sense, Self::Role(Role::Filler | Role::Emphasis));
        self != other
            && (filler(self) || filler(other) || std::mem::discriminant(self) == std::mem::discriminant(other))
            && !matches!((self, other), (Self::Role(a), Self::Role(b)) if Role::told_apart(*a, *b))
    }
}

impl Role {
    /// Pairs that the grammar tells apart by what stands around them.
    fn told_apart(a: Self, b: Self) -> bool {
        let pair = if a < b { (a, b) } else { (b, a) };
        matches!(
            pair,
            (Self::Change | Self::Structure | Self::Tenth, Self::Become)
                | (Self::Become, Self::Change | Self::Structure | Self::Tenth)
                | (Self::Structure, Self::Off)
                | (Self::Of, Self::At)
                | (Self::Then, Self::Except)
        )
    }
}

/// A node of the lexicon's tree; characters lead on.
#[derive(Debug, Clone, Default)]
struct Node {
    next: BTreeMap<char, usize>,
    senses: Vec<Sense>,
    key: String,
}

/// All phrases, found by their characters.
#[derive(Debug, Clone)]
pub(crate) struct Lexicon {
    nodes: Vec<Node>,
}

impl Default for Lexicon {
    fn default() -> Self {
        Self { nodes: vec![Node::default()] }
    }
}

impl Lexicon {
    /// Adds a phrase; `Err` holds the key of the rival meaning it already has.
    pub(crate) fn add(&mut self, phrase: &[char], sense: Sense, key: &str) -> Result<(), String> {
        let node = self.node_for(phrase);
        let Some(node) = self.nodes.get_mut(node) else { return Ok(()) };
        if node.senses.iter().any(|known| known.rivals(&sense)) {
            return Err(node.key.clone());
        }
        if !node.senses.contains(&sense) {
            node.senses.push(sense);
            key.clone_into(&mut node.key);
        }
        Ok(())
    }

    fn node_for(&mut self, phrase: &[char]) -> usize {
        let mut at = 0;
        for c in phrase {
            let fresh = self.nodes.len();
            let Some(node) = self.nodes.get_mut(at) else { return at };
            at = *node.next.entry(*c).or_insert(fresh);
            if at == fresh {
                self.nodes.push(Node::default());
            }
        }
        at
    }

    /// Every phrase at the start of `chars`: its length and its meanings, shorter ones first.
    pub(crate) fn phrases<'a>(&'a self, chars: &'a [char]) -> impl Iterator<Item = (usize, &'a [Sense])> {
        let mut at = Some(0);
        chars.iter().enumerate().map_while(move |(index, c)| {
            at = at.and_then(|node| self.nodes.get(node)).and_then(|node| node.next.get(c)).copied();
            at.and_then(|node| self.nodes.get(node)).map(|node| (index + 1, node.senses.as_slice()))
        })
    }
}

/// Spells out a phrase's optional parts and alternatives; `None` where its brackets don't match or it says too much.
pub(crate) fn spell_out(notation: &str) -> Option<Vec<String>> {
    const MOST: usize = 256;
    let mut spelled = vec![String::new()];
    let mut rest = notation;
    while let Some(open) = rest.find('(') {
        let (literal, tail) = rest.split_at(open);
        let close = tail.find(')')?;
        let group = tail.get(1..close)?;
        let mut choices: Vec<&str> = group.split('|').collect();
        if choices.len() == 1 {
            choices.push("");
        }
        if group.contains('(') || literal.contains(')') || spelled.len() * choices.len() > MOST {
            return None;
        }
        spelled = spelled
            .iter()
            .flat_map(|head| choices.iter().map(move |choice| format!("{head}{literal}{choice}")))
            .collect();
        rest = tail.get(close + 1..)?;
    }
    if rest.contains(')') {
        return None;
    }
    Some(spelled.into_iter().map(|head| format!("{head}{rest}")).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phrases_are_spelled_out() {
        let cases: &[(&str, Option<&[&str]>)] = &[
            ("plain", Some(&["plain"])),
            ("thing(s)", Some(&["things", "thing"])),
            ("(a|one) bit", Some(&["a bit", "one bit"])),
            ("(a|b|)c(d)", Some(&["acd", "ac", "bcd", "bc", "cd", "c"])),
            ("a(b", None),
            ("a)b", None),
            ("(a(b))", None),
        ];
        for (notation, expected) in cases {
            let expected = expected.map(|list| list.iter().map(ToString::to_string).collect::<Vec<_>>());
            assert_eq!(spell_out(notation), expected, "{notation}");
        }
    }

    #[test]
    fn rival_meanings_are_refused_and_different_ones_kept() {
        let mut lexicon = Lexicon::default();
        let phrase: Vec<char> = "last".chars().collect();
        lexicon.add(&phrase, Sense::Role(Role::Last), "grammar.last").unwrap();
        lexicon.add(&phrase, Sense::Field { field: "life".into(), hint: false }, "fields.life").unwrap();
        let rival = lexicon.add(&phrase, Sense::Field { field: "other".into(), hint: false }, "fields.other");
        assert_eq!(rival, Err("fields.life".to_owned()));
        let found: Vec<_> = lexicon.phrases(&phrase).filter(|(_, senses)| !senses.is_empty()).collect();
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].1.len(), 2);
    }
}

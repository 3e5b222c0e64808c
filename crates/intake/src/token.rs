//! Stage 2: characters become tokens: phrases, numbers, punctuation, and words nobody listed.
//!
//! Of all ways to cut a text into phrases, the one that leaves the fewest characters unexplained wins, then the one
//! with the fewest tokens, then the one with the longer phrase first. The time grows linearly with the text.

use crate::normalise::STOP;
use crate::number::{Numeral, numeral};
use crate::phrase::{Lexicon, Role, Sense};

/// A piece of the normalised text: what its phrase may mean, what number it is, or which mark.
///
/// A token with none of the three is text that nothing explains.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Token {
    pub(crate) senses: Vec<Sense>,
    pub(crate) number: Option<Numeral>,
    /// Punctuation that carries structure.
    pub(crate) mark: Option<char>,
    /// The characters `from..to` of the normalised text.
    pub(crate) from: usize,
    pub(crate) to: usize,
}

impl Token {
    /// Whether the token may play `role`.
    pub(crate) fn is(&self, role: Role) -> bool {
        self.senses.contains(&Sense::Role(role))
    }

    pub(crate) fn is_mark(&self, mark: char) -> bool {
        self.mark == Some(mark)
    }

    pub(crate) fn unknown(&self) -> bool {
        self.senses.is_empty() && self.number.is_none() && self.mark.is_none()
    }

    /// Its whole value as a count or a place, where it is one.
    pub(crate) fn whole(&self) -> Option<u32> {
        match self.number? {
            Numeral::Cardinal(value) => crate::number::whole(value),
            Numeral::Ordinal(value) => Some(value),
            _ => None,
        }
    }

    /// The unit it may be.
    pub(crate) fn unit(&self) -> Option<&str> {
        self.senses.iter().find_map(|sense| match sense {
            Sense::Unit(unit) => Some(unit.as_str()),
            _ => None,
        })
    }
}

const MARKS: &[char] = &[STOP, ',', '、', ':', '/', '+', '-', '~', '&'];

/// The cost of cutting a text from some place to its end.
type Cost = (u32, u32);

/// What to take at one place: a token, or nothing for white space, and the characters it takes.
type Step = (Option<Token>, usize);

/// Cuts normalised text into tokens.
pub(crate) fn tokenise(chars: &[char], lexicons: &[&Lexicon]) -> Vec<Token> {
    let steps = cheapest_steps(chars, lexicons);
    let mut tokens: Vec<Token> = Vec::new();
    let mut at = 0;
    while let Some((token, length)) = steps.get(at).cloned().flatten() {
        if let Some(token) = token {
            match tokens.last_mut() {
                // Neighbouring unexplained characters are one unexplained word.
                Some(last) if token.unknown() && last.unknown() && last.to == at => last.to = token.to,
                _ => tokens.push(token),
            }
        }
        at += length;
    }
    tokens
}

/// For each place, what to take there so that the rest of the text is cut best.
fn cheapest_steps(chars: &[char], lexicons: &[&Lexicon]) -> Vec<Option<Step>> {
    let mut costs: Vec<Cost> = vec![(0, 0); chars.len() + 1];
    let mut steps: Vec<Option<Step>> = vec![None; chars.len() + 1];
    for at in (0..chars.len()).rev() {
        // The longer option wins a tie, so that the cut is always the same.
        let chosen = options(chars, at, lexicons)
            .into_iter()
            .map(|(token, length, own)| {
                let after = costs.get(at + length).copied().unwrap_or_default();
                ((own.0 + after.0, own.1 + after.1), usize::MAX - length, token)
            })
            .min_by(|a, b| (a.0, a.1).cmp(&(b.0, b.1)));
        if let Some((cost, inverse, token)) = chosen
            && let (Some(slot), Some(step)) = (costs.get_mut(at), steps.get_mut(at))
        {
            *slot = cost;
            *step = Some((token, usize::MAX - inverse));
        }
    }
    steps
}

/// Everything that may be taken at one place, with its own cost.
fn options(chars: &[char], at: usize, lexicons: &[&Lexicon]) -> Vec<(Option<Token>, usize, Cost)> {
    let rest = chars.get(at..).unwrap_or_default();
    if rest.first() == Some(&' ') {
        return vec![(None, 1, (0, 0))];
    }
    let token = |length: usize| Token { from: at, to: at + length, ..Token::default() };
    let mut options: Vec<(Option<Token>, usize, Cost)> = Vec::new();
    // Of two options that are equal in all, the lexicon that comes first has it.
    for (length, senses) in lexicons.iter().flat_map(|lexicon| lexicon.phrases(rest)) {
        if !senses.is_empty() && on_boundary(chars, at, at + length) {
            options.push((Some(Token { senses: senses.to_vec(), ..token(length) }), length, (0, 1)));
        }
    }
    if let Some((number, length)) = numeral(rest).filter(|found| on_boundary(chars, at, at + found.1)) {
        // "second" is a number and a unit: one token that is both.
        match options.iter_mut().find(|option| option.1 == length) {
            Some((Some(phrase), ..)) => phrase.number = Some(number),
            _ => options.push((Some(Token { number: Some(number), ..token(length) }), length, (0, 1))),
        }
    }
    match rest.first() {
        Some(mark) if MARKS.contains(mark) => {
            if options.is_empty() {
                options.push((Some(Token { mark: Some(*mark), ..token(1) }), 1, (0, 1)));
            }
        }
        _ => {
            let length = unknown_length(rest);
            options.push((Some(token(length)), length, (u32::try_from(length).unwrap_or(u32::MAX), 1)));
        }
    }
    options
}

/// A Latin word is unknown as a whole, any other character by itself.
fn unknown_length(rest: &[char]) -> usize {
    rest.iter().take_while(|c| c.is_ascii_alphabetic()).count().max(1)
}

/// Latin words and digits are never cut in the middle.
fn on_boundary(chars: &[char], from: usize, to: usize) -> bool {
    let class = |index: Option<usize>| match index.and_then(|index| chars.get(index)) {
        Some(c) if c.is_ascii_alphabetic() => 1,
        Some(c) if c.is_ascii_digit() => 2,
        _ => 0,
    };
    let cut = |at: usize| {
        let (before, after) = (class(at.checked_sub(1)), class(Some(at)));
        before == 0 || before != after
    };
    cut(from) && cut(to)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(text: &str, phrases: &[&str]) -> Vec<String> {
        let mut lexicon = Lexicon::default();
        for phrase in phrases {
            lexicon.add(&phrase.chars().collect::<Vec<_>>(), Sense::Role(Role::Filler), phrase).unwrap();
        }
        let chars: Vec<char> = text.chars().collect();
        tokenise(&chars, &[&lexicon])
            .into_iter()
            .map(|token| {
                let text: String = chars[token.from..token.to].iter().collect();
                if token.unknown() { format!("?{text}") } else { text }
            })
            .collect()
    }

    #[test]
    fn the_cut_that_explains_most_wins() {
        assert_eq!(cut("一点五秒", &["一点", "秒"]), ["一点五", "秒"]);
        assert_eq!(cut("快一点", &["一点", "快"]), ["快", "一点"]);
        assert_eq!(cut("abcd", &["ab", "abc", "cd"]), ["?abcd"], "a Latin word is never cut");
        assert_eq!(cut("甲乙丙丁", &["甲乙", "甲乙丙", "丙丁"]), ["甲乙", "丙丁"], "not the greedy cut");
        assert_eq!(cut("p2快", &["p", "快"]), ["p", "2", "快"]);
        assert_eq!(cut("红色,x", &[]), ["?红色", ",", "?x"]);
    }
}

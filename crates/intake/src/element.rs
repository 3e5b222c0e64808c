//! Stage 3a: how a sentence names elements: "part 2", "第二、三部分", "the first two", "the square part", "all except P1".

use serde_json::Value;

use crate::phrase::{Role, Sense};
use crate::token::Token;

/// One way to name elements.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Reference {
    /// By its place, from 1.
    Place(u32),
    /// By its id or name.
    Id(String),
    /// So many from the start.
    First(u32),
    /// So many from the end.
    Last(u32),
    /// From one to another: "part 1 to part 3".
    Span(Box<Reference>, Box<Reference>),
    /// All of them.
    All,
    /// Those whose selector has this value now.
    Selected(Value),
    /// Those that nobody named; `word` says whether the word for an element stood with it.
    Rest {
        /// "the other parts" rather than "the rest".
        word: bool,
    },
}

/// Elements as a sentence names them.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Elements {
    pub(crate) named: Vec<Reference>,
    pub(crate) except: Vec<Reference>,
}

/// Reads element names from tokens.
pub(crate) struct Reader<'t> {
    pub(crate) tokens: &'t [Token],
    /// The field whose present value can name an element.
    pub(crate) selector: Option<&'t str>,
    /// How many elements there are.
    pub(crate) total: usize,
    /// The normalised text.
    pub(crate) chars: &'t [char],
}

impl Reader<'_> {
    /// The elements named at `at` and the token after them.
    pub(crate) fn read(&self, at: usize) -> Option<(Elements, usize)> {
        if self.is(at, Role::Except) {
            return self.all_but(at);
        }
        // "everything but part 1": all the others.
        if self.is(at, Role::Everything)
            && self.is(at + 1, Role::Except)
            && let Some((except, next)) = self.left_out(self.skip_soft(at + 2))
        {
            return Some((Elements { named: vec![Reference::All], except }, next));
        }
        let (named, mut next) = self.list(at)?;
        let mut elements = Elements { named, except: Vec::new() };
        if elements.named.iter().any(|one| matches!(one, Reference::All | Reference::Rest { .. }))
            && let Some((except, after)) =
                Some(next).filter(|it| self.is(*it, Role::Except)).and_then(|it| self.left_out(self.skip_soft(it + 1)))
        {
            elements.except = except;
            next = after;
        }
        Some((elements, next))
    }

    /// "除了第一部分，其他部分", "except part 1, all".
    fn all_but(&self, at: usize) -> Option<(Elements, usize)> {
        let (except, mut next) = self.list(at + 1)?;
        let closed = self.is(next, Role::Except);
        next += usize::from(closed);
        let comma = self.mark(next, ',');
        next += usize::from(comma);
        if let Some((others, after)) = self.list(next)
            && others.iter().all(|one| matches!(one, Reference::All | Reference::Rest { .. }))
        {
            return Some((Elements { named: vec![Reference::All], except }, after));
        }
        // "除第二部分都不动"; a "but" that opens a statement is none of this.
        let kept = self.is(next, Role::Keep) && !self.is(at, Role::Then);
        (closed || comma || kept).then(|| (Elements { named: vec![Reference::All], except }, next))
    }

    /// What is left out; "all but the last" needs no word for an element.
    fn left_out(&self, at: usize) -> Option<(Vec<Reference>, usize)> {
        let ends = self.tokens.get(at + 1).is_none_or(|next| next.mark.is_some());
        let end = |role, reference: Reference| (ends && self.is(at, role)).then(|| (vec![reference], at + 1));
        self.list(at).or_else(|| end(Role::Last, Reference::Last(1))).or_else(|| end(Role::First, Reference::First(1)))
    }

    /// Names that are joined: "part 1 and the last part".
    fn list(&self, at: usize) -> Option<(Vec<Reference>, usize)> {
        let (mut named, mut next) = self.one(at)?;
        if let Some((last, after)) = self.end_of_span(next)
            && let Some(first) = named.pop()
        {
            named.push(Reference::Span(Box::new(first), Box::new(last)));
            next = after;
        }
        while let Some(after) = self.joint(next).or_else(|| self.comma_of_a_list(next)) {
            let Some((more, end)) = self.one(self.skip_soft(after)) else { break };
            if more.iter().any(|one| matches!(one, Reference::Rest { .. })) {
                break;
            }
            named.extend(more);
            next = end;
        }
        Some((named, next))
    }

    /// The name that a span leads to.
    fn end_of_span(&self, at: usize) -> Option<(Reference, usize)> {
        let leads = self.is(at, Role::To) || self.mark(at, '-') || self.mark(at, '~');
        let (mut named, next) = leads.then(|| self.one(at + 1)).flatten()?;
        let last = named.pop().filter(|last| matches!(last, Reference::Place(_) | Reference::Id(_)))?;
        named.is_empty().then_some((last, next))
    }

    /// A comma belongs to a list of names where "and" and another name follow.
    fn comma_of_a_list(&self, at: usize) -> Option<usize> {
        let (_, next) = self.mark(at, ',').then(|| self.one(at + 1)).flatten()?;
        let after = self.joint(next).or_else(|| self.comma_of_a_list(next))?;
        self.one(after).map(|_| at + 1)
    }

    fn one(&self, at: usize) -> Option<(Vec<Reference>, usize)> {
        let token = self.tokens.get(at)?;
        if let Some(id) = token.senses.iter().find_map(|sense| match sense {
            Sense::Named(id) => Some(id.clone()),
            _ => None,
        }) {
            // A name may be followed by the word for what it names.
            let mut next = self.word(at + 1).filter(|next| self.number(*next).is_none()).unwrap_or(at + 1);
            let mut named = vec![Reference::Id(id)];
            // An id that ends in a number opens a list of numbers: "part_1 and 3".
            if self.text(at).ends_with(|last: char| last.is_ascii_digit()) {
                self.more_places(&mut named, &mut next);
            }
            return Some((named, next));
        }
        if token.is(Role::Rest) {
            let next = self.skip_count(self.skip_soft(at + 1));
            return Some(match self.word(next) {
                Some(after) => (vec![Reference::Rest { word: true }], after),
                None => (vec![Reference::Rest { word: false }], at + 1),
            });
        }
        // "every part" and "all parts 10% up", but not "every 0.6 s".
        let counts = self.tokens.get(at + 1).is_some_and(|next| next.number.is_some())
            && ![Role::Percent, Role::Times, Role::Tenth].iter().any(|role| self.is(at + 2, *role));
        if token.is(Role::All) && !counts {
            let next = self.skip_count(self.skip_soft(at + 1));
            return Some((vec![Reference::All], self.word(next).unwrap_or(at + 1)));
        }
        self.numbered(at).or_else(|| self.places(at)).or_else(|| self.selected(at))
    }

    /// "part 2", "P2", "parts 1, 2 and 3", "parts 1-3".
    fn numbered(&self, at: usize) -> Option<(Vec<Reference>, usize)> {
        let glued = self.is(at, Role::Glued) && self.tokens.get(at)?.to == self.tokens.get(at + 1)?.from;
        if !glued && !self.is(at, Role::Element) {
            return None;
        }
        let (first, mut next) = self.place(at + 1)?;
        let mut places = vec![first];
        if let Some(last) = self.range_end(next).filter(|last| *last > first && *last - first < 20) {
            places.extend(first + 1..=last);
            next += 2;
        }
        let mut named = places.into_iter().map(Reference::Place).collect();
        self.more_places(&mut named, &mut next);
        Some((named, next))
    }

    /// Reads on in a list of bare numbers.
    fn more_places(&self, named: &mut Vec<Reference>, next: &mut usize) {
        while let Some((place, after)) = self.next_place(*next) {
            named.push(Reference::Place(place));
            *next = after;
        }
    }

    /// Another bare number of a list: not one that counts something.
    fn next_place(&self, at: usize) -> Option<(u32, usize)> {
        let after = self.joint(at).or_else(|| {
            let more = self.mark(at, ',').then(|| self.next_is_place(at + 1)).flatten()?;
            self.next_place(more).map(|_| at + 1)
        })?;
        let next = self.next_is_place(after)?;
        // "part 1 and 3 parts": the number opens a list of its own.
        Some((self.number(after)?, next))
    }

    fn next_is_place(&self, at: usize) -> Option<usize> {
        let place = self.number(at).filter(|place| (1..100).contains(place)).map(|_| at + 1)?;
        let counts = self.tokens.get(place).is_some_and(|token| {
            token.unit().is_some()
                || [Role::Percent, Role::Times, Role::Multiple, Role::Tenth, Role::Remains, Role::Measure]
                    .iter()
                    .any(|role| token.is(*role))
        });
        (!counts).then_some(place)
    }

    fn range_end(&self, at: usize) -> Option<u32> {
        (self.mark(at, '-') || self.mark(at, '~')).then(|| self.number(at + 1)).flatten()
    }

    /// "第二、三部分", "the first and last parts", "最后两个部分", "第一段到…".
    fn places(&self, at: usize) -> Option<(Vec<Reference>, usize)> {
        let mut named = Vec::new();
        let mut next = at;
        loop {
            let (reference, after, whole) = self.ordinal(next)?;
            named.push(reference);
            if let Some(end) = self.word(after).filter(|_| !whole) {
                return Some((named, end));
            }
            if let (Some(last), Some(Reference::Place(first))) = (self.range_end(after), named.last().cloned()) {
                let end = self.word(after + 2).filter(|_| last > first && last - first < 20)?;
                named.extend((first + 1..=last).map(Reference::Place));
                return Some((named, end));
            }
            // "第二到第四部分"
            if self.is(after, Role::To)
                && let Some((last, end, _)) = self.ordinal(after + 1)
                && let Some(end) = self.word(end)
                && let Some(first) = named.pop()
            {
                named.push(Reference::Span(Box::new(first), Box::new(last)));
                return Some((named, end));
            }
            if self.next_digit(after - 1) {
                next = after;
                continue;
            }
            match self.joint(after) {
                Some(more)
                    if !whole
                        || self.ordinal(more).is_some_and(|(_, end, whole)| whole || self.word(end).is_some()) =>
                {
                    next = more;
                }
                _ if whole => return Some((named, after)),
                _ => return None,
            }
        }
    }

    /// One member of such a list; the last value says that it needs no word for an element after it.
    fn ordinal(&self, at: usize) -> Option<(Reference, usize, bool)> {
        let token = self.tokens.get(at)?;
        for (role, whole, from_start) in [
            (Role::TheFirst, true, true),
            (Role::TheLast, true, false),
            (Role::First, false, true),
            (Role::Last, false, false),
        ] {
            if token.is(role) {
                let reference = |count| if from_start { Reference::First(count) } else { Reference::Last(count) };
                return Some(match self.number(at + 1).filter(|_| !whole) {
                    Some(count) => (reference(count), at + 2, false),
                    None => (reference(1), at + 1, whole),
                });
            }
        }
        let marked = token.is(Role::Ordinal);
        let at = at + usize::from(marked);
        let place = self.number(at)?;
        // "二三部分", "第一二部分": digits in a row are a list.
        if self.next_digit(at) {
            return Some((Reference::Place(place), at + 1, false));
        }
        let ordinal = matches!(self.tokens.get(at)?.number, Some(crate::number::Numeral::Ordinal(_)));
        if ordinal
            && place == 1
            && let Some(count) = self.number(at + 1)
        {
            return Some((Reference::First(count), at + 2, false));
        }
        // "两段" and "三个部分" count elements, "二部分" and "第三个部分" name one.
        let counting = !marked && !ordinal && (self.text(at) == "两" || self.text(at + 1).starts_with('个'));
        if counting {
            return (place as usize == self.total && self.word(at + 1).is_some()).then_some((
                Reference::All,
                at + 1,
                false,
            ));
        }
        Some((Reference::Place(place), at + 1, false))
    }

    /// "the square part", "square 和 round 两段".
    fn selected(&self, at: usize) -> Option<(Vec<Reference>, usize)> {
        let mut named = Vec::new();
        let mut next = at;
        loop {
            named.push(Reference::Selected(self.choice(next)?));
            let after = self.skip_count(self.skip_soft(next + 1));
            if let Some(end) = self.word(after) {
                // "round part 3" names a part by its number.
                return self.number(end).is_none().then_some((named, end));
            }
            next = self.skip_soft(self.joint(next + 1)?);
        }
    }

    fn choice(&self, at: usize) -> Option<Value> {
        self.tokens.get(at)?.senses.iter().find_map(|sense| match sense {
            Sense::Choice { field, value } if Some(field.as_str()) == self.selector => Some(value.clone()),
            _ => None,
        })
    }

    /// "both", "两", "the two": how many, said of elements already named.
    fn skip_count(&self, at: usize) -> usize {
        let counted = self.is(at, Role::Count) || (self.number(at).is_some() && self.word(at + 1).is_some());
        at + usize::from(counted)
    }

    fn skip_soft(&self, at: usize) -> usize {
        let soft = |at: usize| [Role::Of, Role::Definite].iter().any(|role| self.is(at, *role));
        (at..self.tokens.len()).find(|at| !soft(*at)).unwrap_or(self.tokens.len())
    }

    /// The token after the word for an element at `at`.
    fn word(&self, at: usize) -> Option<usize> {
        self.is(at, Role::Element).then_some(at + 1)
    }

    fn place(&self, at: usize) -> Option<(u32, usize)> {
        self.number(at).map(|place| (place, at + 1))
    }

    /// The token after something that joins a list.
    fn joint(&self, at: usize) -> Option<usize> {
        (self.is(at, Role::And) || ['、', '/', '&', '+'].iter().any(|mark| self.mark(at, *mark))).then_some(at + 1)
    }

    /// Whether a digit that is a character of its own is followed at once by the next higher one: "二三".
    fn next_digit(&self, at: usize) -> bool {
        let digit = |at: usize| {
            let alone = self.text(at).chars().count() == 1 && !self.text(at).is_ascii();
            self.number(at).filter(|_| alone)
        };
        let touches =
            self.tokens.get(at).zip(self.tokens.get(at + 1)).is_some_and(|(token, next)| token.to == next.from);
        touches && digit(at).zip(digit(at + 1)).is_some_and(|(one, next)| next == one + 1)
    }

    fn number(&self, at: usize) -> Option<u32> {
        self.tokens.get(at)?.whole()
    }

    fn is(&self, at: usize, role: Role) -> bool {
        self.tokens.get(at).is_some_and(|token| token.is(role))
    }

    fn mark(&self, at: usize, mark: char) -> bool {
        self.tokens.get(at).is_some_and(|token| token.is_mark(mark))
    }

    fn text(&self, at: usize) -> String {
        self.tokens
            .get(at)
            .and_then(|token| self.chars.get(token.from..token.to))
            .map_or_else(String::new, |chars| chars.iter().collect())
    }
}

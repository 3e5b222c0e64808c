//! Numbers as people write them: digits, Chinese numerals, English number words, ordinals, fractions, percentages.
//!
//! These belong to the languages, not to a game, so they are code. Units are pack data and are read elsewhere.

/// A number and what kind of number it is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Numeral {
    /// "16", "三点五", "eighteen".
    Cardinal(f64),
    /// "单", "single": a number only where a unit follows.
    Bare(u32),
    /// "second", "3rd".
    Ordinal(u32),
    /// "三分之一", "two thirds".
    Fraction(f64),
    /// "百分之十五"; a percent sign after digits is a phrase of the pack.
    Percent(f64),
}

const ENGLISH: &[(&str, u32)] = &[
    ("zero", 0),
    ("once", 1),
    ("twice", 2),
    ("one", 1),
    ("two", 2),
    ("three", 3),
    ("four", 4),
    ("five", 5),
    ("six", 6),
    ("seven", 7),
    ("eight", 8),
    ("nine", 9),
    ("ten", 10),
    ("eleven", 11),
    ("twelve", 12),
    ("thirteen", 13),
    ("fourteen", 14),
    ("fifteen", 15),
    ("sixteen", 16),
    ("seventeen", 17),
    ("eighteen", 18),
    ("nineteen", 19),
    ("twenty", 20),
    ("thirty", 30),
    ("forty", 40),
    ("fifty", 50),
    ("sixty", 60),
    ("seventy", 70),
    ("eighty", 80),
    ("ninety", 90),
];

const ORDINALS: &[&str] =
    &["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"];

const PARTS: &[(&str, f64)] = &[
    ("half", 2.0),
    ("third", 3.0),
    ("thirds", 3.0),
    ("quarter", 4.0),
    ("quarters", 4.0),
    ("fifth", 5.0),
    ("fifths", 5.0),
    ("tenth", 10.0),
    ("tenths", 10.0),
];

/// The number at the start of `chars` and how many characters it takes.
pub(crate) fn numeral(chars: &[char]) -> Option<(Numeral, usize)> {
    match chars.first()? {
        c if c.is_ascii_digit() || *c == '.' => digits(chars),
        c if c.is_ascii_alphabetic() => english(chars),
        _ => chinese(chars),
    }
}

/// "1200", "1,200", "0.75", ".5", "3rd".
fn digits(chars: &[char]) -> Option<(Numeral, usize)> {
    let mut text = String::new();
    let mut at = 0;
    let mut dotted = false;
    while let Some(&c) = chars.get(at) {
        let digit_after = |offset: usize| chars.get(at + offset).is_some_and(char::is_ascii_digit);
        if c.is_ascii_digit() {
            text.push(c);
        } else if c == '.' && !dotted && digit_after(1) {
            dotted = true;
            text.push(c);
        } else if c == ',' && !dotted && (1..=3).contains(&text.len()) && (1..=3).all(digit_after) && !digit_after(4) {
            // A thousands separator: the next three characters are digits and the fourth is not.
        } else {
            break;
        }
        at += 1;
    }
    let value: f64 = text.parse().ok().filter(|value: &f64| value.is_finite())?;
    let suffix: String = chars.iter().skip(at).take_while(|c| c.is_ascii_alphabetic()).take(3).collect();
    if !dotted && matches!(suffix.as_str(), "st" | "nd" | "rd" | "th") {
        return whole(value).map(|value| (Numeral::Ordinal(value), at + 2));
    }
    Some((Numeral::Cardinal(value), at))
}

/// A small whole number.
pub(crate) fn whole(value: f64) -> Option<u32> {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the range is checked first")]
    ((0.0..1e6).contains(&value) && value.fract() == 0.0).then_some(value as u32)
}

/// The word of Latin letters at `at`.
fn word(chars: &[char], at: usize) -> String {
    chars.iter().skip(at).take_while(|c| c.is_ascii_alphabetic()).take(20).collect()
}

/// "eighteen", "twenty five", "three hundred and fifty", "three point five", "second", "two thirds", "a third".
fn english(chars: &[char]) -> Option<(Numeral, usize)> {
    let first = word(chars, 0);
    if first == "single" {
        return Some((Numeral::Bare(1), first.len()));
    }
    if let Some(position) = ORDINALS.iter().position(|word| *word == first) {
        return Some((Numeral::Ordinal(u32::try_from(position).ok()? + 1), first.len()));
    }
    if first == "half" {
        return Some((Numeral::Fraction(0.5), 4));
    }
    let (count, length) = if first == "a" { (1.0, 1) } else { english_cardinal(chars)? };
    let next = word(chars, length + 1);
    if chars.get(length) == Some(&' ')
        && let Some((_, parts)) = PARTS.iter().find(|(word, _)| *word == next)
        && count < *parts
    {
        return Some((Numeral::Fraction(count / parts), length + 1 + next.len()));
    }
    (first != "a").then_some((Numeral::Cardinal(count), length))
}

fn english_cardinal(chars: &[char]) -> Option<(f64, usize)> {
    let lookup = |word: &str| ENGLISH.iter().find(|(name, _)| *name == word).map(|(_, value)| f64::from(*value));
    let mut length = 0;
    let mut total = 0.0;
    let mut last: Option<f64> = None;
    loop {
        let joined = if length == 0 { 0 } else { length + 1 };
        let mut next = word(chars, joined);
        let mut start = joined;
        if next == "and" && total >= 100.0 {
            start = joined + 4;
            next = word(chars, start);
        }
        if next.is_empty() || (length > 0 && chars.get(length) != Some(&' ')) {
            break;
        }
        match lookup(&next) {
            // "twenty five" goes on, "five twenty" does not.
            Some(value) if last.is_none_or(|last| (last >= 20.0 && value < 10.0 && value > 0.0) || last >= 100.0) => {
                total += value;
                last =
                    Some(if last.is_some_and(|last| last >= 100.0) && value >= 20.0 { value } else { value.max(0.0) });
            }
            _ if next == "hundred" && last.is_some_and(|last| last < 10.0) && total < 10.0 => {
                total *= 100.0;
                last = Some(100.0);
            }
            _ => break,
        }
        length = start + next.len();
    }
    last?;
    let mut scale = 0.1;
    if word(chars, length + 1) == "point" {
        let mut at = length + 6;
        while let Some(digit) = lookup(&word(chars, at + 1)).filter(|digit| *digit < 10.0) {
            total += digit * scale;
            scale /= 10.0;
            at += 1 + word(chars, at + 1).len();
            length = at;
        }
    }
    Some((tidy(total), length))
}

/// Rounds away what adding tenths leaves behind.
fn tidy(value: f64) -> f64 {
    (value * 1e6).round() / 1e6
}

fn han_digit(c: char) -> Option<f64> {
    let value = match c {
        '零' | '〇' => 0,
        '一' | '壹' => 1,
        '二' | '两' | '贰' => 2,
        '三' | '叁' => 3,
        '四' => 4,
        '五' => 5,
        '六' => 6,
        '七' => 7,
        '八' => 8,
        '九' => 9,
        _ => return None,
    };
    Some(f64::from(value))
}

fn han_scale(c: char) -> Option<f64> {
    Some(match c {
        '十' => 10.0,
        '百' => 100.0,
        '千' => 1000.0,
        '万' => 10_000.0,
        _ => return None,
    })
}

/// "十二", "三百五", "三点五", "三分之一", "百分之十五", "百分之 15".
fn chinese(chars: &[char]) -> Option<(Numeral, usize)> {
    let hundredths = chars.starts_with(&['百', '分', '之']);
    let (whole_part, mut length) = match chars {
        ['一', '半', ..] => return Some((Numeral::Fraction(0.5), 2)),
        ['单', ..] => return Some((Numeral::Bare(1), 1)),
        ['双', ..] => return Some((Numeral::Bare(2), 1)),
        ['半', ..] => return Some((Numeral::Fraction(0.5), 1)),
        ['百', '分', '之', ..] => (100.0, 1),
        _ => han_integer(chars)?,
    };
    if chars.get(length..length + 2) == Some(&['分', '之']) {
        let rest = chars.get(length + 2..)?;
        let space = usize::from(rest.first() == Some(&' '));
        let rest = rest.get(space..)?;
        let (value, used) = match digits(rest) {
            Some((Numeral::Cardinal(value), used)) => (value, used),
            _ => han_decimal(rest)?,
        };
        let taken = length + 2 + space + used;
        return Some(if hundredths {
            (Numeral::Percent(value), taken)
        } else if whole_part > 0.0 && value < whole_part {
            (Numeral::Fraction(value / whole_part), taken)
        } else {
            return None;
        });
    }
    let value = han_decimal(chars).map_or(whole_part, |(value, used)| {
        length = used;
        value
    });
    Some((Numeral::Cardinal(value), length))
}

/// An integer with decimals after 点.
fn han_decimal(chars: &[char]) -> Option<(f64, usize)> {
    let (mut value, mut length) = han_integer(chars)?;
    let mut scale = 0.1;
    if chars.get(length) == Some(&'点') {
        let mut first = true;
        while let Some(digit) = chars.get(length + usize::from(first)).copied().and_then(han_digit) {
            length += 1 + usize::from(first);
            first = false;
            value += digit * scale;
            scale /= 10.0;
        }
    }
    Some((tidy(value), length))
}

fn han_integer(chars: &[char]) -> Option<(f64, usize)> {
    let (mut total, mut digit, mut length) = (0.0, None, 0);
    let mut last_scale = f64::INFINITY;
    while let Some(&c) = chars.get(length) {
        if let Some(value) = han_digit(c) {
            if digit.is_some_and(|digit| digit != 0.0) {
                break;
            }
            digit = Some(value);
        } else if let Some(scale) = han_scale(c).filter(|scale| *scale < last_scale) {
            let times = match digit {
                Some(digit) => digit,
                None if scale < 100.0 => 1.0,
                None => return None,
            };
            total += times * scale;
            digit = None;
            last_scale = scale;
        } else {
            break;
        }
        length += 1;
    }
    if length == 0 {
        return None;
    }
    let after_zero = length >= 2 && chars.get(length - 2).copied().and_then(han_digit) == Some(0.0);
    // 三百五 is 350, 三百零五 is 305, 十五 is 15.
    let tail_scale = if last_scale.is_finite() && last_scale >= 100.0 && !after_zero { last_scale / 10.0 } else { 1.0 };
    Some((total + digit.unwrap_or(0.0) * tail_scale, length))
}

#[cfg(test)]
mod tests {
    use super::*;
    use Numeral::{Cardinal, Fraction, Ordinal, Percent};

    #[test]
    fn numbers_in_both_languages() {
        let cases: &[(&str, Numeral, usize)] = &[
            ("16 x", Cardinal(16.0), 2),
            ("1,200ms", Cardinal(1200.0), 5),
            ("1, 200", Cardinal(1.0), 1),
            ("0.75.", Cardinal(0.75), 4),
            (".5", Cardinal(0.5), 2),
            ("3rd x", Ordinal(3), 3),
            ("十", Cardinal(10.0), 1),
            ("十二发", Cardinal(12.0), 2),
            ("二十", Cardinal(20.0), 2),
            ("九十颗", Cardinal(90.0), 2),
            ("一百二十", Cardinal(120.0), 4),
            ("三百五", Cardinal(350.0), 3),
            ("三百零五", Cardinal(305.0), 4),
            ("一千二", Cardinal(1200.0), 3),
            ("三点五秒", Cardinal(3.5), 3),
            ("零点二五", Cardinal(0.25), 4),
            ("一点", Cardinal(1.0), 1),
            ("两层", Cardinal(2.0), 1),
            ("三分之一", Fraction(1.0 / 3.0), 4),
            ("百分之十五", Percent(15.0), 5),
            ("百分之 12.5", Percent(12.5), 8),
            ("eighteen", Cardinal(18.0), 8),
            ("twenty five x", Cardinal(25.0), 11),
            ("three hundred and fifty", Cardinal(350.0), 23),
            ("two hundred", Cardinal(200.0), 11),
            ("three point two five", Cardinal(3.25), 20),
            ("two thirds", Fraction(2.0 / 3.0), 10),
            ("a third", Fraction(1.0 / 3.0), 7),
            ("three quarters", Fraction(0.75), 14),
            ("second", Ordinal(2), 6),
            ("一半", Fraction(0.5), 2),
            ("half", Fraction(0.5), 4),
        ];
        for (text, expected, length) in cases {
            let chars: Vec<char> = text.chars().collect();
            assert_eq!(numeral(&chars), Some((*expected, *length)), "{text}");
        }
        for text in ["a", "abc", "百", "点", "", "and"] {
            assert_eq!(numeral(&text.chars().collect::<Vec<_>>()), None, "{text}");
        }
    }
}

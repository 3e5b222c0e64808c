//! Rounding as people do it on paper: on decimal digits, half to even.
//!
//! A product such as `1.1 * 2.25` is 2.4750000000000005 as a double, while its author sees 2.475. Numbers are
//! therefore read to 14 significant digits first, which drops the noise of a few operations, and the half is decided
//! on those digits.

use std::cmp::Ordering;

/// Decimals that `round_dec` accepts.
const MOST_DIGITS: f64 = 12.0;

/// The nearest whole number; a half goes to the even one (`8.5` to 8, `9.5` to 10).
pub fn round_even(x: f64) -> Result<f64, &'static str> {
    round_dec(x, 0.0)
}

/// The nearest number with so many decimals (0 to 12); a half goes to the even digit (`2.475` to 2.48, `2.485` to 2.48).
pub fn round_dec(x: f64, digits: f64) -> Result<f64, &'static str> {
    if !x.is_finite() {
        return Err("only a finite number can be rounded");
    }
    if !(0.0..=MOST_DIGITS).contains(&digits) || digits.fract() != 0.0 {
        return Err("the number of decimals must be a whole number from 0 to 12");
    }
    // `d.ddddde-3`: 14 significant digits, correctly rounded by the formatter.
    let written = format!("{:.13e}", x.abs());
    let Some((mantissa, exponent)) = written.split_once('e') else { return Ok(x) };
    let Ok(exponent) = exponent.parse::<i32>() else { return Ok(x) };
    let figures: Vec<u8> = mantissa.bytes().filter(u8::is_ascii_digit).map(|byte| byte - b'0').collect();
    #[expect(clippy::cast_possible_truncation, reason = "checked to be a whole number from 0 to 12")]
    let digits = digits as i32;
    // The figures before this position stay: one for the unit digit, more for the exponent and the decimals.
    let kept = 1 + exponent + digits;
    let Ok(kept) = usize::try_from(kept) else { return Ok(0.0) };
    if kept >= figures.len() {
        return Ok(x);
    }
    let (keep, drop) = figures.split_at(kept);
    let up = match half(drop) {
        Ordering::Less => false,
        Ordering::Greater => true,
        Ordering::Equal => keep.last().is_some_and(|last| last % 2 == 1),
    };
    // At most 14 digits: exact as an integer, and its decimal text is read back as the closest double.
    let whole = keep.iter().fold(0_u64, |whole, figure| whole * 10 + u64::from(*figure)) + u64::from(up);
    let rounded = format!("{whole}e{}", -digits).parse::<f64>().unwrap_or(x);
    // No negative zero.
    Ok(if x < 0.0 && rounded != 0.0 { -rounded } else { rounded })
}

/// How the dropped figures compare with a half.
fn half(figures: &[u8]) -> Ordering {
    match figures.split_first() {
        None => Ordering::Less,
        Some((first, rest)) => {
            first.cmp(&5).then(if rest.iter().any(|figure| *figure > 0) { Ordering::Greater } else { Ordering::Equal })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn halves_go_to_the_even_digit_of_the_decimal_form() {
        #[rustfmt::skip]
        let cases: &[(f64, f64, f64)] = &[
            (3.6 * 0.85, 2.0, 3.06), (3.06 * 0.85, 2.0, 2.6), (4.0 * 1.15, 2.0, 4.6), (4.6 * 0.85, 2.0, 3.91),
            (1.1 * 2.25, 2.0, 2.48), (2.485, 2.0, 2.48), (2.675, 2.0, 2.68), (2.665, 2.0, 2.66), (1.005, 2.0, 1.0),
            (8.5, 0.0, 8.0), (9.5, 0.0, 10.0), (0.5, 0.0, 0.0), (1.5, 0.0, 2.0), (-2.5, 0.0, -2.0), (-0.4, 0.0, 0.0),
            (99.999, 2.0, 100.0), (0.05, 0.0, 0.0), (0.05, 1.0, 0.0), (0.051, 1.0, 0.1), (1234.0, 0.0, 1234.0),
            (1e300, 2.0, 1e300), (5e-324, 2.0, 0.0), (0.1 + 0.2, 12.0, 0.3), (700.0 * 1.2, 0.0, 840.0),
        ];
        for (x, digits, expected) in cases {
            let rounded = round_dec(*x, *digits).unwrap();
            assert_eq!(rounded.to_bits(), expected.to_bits(), "{x} to {digits} decimals gave {rounded}");
        }
    }

    #[test]
    fn odd_requests_are_refused() {
        for (x, digits) in
            [(f64::NAN, 0.0), (f64::INFINITY, 0.0), (1.0, -1.0), (1.0, 13.0), (1.0, 0.5), (1.0, f64::NAN)]
        {
            assert!(round_dec(x, digits).is_err(), "{x} {digits}");
        }
    }

    proptest! {
        #[test]
        fn rounding_is_stable_and_close(x in -1e9_f64..1e9, digits in 0_u8..=4) {
            let digits = f64::from(digits);
            let once = round_dec(x, digits).unwrap();
            prop_assert_eq!(round_dec(once, digits).unwrap().to_bits(), once.to_bits());
            prop_assert!((once - x).abs() <= 0.5 * 10_f64.powf(-digits) + x.abs() * 1e-13);
        }
    }
}

//! Numbers as people read them, and the ticks of an axis.

/// A number without noise: at most four decimals, no trailing zeros, no negative zero; a dash where there is none.
pub fn figure(number: f64) -> String {
    if !number.is_finite() {
        return "–".to_owned();
    }
    let fixed = format!("{number:.4}");
    let short = fixed.trim_end_matches('0').trim_end_matches('.');
    if short == "-0" { "0".to_owned() } else { short.to_owned() }
}

/// An axis from a round number to a round number.
#[derive(Debug, Clone, PartialEq)]
pub struct Ticks {
    /// Where the axis begins.
    pub low: f64,
    /// Where it ends; always above `low`.
    pub high: f64,
    /// The ticks, from `low` to `high`.
    pub at: Vec<f64>,
}

impl Ticks {
    /// An axis over `low..=high` with about `wanted` intervals of 1, 2 or 5 times a power of ten.
    pub fn over(low: f64, high: f64, wanted: u32) -> Self {
        let (low, high) = if low.is_finite() && high.is_finite() && low <= high { (low, high) } else { (0.0, 1.0) };
        let spread = high - low;
        let (low, high) = if spread > 0.0 && spread.is_finite() { (low, high) } else { (low - 0.5, low + 0.5) };
        let step = round_step((high - low) / f64::from(wanted.max(1)));
        // Multiples of the step, so that the ticks carry no error that adds up.
        let (first, last) = ((low / step + 1e-9).floor(), (high / step - 1e-9).ceil());
        let mut at = Vec::new();
        let mut multiple = first;
        while multiple <= last && at.len() < 64 {
            at.push(multiple * step);
            multiple += 1.0;
        }
        Self { low: first * step, high: last.max(first + 1.0) * step, at }
    }

    /// Where a value stands on the axis, as a part of its length.
    pub fn part(&self, value: f64) -> f64 {
        (value - self.low) / (self.high - self.low)
    }
}

fn round_step(rough: f64) -> f64 {
    let power = 10_f64.powf(rough.log10().floor());
    let lead = rough / power;
    let round = [1.0, 2.0, 5.0].into_iter().find(|round| lead <= round * 1.000_001);
    round.unwrap_or(10.0) * power
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn figures_read_plainly() {
        let cases = [
            (36.0, "36"),
            (59.155_08, "59.1551"),
            (2.60, "2.6"),
            (-0.000_01, "0"),
            (-1.5, "-1.5"),
            (100.0, "100"),
            (f64::NAN, "–"),
            (f64::INFINITY, "–"),
        ];
        for (number, expected) in cases {
            assert_eq!(figure(number), expected);
        }
    }

    #[test]
    fn ticks_are_round() {
        let read = |ticks: Ticks| ticks.at.into_iter().map(figure).collect::<Vec<_>>().join(" ");
        let cases = [
            (0.0, 36.0, 6, "0 10 20 30 40"),
            (0.0, 350.0, 5, "0 100 200 300 400"),
            (0.0, 1.0, 5, "0 0.2 0.4 0.6 0.8 1"),
            (-3.0, 4.0, 5, "-4 -2 0 2 4"),
            (5.0, 5.0, 4, "4.5 5 5.5"),
        ];
        for (low, high, wanted, expected) in cases {
            assert_eq!(read(Ticks::over(low, high, wanted)), expected, "{low}..{high}");
        }
    }

    proptest! {
        #[test]
        fn an_axis_holds_its_values(low in -1e9..1e9_f64, spread in 0.0..1e9_f64, wanted in 1..12_u32) {
            let ticks = Ticks::over(low, low + spread, wanted);
            prop_assert!(ticks.low < ticks.high);
            prop_assert!(ticks.part(low) > -1e-6 && ticks.part(low + spread) < 1.0 + 1e-6);
            prop_assert!(ticks.at.len() >= 2 && ticks.at.len() <= 16);
        }
    }
}

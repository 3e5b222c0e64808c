//! The difference of two sides in words.

use loopwright_configs::Text;

use crate::model::{Distribution, Interval};
use crate::numbers::figure;
use crate::statistics::{directions, paired_difference};
use crate::words::unit_after;

/// The confidence of an interval nobody asked otherwise about.
const LEVEL: f64 = 0.95;

/// The interval to show: the caller's, or the computed one; `None` where the sides cannot be paired.
pub(crate) fn interval(block: &Distribution) -> Option<Interval> {
    block.difference.clone().or_else(|| paired_difference(&block.baseline, &block.candidate, LEVEL))
}

/// The paired difference as a sentence; `None` where the sides cannot be paired.
pub(crate) fn sentence(block: &Distribution) -> Option<Text> {
    let interval = interval(block)?;
    let [smaller, equal, larger] = directions(&block.baseline, &block.candidate)?;
    let pairs = smaller + equal + larger;
    let Interval { mean, low, high, level, method } = interval;
    let [mean, low, high] = [mean, low, high].map(|value| signed(round(value)));
    let (level, unit) = (figure(level * 100.0), unit_after(block.axis.unit.as_ref()));
    Some(Text::new(
        format!(
            "Candidate − baseline: {mean}{} on average, {level} % interval {low} to {high} ({}). Of {pairs} pairs, the \
             candidate's value is smaller in {smaller}, equal in {equal}, larger in {larger}.",
            unit.en, method.en
        ),
        format!(
            "候选 − 基线：平均 {mean}{}，{level}% 区间 {low} 至 {high}（{}）。{pairs} 对中，候选值较小 {smaller} 对，\
             相等 {equal} 对，较大 {larger} 对。",
            unit.zh, method.zh
        ),
    ))
}

fn signed(value: f64) -> String {
    let plain = figure(value.abs());
    match value {
        _ if plain == "0" => plain,
        value if value < 0.0 => format!("−{plain}"),
        _ => format!("+{plain}"),
    }
}

/// Two decimals say enough about a sample.
pub(crate) fn round(value: f64) -> f64 {
    (value * 100.0).round() / 100.0
}

//! What many values say together. Everything here is deterministic: equal values give equal answers.

use loopwright_configs::Text;

use crate::model::Interval;
use crate::numbers::{Ticks, figure};

/// How many resamples [`paired_difference`] draws.
pub const RESAMPLES: usize = 10_000;

/// The seed of the resampling, so that a report can be made again byte for byte.
const SEED: u64 = 0x9E37_79B9_7F4A_7C15;

/// The percentile `part` (0 to 1) of values, interpolated between neighbours; `None` without values.
///
/// This is the common definition that spreadsheets and numerical libraries use by default (Hyndman and Fan's type 7).
/// Values that are not finite are left out.
pub fn percentile(values: &[f64], part: f64) -> Option<f64> {
    percentile_of_sorted(&sorted(values), part)
}

/// A side in a few figures.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Summary {
    /// How many values there are.
    pub count: usize,
    /// Their mean.
    pub mean: f64,
    /// The percentiles 0, 10, 25, 50, 75, 90 and 100.
    pub percentiles: [f64; 7],
}

impl Summary {
    /// The parts that `percentiles` stands for.
    pub const PARTS: [f64; 7] = [0.0, 0.1, 0.25, 0.5, 0.75, 0.9, 1.0];

    /// Sums values up; `None` without finite ones.
    pub fn of(values: &[f64]) -> Option<Self> {
        let sorted = sorted(values);
        let mut percentiles = [0.0; 7];
        for (place, part) in percentiles.iter_mut().zip(Self::PARTS) {
            *place = percentile_of_sorted(&sorted, part)?;
        }
        Some(Self { count: sorted.len(), mean: mean(&sorted), percentiles })
    }
}

/// The mean of `candidate - baseline` over pairs, with a bootstrap interval; `None` for fewer than two pairs or for
/// sides of unequal length.
///
/// The pairs' differences are resampled with replacement [`RESAMPLES`] times and the interval is cut from the sorted
/// means (the percentile method), because differences of counts are lumpy and far from normal. Where all differences
/// are equal the interval is a point: the sample then says nothing about spread. The resampling's seed is fixed.
pub fn paired_difference(baseline: &[f64], candidate: &[f64], level: f64) -> Option<Interval> {
    let differences = differences(baseline, candidate)?;
    if differences.len() < 2 {
        return None;
    }
    let mut random = SplitMix(SEED);
    let mut means: Vec<f64> = (0..RESAMPLES)
        .map(|_| {
            let drawn = (0..differences.len()).map(|_| differences[random.below(differences.len())]);
            drawn.sum::<f64>() / count(differences.len())
        })
        .collect();
    means.sort_by(f64::total_cmp);
    let tail = (1.0 - level.clamp(0.0, 1.0)) / 2.0;
    Some(Interval {
        mean: mean(&differences),
        low: percentile_of_sorted(&means, tail)?,
        high: percentile_of_sorted(&means, 1.0 - tail)?,
        level,
        method: Text::new(
            format!("paired bootstrap over {} pairs, {RESAMPLES} resamples, percentile method", differences.len()),
            format!("按 {} 对配对的自助法，重抽样 {RESAMPLES} 次，百分位区间", differences.len()),
        ),
    })
}

/// In how many pairs the candidate's value is smaller, equal and larger; `None` where the sides cannot be paired.
pub fn directions(baseline: &[f64], candidate: &[f64]) -> Option<[usize; 3]> {
    let differences = differences(baseline, candidate)?;
    let of = |keep: fn(&f64) -> bool| differences.iter().filter(|difference| keep(difference)).count();
    Some([of(|d| *d < 0.0), of(|d| *d == 0.0), of(|d| *d > 0.0)])
}

/// Both sides counted into the same bins.
#[derive(Debug, Clone, PartialEq)]
pub struct Histogram {
    /// The bins' edges, one more than there are bins. A bin holds its lower edge; the last one holds both.
    pub edges: Vec<f64>,
    /// How many values of the baseline fall into each bin.
    pub baseline: Vec<usize>,
    /// How many values of the candidate do.
    pub candidate: Vec<usize>,
    /// Whether every bin holds a single whole number, its lower edge plus a half.
    pub whole: bool,
}

impl Histogram {
    /// Counts both sides; `None` without finite values. Few whole numbers get a bin each.
    pub fn of(baseline: &[f64], candidate: &[f64]) -> Option<Self> {
        let all = sorted(&[baseline, candidate].concat());
        let (low, high) = (*all.first()?, *all.last()?);
        let whole = high - low <= 24.0 && all.iter().all(|value| value.fract() == 0.0);
        let edges = if whole {
            let mut edges = vec![low - 0.5];
            while edges.last().is_some_and(|edge| *edge < high) {
                edges.push(edges[edges.len() - 1] + 1.0);
            }
            edges
        } else {
            Ticks::over(low, high, 16).at
        };
        let counted = |values: &[f64]| {
            let mut bins = vec![0; edges.len().saturating_sub(1)];
            for value in sorted(values) {
                let above = edges.partition_point(|edge| *edge <= value);
                let last = bins.len().saturating_sub(1);
                if let Some(bin) = bins.get_mut(above.saturating_sub(1).min(last)) {
                    *bin += 1;
                }
            }
            bins
        };
        Some(Self { baseline: counted(baseline), candidate: counted(candidate), edges, whole })
    }

    /// What bin `index` holds, as people read it.
    pub fn name(&self, index: usize) -> String {
        let (low, high) = (self.edges[index], self.edges[index + 1]);
        if self.whole { figure(low + 0.5) } else { format!("{} – {}", figure(low), figure(high)) }
    }
}

fn differences(baseline: &[f64], candidate: &[f64]) -> Option<Vec<f64>> {
    (baseline.len() == candidate.len() && !baseline.is_empty()).then_some(())?;
    let pairs = baseline.iter().zip(candidate);
    Some(pairs.map(|(before, after)| after - before).filter(|difference| difference.is_finite()).collect())
}

fn sorted(values: &[f64]) -> Vec<f64> {
    let mut sorted: Vec<f64> = values.iter().copied().filter(|value| value.is_finite()).collect();
    sorted.sort_by(f64::total_cmp);
    sorted
}

#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "places in a list are small and never negative"
)]
fn percentile_of_sorted(sorted: &[f64], part: f64) -> Option<f64> {
    let place = part.clamp(0.0, 1.0) * sorted.len().checked_sub(1)? as f64;
    let (below, above) = (sorted[place.floor() as usize], sorted[place.ceil() as usize]);
    Some(below + (above - below) * place.fract())
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / count(values.len())
}

#[expect(clippy::cast_precision_loss, reason = "counts of values are far below 2^53")]
fn count(length: usize) -> f64 {
    length as f64
}

/// Steele, Lea and Flood's `SplitMix64`: small, seedable, good enough to draw places in a list.
struct SplitMix(u64);

impl SplitMix {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    #[expect(clippy::cast_possible_truncation, reason = "the product's upper half is below `limit`")]
    fn below(&mut self, limit: usize) -> usize {
        ((u128::from(self.next()) * limit as u128) >> 64) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn percentiles_interpolate() {
        let values = [4.0, 1.0, 3.0, 2.0, f64::NAN];
        for (part, expected) in [(0.0, 1.0), (0.5, 2.5), (0.25, 1.75), (1.0, 4.0), (2.0, 4.0)] {
            assert_eq!(percentile(&values, part), Some(expected));
        }
        assert_eq!(percentile(&[], 0.5), None);
        let summary = Summary::of(&values).unwrap();
        assert_eq!((summary.count, summary.mean), (4, 2.5));
    }

    #[test]
    fn the_generator_is_the_published_one() {
        // The first outputs for the seed 1234567, as the algorithm's reference implementation prints them.
        let mut random = SplitMix(1_234_567);
        assert_eq!([random.next(), random.next()], [6_457_827_717_110_365_317, 3_203_168_211_198_807_973]);
    }

    #[test]
    fn an_interval_is_near_the_normal_one_and_never_moves() {
        let baseline: Vec<f64> = (0..64).map(|i| f64::from(i % 7)).collect();
        let candidate: Vec<f64> = (0..64).map(|i| f64::from(i % 7) + f64::from(i % 5) - 1.0).collect();
        let interval = paired_difference(&baseline, &candidate, 0.95).unwrap();
        let differences: Vec<f64> = candidate.iter().zip(&baseline).map(|(after, before)| after - before).collect();
        let spread = differences.iter().map(|d| (d - interval.mean).powi(2)).sum::<f64>() / 64.0;
        let half = 1.96 * (spread / 64.0).sqrt();
        assert!((interval.low - (interval.mean - half)).abs() < 0.03, "{interval:?} {half}");
        assert!((interval.high - (interval.mean + half)).abs() < 0.03, "{interval:?} {half}");
        assert_eq!(Some(interval), paired_difference(&baseline, &candidate, 0.95));
    }

    #[test]
    fn what_cannot_be_paired_has_no_interval() {
        assert_eq!(paired_difference(&[1.0, 2.0], &[1.0], 0.95), None);
        assert_eq!(paired_difference(&[1.0], &[2.0], 0.95), None);
        assert_eq!(directions(&[], &[]), None);
        assert_eq!(directions(&[1.0, 2.0, 3.0], &[0.0, 2.0, 9.0]), Some([1, 1, 1]));
        let same = paired_difference(&[1.0, 1.0], &[3.0, 3.0], 0.95).unwrap();
        assert_eq!([same.low, same.mean, same.high].map(figure), ["2", "2", "2"]);
    }

    #[test]
    fn whole_numbers_get_a_bin_each() {
        let histogram = Histogram::of(&[0.0, 0.0, 2.0], &[1.0, 3.0]).unwrap();
        assert_eq!(histogram.baseline, [2, 0, 1, 0]);
        assert_eq!(histogram.candidate, [0, 1, 0, 1]);
        assert_eq!(histogram.name(3), "3");
        let alone = Histogram::of(&[7.0], &[]).unwrap();
        assert_eq!((alone.baseline, alone.candidate), (vec![1], vec![0]));
    }

    proptest! {
        #[test]
        fn a_histogram_loses_nothing(
            baseline in prop::collection::vec(-1e6..1e6_f64, 0..80),
            candidate in prop::collection::vec(-50.0..50.0_f64, 1..80),
        ) {
            let histogram = Histogram::of(&baseline, &candidate).unwrap();
            prop_assert_eq!(histogram.baseline.iter().sum::<usize>(), baseline.len());
            prop_assert_eq!(histogram.candidate.iter().sum::<usize>(), candidate.len());
        }
    }
}

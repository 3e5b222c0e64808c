//! The random numbers of the players: `SplitMix64`, as Steele, Lea and Flood published it (OOPSLA 2014).
//!
//! Its state is a counter, so that the seed of player 200 is known without drawing the 199 before it.

/// The golden ratio in 64 bits, odd: the published increment.
const GAMMA: u64 = 0x9e37_79b9_7f4a_7c15;

/// A small generator whose whole state is one number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SplitMix64 {
    state: u64,
}

impl SplitMix64 {
    /// The generator of a seed; every seed is as good as any other.
    pub fn new(seed: u64) -> Self {
        Self { state: seed }
    }

    /// The next 64 bits.
    pub fn next_u64(&mut self) -> u64 {
        self.state = self.state.wrapping_add(GAMMA);
        mix(self.state)
    }

    /// A number from `low` to below `high`, evenly spread: the upper 53 bits of one draw.
    #[expect(clippy::cast_precision_loss, reason = "53 bits fit into an f64")]
    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        let share = (self.next_u64() >> 11) as f64 / (1_u64 << 53) as f64;
        low + share * (high - low)
    }
}

/// The draw number `index`, from 0, of the generator of a seed.
pub fn nth(seed: u64, index: u32) -> u64 {
    mix(seed.wrapping_add(GAMMA.wrapping_mul(u64::from(index) + 1)))
}

fn mix(mut bits: u64) -> u64 {
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_published_test_vector() {
        // The first five outputs for seed 1234567 of the reference implementation.
        let expected = [
            6_457_827_717_110_365_317,
            3_203_168_211_198_807_973,
            9_817_491_932_198_370_423,
            4_593_380_528_125_082_431,
            16_408_922_859_458_223_821,
        ];
        let mut generator = SplitMix64::new(1_234_567);
        assert_eq!([(); 5].map(|()| generator.next_u64()), expected);
        assert_eq!([0, 1, 2, 3, 4].map(|index| nth(1_234_567, index)), expected);
        assert_eq!(SplitMix64::new(0).next_u64(), 0xe220_a839_7b1d_cdaf);
    }

    #[test]
    fn numbers_are_spread_over_their_range() {
        let mut generator = SplitMix64::new(3);
        let mut tenths = [0_u32; 10];
        for _ in 0..10_000 {
            let number = generator.between(-1.0, 1.0);
            assert!((-1.0..1.0).contains(&number));
            let tenth = (0..10).find(|&tenth| number < -1.0 + 0.2 * f64::from(tenth + 1)).unwrap_or(9);
            tenths[usize::try_from(tenth).unwrap()] += 1;
        }
        assert!(tenths.iter().all(|&count| (850..1150).contains(&count)), "{tenths:?}");
    }
}

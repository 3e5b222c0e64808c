//! What calls cost.

use serde::{Deserialize, Serialize};

use crate::answer::Usage;

/// Money for a million tokens, in millionths of the price list's currency.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Price {
    /// For tokens of requests.
    pub input_micros: u64,
    /// For tokens of answers.
    pub output_micros: u64,
}

/// What a call took, or counts as having taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Bill {
    /// Tokens in and out.
    pub tokens: u64,
    /// Money, in millionths; nothing where there is no price.
    pub cost_micros: Option<u64>,
    /// Whether the server did not say, so that the most it can have been is counted.
    pub estimated: bool,
}

impl Price {
    /// What some tokens cost, rounded up to whole millionths.
    pub fn cost_micros(&self, usage: Usage) -> u64 {
        let million = 1_000_000_u128;
        let input = u128::from(usage.input_tokens) * u128::from(self.input_micros);
        let output = u128::from(usage.output_tokens) * u128::from(self.output_micros);
        u64::try_from(input.saturating_add(output).div_ceil(million)).unwrap_or(u64::MAX)
    }
}

impl Bill {
    /// The bill for what a server says it took.
    pub fn for_usage(usage: Usage, price: Option<Price>) -> Self {
        Self { tokens: usage.total(), cost_micros: price.map(|price| price.cost_micros(usage)), estimated: false }
    }

    /// The bill where nobody says what it took: the most it can have been.
    pub fn for_most(most: Usage, price: Option<Price>) -> Self {
        Self { estimated: true, ..Self::for_usage(most, price) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn money_is_rounded_up() {
        let price = Price { input_micros: 150_000, output_micros: 600_000 };
        let usage = |input_tokens, output_tokens| Usage { input_tokens, output_tokens };
        assert_eq!(price.cost_micros(usage(0, 0)), 0);
        assert_eq!(price.cost_micros(usage(1, 0)), 1);
        assert_eq!(price.cost_micros(usage(1_000_000, 1_000_000)), 750_000);
        assert_eq!(Bill::for_most(usage(10, 10), None), Bill { tokens: 20, cost_micros: None, estimated: true });
        let huge = Price { input_micros: u64::MAX, output_micros: u64::MAX };
        assert_eq!(huge.cost_micros(usage(u64::MAX, u64::MAX)), u64::MAX);
    }
}

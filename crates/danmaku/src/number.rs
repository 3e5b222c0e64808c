//! Conversions between the number types of the contract, the simulation and the telemetry.

/// The nearest `f32`; the simulation's state is held in single precision.
#[expect(clippy::cast_possible_truncation, reason = "rounding to single precision is the purpose")]
pub(crate) fn single(value: f64) -> f32 {
    value as f32
}

/// The figure as telemetry publishes it: four decimals.
pub(crate) fn published(value: f64) -> f64 {
    (value * 1e4).round() / 1e4
}

/// A count as a `u32`; every count of a fight is far below its limit.
pub(crate) fn count(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}

/// The nearest whole number from 0 to 255.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the value is clamped first")]
pub(crate) fn byte(value: f32) -> u8 {
    value.round().clamp(0.0, 255.0) as u8
}

//! Modelled frame times: a headless fight draws nothing, so its FPS figures come from a device profile.
//!
//! A profile is data of whoever runs the simulator; none is built in.

use serde::{Deserialize, Serialize};

/// How long a device takes for a frame: `max(1000 / fps_cap, base_ms + ms_per_alive * alive)` milliseconds.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Figures", into = "Figures")]
pub struct DeviceProfile(Figures);

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Figures {
    name: String,
    fps_cap: f64,
    base_ms: f64,
    ms_per_alive: f64,
}

/// Why a profile was refused.
#[derive(Debug, PartialEq, thiserror::Error)]
pub enum ProfileError {
    /// The profile has no name.
    #[error("name: a device profile needs a name, since its figures are published under it")]
    Unnamed,
    /// A figure is not in its range.
    #[error("{field}: {actual} is no frame time model; use a value from {low} to {high}")]
    OutOfBounds {
        /// The figure's name.
        field: &'static str,
        /// Its value.
        actual: f64,
        /// The least that works.
        low: f64,
        /// The greatest that works.
        high: f64,
    },
}

impl DeviceProfile {
    /// A profile of a device; times are in milliseconds.
    pub fn new(name: &str, fps_cap: f64, base_ms: f64, ms_per_alive: f64) -> Result<Self, ProfileError> {
        Figures { name: name.to_owned(), fps_cap, base_ms, ms_per_alive }.try_into()
    }

    /// The name under which its figures are published.
    pub fn name(&self) -> &str {
        &self.0.name
    }

    /// The modelled time of a frame that shows some bullets, in milliseconds. More bullets never take less.
    pub fn frame_ms(&self, alive: u32) -> f64 {
        let Figures { fps_cap, base_ms, ms_per_alive, .. } = self.0;
        (1000.0 / fps_cap).max(base_ms + ms_per_alive * f64::from(alive))
    }
}

impl TryFrom<Figures> for DeviceProfile {
    type Error = ProfileError;

    fn try_from(figures: Figures) -> Result<Self, ProfileError> {
        if figures.name.trim().is_empty() {
            return Err(ProfileError::Unnamed);
        }
        let rows = [
            ("fps_cap", figures.fps_cap, 1.0, 1000.0),
            ("base_ms", figures.base_ms, 0.0, 1000.0),
            ("ms_per_alive", figures.ms_per_alive, 0.0, 1000.0),
        ];
        for (field, actual, low, high) in rows {
            if !(low..=high).contains(&actual) {
                return Err(ProfileError::OutOfBounds { field, actual, low, high });
            }
        }
        Ok(Self(figures))
    }
}

impl From<DeviceProfile> for Figures {
    fn from(profile: DeviceProfile) -> Self {
        profile.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_model_fits_the_published_runs() {
        let desktop = DeviceProfile::new("reference-desktop", 60.0, 14.19, 0.01444).unwrap();
        for (alive, fps) in [(0, 60.0), (70, 60.0), (198, 58.65), (430, 49.0)] {
            let modelled = 1000.0 / desktop.frame_ms(alive);
            assert!((modelled - fps).abs() < 0.03, "{alive} alive: {modelled}");
        }
    }

    #[test]
    fn only_a_model_that_gives_times_is_read() {
        let good = json!({"name": "d", "fps_cap": 60, "base_ms": 14.19, "ms_per_alive": 0.01444});
        let profile: DeviceProfile = serde_json::from_value(good.clone()).unwrap();
        assert_eq!(profile.name(), "d");
        for (field, bad) in [
            ("name", json!(" ")),
            ("fps_cap", json!(0)),
            ("base_ms", json!(-1)),
            ("ms_per_alive", json!(1e300)),
            ("extra", json!(1)),
        ] {
            let mut document = good.clone();
            document[field] = bad;
            let refusal = serde_json::from_value::<DeviceProfile>(document).unwrap_err();
            assert!(refusal.to_string().contains(field), "{refusal}");
        }
    }
}

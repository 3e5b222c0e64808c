//! The bullets alive, as a structure of arrays: moving them, judging them, and closing the gaps.
//!
//! Bullets stay in emission order. Nothing here allocates once the capacity given at the start is reserved.

/// What a step did to a bullet; 0 is alive. A word as wide as the coordinates, so that the loop vectorises.
pub(crate) type Fate = u32;
/// The bullet touches the player.
pub(crate) const TOUCHED: Fate = 1;
/// The bullet's lifetime is over.
pub(crate) const EXPIRED: Fate = 2;
/// The bullet is outside the arena.
pub(crate) const OUTSIDE: Fate = 4;

/// What a step judges bullets by.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Surroundings {
    pub(crate) dt: f32,
    pub(crate) player: [f32; 2],
    pub(crate) hit_radius_squared: f32,
    pub(crate) bounds: [f32; 2],
}

/// All bullets alive, one array for each of their properties.
#[derive(Debug)]
pub(crate) struct Bullets {
    x: Vec<f32>,
    z: Vec<f32>,
    step_x: Vec<f32>,
    step_z: Vec<f32>,
    lifetime: Vec<f32>,
    serial: Vec<u32>,
    fate: Vec<Fate>,
}

impl Bullets {
    pub(crate) fn with_capacity(capacity: usize) -> Self {
        Self {
            x: Vec::with_capacity(capacity),
            z: Vec::with_capacity(capacity),
            step_x: Vec::with_capacity(capacity),
            step_z: Vec::with_capacity(capacity),
            lifetime: Vec::with_capacity(capacity),
            serial: Vec::with_capacity(capacity),
            fate: Vec::with_capacity(capacity),
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.x.len()
    }

    /// To the right, and upwards.
    pub(crate) fn positions(&self) -> [&[f32]; 2] {
        [&self.x, &self.z]
    }

    /// Units per step, to the right and upwards.
    pub(crate) fn steps(&self) -> [&[f32]; 2] {
        [&self.step_x, &self.step_z]
    }

    pub(crate) fn serials(&self) -> &[u32] {
        &self.serial
    }

    /// Adds a bullet that moves by `step` in each step.
    pub(crate) fn push(&mut self, serial: u32, position: [f32; 2], step: [f32; 2], lifetime: f32) {
        self.x.push(position[0]);
        self.z.push(position[1]);
        self.step_x.push(step[0]);
        self.step_z.push(step[1]);
        self.lifetime.push(lifetime);
        self.serial.push(serial);
        self.fate.push(0);
    }

    /// Moves every bullet by one step and judges it; answers whether any is gone.
    pub(crate) fn advance(&mut self, around: &Surroundings) -> bool {
        let Surroundings { dt, player: [player_x, player_z], hit_radius_squared, bounds: [bound_x, bound_z] } = *around;
        let n = self.x.len();
        // Slices of one length let the compiler drop the bounds checks and vectorise the loop.
        let (x, z) = (&mut self.x[..n], &mut self.z[..n]);
        let (step_x, step_z) = (&self.step_x[..n], &self.step_z[..n]);
        let (lifetime, fate) = (&mut self.lifetime[..n], &mut self.fate[..n]);
        let mut any = 0;
        for i in 0..n {
            x[i] += step_x[i];
            z[i] += step_z[i];
            lifetime[i] -= dt;
            let (dx, dz) = (x[i] - player_x, z[i] - player_z);
            let touched = Fate::from(dx * dx + dz * dz <= hit_radius_squared);
            let expired = Fate::from(lifetime[i] <= 0.0);
            let outside = Fate::from(x[i].abs() > bound_x) | Fate::from(z[i].abs() > bound_z);
            fate[i] = (touched * TOUCHED) | (expired * EXPIRED) | (outside * OUTSIDE);
            any |= fate[i];
        }
        any != 0
    }

    /// Calls `gone` with serial, position and fate of each bullet that is gone, in emission order, and removes it.
    pub(crate) fn remove_gone(&mut self, mut gone: impl FnMut(u32, [f32; 2], Fate)) {
        let n = self.len();
        let mut kept = 0;
        for i in 0..n {
            if self.fate[i] != 0 {
                gone(self.serial[i], [self.x[i], self.z[i]], self.fate[i]);
                continue;
            }
            if kept != i {
                self.x[kept] = self.x[i];
                self.z[kept] = self.z[i];
                self.step_x[kept] = self.step_x[i];
                self.step_z[kept] = self.step_z[i];
                self.lifetime[kept] = self.lifetime[i];
                self.serial[kept] = self.serial[i];
            }
            kept += 1;
        }
        self.x.truncate(kept);
        self.z.truncate(kept);
        self.step_x.truncate(kept);
        self.step_z.truncate(kept);
        self.lifetime.truncate(kept);
        self.serial.truncate(kept);
        // The fates of the next step are written before they are read.
        self.fate.truncate(kept);
    }

    /// The capacities of all arrays, which show whether any was ever reallocated.
    #[cfg(test)]
    pub(crate) fn capacities(&self) -> [usize; 7] {
        [
            self.x.capacity(),
            self.z.capacity(),
            self.step_x.capacity(),
            self.step_z.capacity(),
            self.lifetime.capacity(),
            self.serial.capacity(),
            self.fate.capacity(),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const AROUND: Surroundings =
        Surroundings { dt: 0.25, player: [0.0, 0.0], hit_radius_squared: 0.25, bounds: [4.0, 6.0] };

    #[test]
    fn each_ending_has_its_fate_and_the_rest_keep_their_order() {
        let mut bullets = Bullets::with_capacity(8);
        bullets.push(0, [2.0, 2.0], [0.5, 0.0], 1.0);
        bullets.push(1, [1.0, 0.0], [-0.5, 0.0], 1.0);
        bullets.push(2, [3.0, 3.0], [0.0, 0.0], 0.25);
        bullets.push(3, [4.0, 0.0], [0.5, 0.0], 0.25);
        bullets.push(4, [0.0, -6.0], [0.0, -0.5], 1.0);
        bullets.push(5, [4.0, -6.0], [0.0, 0.0], 1.0);
        assert!(bullets.advance(&AROUND));
        let mut gone = Vec::new();
        bullets.remove_gone(|serial, position, fate| gone.push((serial, position, fate)));
        let expected = [
            (1, [0.5, 0.0], TOUCHED),
            (2, [3.0, 3.0], EXPIRED),
            (3, [4.5, 0.0], EXPIRED | OUTSIDE),
            (4, [0.0, -6.5], OUTSIDE),
        ];
        assert_eq!(gone, expected);
        assert_eq!(bullets.serials(), [0, 5]);
        assert_eq!(bullets.positions(), [&[2.5, 4.0][..], &[2.0, -6.0][..]]);
        assert!(!bullets.advance(&AROUND), "the two that are left go on");
    }
}

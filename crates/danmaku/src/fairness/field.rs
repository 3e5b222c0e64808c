//! A field of cells over the arena as bits: which of them are taken, and how a set of them spreads.

use std::ops::Range;

use crate::config::Scenario;
use crate::number::{count, single};

/// The geometry of a field.
#[derive(Debug, Clone, Copy)]
pub(super) struct Field {
    pub(super) columns: u32,
    pub(super) rows: u32,
    /// Words in a row.
    words: usize,
    /// Width and height of a cell, in world units; the same but for rounding.
    pub(super) cell: [f32; 2],
    half: [f32; 2],
}

impl Field {
    /// Cells of about `cell` units, larger where a side would have more than `most` of them.
    pub(super) fn new(scenario: &Scenario, cell: f64, most: f64) -> Self {
        let size = [scenario.arena_width, scenario.arena_height].map(|length| length.max(cell));
        let cell = cell.max(size[0] / most).max(size[1] / most);
        let [columns, rows] = size.map(|length| whole(single((length / cell).ceil())));
        let words = usize::try_from(columns.div_ceil(64)).unwrap_or(1);
        let side = |length: f64, cells: u32| single(length / f64::from(cells));
        Self {
            columns,
            rows,
            words,
            cell: [side(size[0], columns), side(size[1], rows)],
            half: size.map(|length| single(length / 2.0)),
        }
    }

    /// Words of a whole set.
    pub(super) fn len(&self) -> usize {
        self.words * usize::try_from(self.rows).unwrap_or(0)
    }

    /// The cell that holds a point, or the one nearest to it.
    pub(super) fn cell_at(&self, [x, z]: [f32; 2]) -> [u32; 2] {
        let column = whole((x + self.half[0]) / self.cell[0]).min(self.columns - 1);
        [column, whole((z + self.half[1]) / self.cell[1]).min(self.rows - 1)]
    }

    pub(super) fn centre(&self, [column, row]: [u32; 2]) -> [f32; 2] {
        let middle = |cell: u32, axis: usize| (single(f64::from(cell)) + 0.5) * self.cell[axis] - self.half[axis];
        [middle(column, 0), middle(row, 1)]
    }

    pub(super) fn insert(&self, set: &mut [u64], [column, row]: [u32; 2]) {
        let row = usize::try_from(row).unwrap_or(0) * self.words;
        if let Some(word) = set.get_mut(row + usize::try_from(column / 64).unwrap_or(0)) {
            *word |= 1 << (column % 64);
        }
    }

    /// The cells of a set, row by row.
    pub(super) fn cells(&self, set: &[u64]) -> impl Iterator<Item = [u32; 2]> {
        let rows = (0..).zip(set.chunks(self.words));
        rows.flat_map(move |(row, words)| {
            (0..self.columns).filter_map(move |column| {
                let word = words.get(usize::try_from(column / 64).unwrap_or(0))?;
                (word >> (column % 64) & 1 == 1).then_some([column, row])
            })
        })
    }

    /// Adds all cells that lie wholly within `radius` of a point.
    pub(super) fn cover(&self, set: &mut [u64], point: [f32; 2], radius: f32) {
        if point[0].abs() > self.half[0] + radius || point[1].abs() > self.half[1] + radius {
            return;
        }
        let low = self.cell_at([point[0] - radius, point[1] - radius]);
        let high = self.cell_at([point[0] + radius, point[1] + radius]);
        for row in low[1]..=high[1] {
            for column in low[0]..=high[0] {
                let centre = self.centre([column, row]);
                // The corner that is furthest away decides.
                let away = |axis: usize| (centre[axis] - point[axis]).abs() + self.cell[axis] / 2.0;
                let (dx, dz) = (away(0), away(1));
                if dx * dx + dz * dz <= radius * radius {
                    self.insert(set, [column, row]);
                }
            }
        }
    }

    /// The rows at most some rows away from a cell.
    pub(super) fn rows_around(&self, [_, row]: [u32; 2], away: u32) -> Range<usize> {
        let (low, high) = (row.saturating_sub(away), (row + away + 1).min(self.rows));
        usize::try_from(low).unwrap_or(0)..usize::try_from(high).unwrap_or(0)
    }

    /// Writes into `wider` all cells of `set` and their eight neighbours, within some rows that hold all of them.
    pub(super) fn spread(&self, set: &[u64], wider: &mut [u64], rows: Range<usize>) {
        let beyond = self.columns % 64;
        let last = if beyond == 0 { u64::MAX } else { (1 << beyond) - 1 };
        wider[rows.start * self.words..rows.end * self.words].fill(0);
        for row in rows.clone() {
            let start = row * self.words;
            // To the sides first, then up and down.
            for word in 0..self.words {
                let here = set[start + word];
                let from_left = if word > 0 { set[start + word - 1] >> 63 } else { 0 };
                let from_right = if word + 1 < self.words { set[start + word + 1] << 63 } else { 0 };
                let mut wide = here | here << 1 | here >> 1 | from_left | from_right;
                if word + 1 == self.words {
                    wide &= last;
                }
                if wide == 0 {
                    continue;
                }
                wider[start + word] |= wide;
                if row > rows.start {
                    wider[start + word - self.words] |= wide;
                }
                if row + 1 < rows.end {
                    wider[start + word + self.words] |= wide;
                }
            }
        }
    }

    /// Takes from a set what is closed, and what is further from a cell than `reach`: columns to either side, by rows up
    /// or down. Answers whether any cell is left.
    pub(super) fn cut(
        &self,
        set: &mut [u64],
        closed: &[u64],
        [column, row]: [u32; 2],
        reach: &[u32],
        rows: Range<usize>,
    ) -> bool {
        let middle = usize::try_from(row).unwrap_or(0);
        let mut any = 0;
        for row in rows {
            let aside = reach.get(row.abs_diff(middle));
            for word in 0..self.words {
                let at = row * self.words + word;
                if set[at] == 0 {
                    continue;
                }
                let mask = aside.map_or(0, |&aside| {
                    let first = count(word) * 64;
                    let (low, high) = (column.saturating_sub(aside), column.saturating_add(aside));
                    bits_from(low.saturating_sub(first)) & !bits_from((high + 1).saturating_sub(first))
                });
                set[at] &= mask & !closed[at];
                any |= set[at];
            }
        }
        any != 0
    }

    /// The centre of the cell of a set that lies nearest to the middle of all of them.
    pub(super) fn place_of(&self, set: &[u64]) -> Option<[f32; 2]> {
        let centres: Vec<[f32; 2]> = self.cells(set).map(|cell| self.centre(cell)).collect();
        let all = single(f64::from(count(centres.len())));
        let middle = [0, 1].map(|axis| centres.iter().map(|centre| centre[axis]).sum::<f32>() / all);
        let away = |centre: &[f32; 2]| (centre[0] - middle[0]).powi(2) + (centre[1] - middle[1]).powi(2);
        centres.into_iter().min_by(|a, b| away(a).total_cmp(&away(b)))
    }
}

/// All bits of a word from some place on.
fn bits_from(place: u32) -> u64 {
    if place >= 64 { 0 } else { u64::MAX << place }
}

/// The whole number at or below a place, at least 0.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a float to integer cast saturates")]
fn whole(place: f32) -> u32 {
    place.max(0.0) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    fn field(width: f64, height: f64) -> Field {
        let scenario = Scenario {
            scenario_id: String::new(),
            display_name: String::new(),
            duration_seconds: 1.0,
            arena_width: width,
            arena_height: height,
        };
        Field::new(&scenario, 1.0, 200.0)
    }

    #[test]
    fn a_set_spreads_over_words_and_stops_at_the_edges() {
        let field = field(130.0, 5.0);
        for (from, expected) in [
            ([63, 2], vec![[62, 1], [63, 1], [64, 1], [62, 2], [63, 2], [64, 2], [62, 3], [63, 3], [64, 3]]),
            ([0, 0], vec![[0, 0], [1, 0], [0, 1], [1, 1]]),
            ([129, 4], vec![[128, 3], [129, 3], [128, 4], [129, 4]]),
        ] {
            let (mut set, mut wider) = (vec![0; field.len()], vec![0; field.len()]);
            field.insert(&mut set, from);
            field.spread(&set, &mut wider, 0..5);
            assert_eq!(field.cells(&wider).collect::<Vec<_>>(), expected);
        }
    }

    #[test]
    fn only_whole_cells_are_covered() {
        let field = field(6.0, 6.0);
        let covered = |point, radius| {
            let mut set = vec![0; field.len()];
            field.cover(&mut set, point, radius);
            field.cells(&set).collect::<Vec<_>>()
        };
        assert!(field.centre([0, 0]).iter().all(|place| (place + 2.5).abs() < 1e-6));
        assert_eq!(covered([0.5, 0.5], 0.7), Vec::<[u32; 2]>::new(), "the corners are 0.707 away");
        assert_eq!(covered([0.5, 0.5], 0.71), [[3, 3]]);
        assert_eq!(covered([0.0, 0.0], 1.42), [[2, 2], [3, 2], [2, 3], [3, 3]]);
        assert_eq!(covered([9.0, 0.0], 1.0), Vec::<[u32; 2]>::new());
        assert_eq!(field.cell_at([-90.0, 90.0]), [0, 5]);
    }
}

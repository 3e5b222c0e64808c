//! Threads that take one item after another, each driving its own run.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;

use loopwright_changes::batch::item::Item;
use loopwright_changes::batch::standing::Standing;

use super::driver::Driver;
use crate::show::batch::Progress;

/// Verifies items, `jobs` at a time; the standings come in the order of the items, whoever was faster.
///
/// Once the batch is interrupted no item is begun any more; the ones under way rest at their next event.
pub(super) fn verify(driver: &Driver<'_>, items: &[Item], jobs: usize, progress: &mut Progress) -> Vec<Standing> {
    let next = AtomicUsize::new(0);
    let (send, arrivals) = mpsc::channel();
    let mut standings: Vec<Option<Standing>> = vec![None; items.len()];
    thread::scope(|scope| {
        for _ in 0..jobs.min(items.len()) {
            let (send, next) = (send.clone(), &next);
            scope.spawn(move || {
                while !driver.interrupt.is_raised() {
                    let place = next.fetch_add(1, Ordering::Relaxed);
                    let Some(item) = items.get(place) else { return };
                    // The receiver outlives the scope; a send cannot fail while anybody waits.
                    send.send((place, driver.verify(item))).ok();
                }
            });
        }
        drop(send);
        for (place, standing) in arrivals {
            progress.arrived(&standing);
            standings[place] = Some(standing);
        }
    });
    let undone = |(standing, item): (Option<Standing>, &Item)| standing.unwrap_or_else(|| Driver::undone(item));
    standings.into_iter().zip(items).map(undone).collect()
}

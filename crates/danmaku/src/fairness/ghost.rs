//! The fight of a player who touches nothing: its bullets are those that any player meets until its first hit.

use crate::config::FightConfig;
use crate::fight::Fight;
use crate::observer::Observer;
use crate::players::Pilot;

/// Runs a fight in which no bullet ever touches, until the time is up or the boss is defeated.
pub(super) fn haunt<P: Pilot, O: Observer>(config: &FightConfig, pilot: P, observer: &mut O) {
    let mut fight = Fight::of_a_ghost(config, pilot);
    while fight.step(observer).is_none() {}
}

//! How often a turn is put on the disk.

use loopwright_core::contract::EffectTerms;
use loopwright_runtime::journal::MemoryJournal;
use loopwright_runtime::journal::faulty::FaultyJournal;

use crate::support::{create, finish, performer};
use crate::worlds::{Terms, edits, idempotent, once, world};

#[test]
fn a_turn_takes_three_appends_at_most() {
    let cases = [
        ("pure", Terms::all(&EffectTerms::pure())),
        ("pure policy", Terms::pure_policy()),
        ("idempotent", Terms::all(&idempotent())),
        ("once", Terms::all(&once())),
    ];
    for (case, terms) in cases {
        let appends = |turns: u64| {
            let journal = FaultyJournal::counting(MemoryJournal::default());
            let mut session = create(&journal, &edits(&terms, turns)).unwrap();
            finish(&journal, &mut session, &performer(world)).unwrap();
            journal.appends()
        };
        let (one, two, three) = (appends(1), appends(2), appends(3));
        assert_eq!(two - one, 3, "{case}");
        assert_eq!(three - two, 3, "{case}");
        // The run's first fact and its start are all that comes on top.
        assert!(one <= 5, "{case}: {one}");
    }
}

#[test]
fn an_append_is_never_empty() {
    let journal = FaultyJournal::counting(MemoryJournal::default());
    let mut session = create(&journal, &edits(&Terms::pure_policy(), 5)).unwrap();
    finish(&journal, &mut session, &performer(world)).unwrap();
    let before = journal.appends();
    session.listen(&mut ()).unwrap();
    finish(&journal, &mut session, &performer(world)).unwrap();
    assert_eq!(journal.appends(), before);
}

//! Bounds on an expression, checked so that neither the parser nor the evaluator can run out of stack or time.

use cel::common::ast::{EntryExpr, Expr as Node, IdedExpr};

use super::{ExprError, start};

/// Bytes of a source.
const BYTES: usize = 2_000;
/// Open brackets at one point of a source; also the depth of the tree that a source gives.
const NESTING: usize = 24;
/// Signs and words of a source that make its tree deeper: operators, dots, brackets.
const MARKS: usize = 200;
/// Loops (`map`, `all`, `exists` ..) inside each other.
const LOOPS: usize = 3;

/// What can be seen without parsing: the parser recurses, so it must not see what is too deep.
pub(super) fn before_parsing(source: &str) -> Result<(), ExprError> {
    if source.len() > BYTES {
        return Err(ExprError::TooLong { bytes: source.len(), limit: BYTES });
    }
    let too_deep = |what, limit| Err(ExprError::TooDeep { source_text: start(source), what, limit });
    // Brackets inside string literals are counted too: that only refuses more, and no literal needs many.
    let (mut open, mut deepest, mut marks) = (0_usize, 0_usize, 0_usize);
    for letter in source.chars() {
        match letter {
            '(' | '[' | '{' => open += 1,
            ')' | ']' | '}' => open = open.saturating_sub(1),
            _ => {}
        }
        deepest = deepest.max(open);
        if letter.is_ascii_punctuation() && letter != '_' {
            marks += 1;
        }
    }
    if deepest > NESTING {
        return too_deep("open brackets", NESTING);
    }
    if marks > MARKS {
        return too_deep("operators and brackets", MARKS);
    }
    Ok(())
}

/// What only the tree shows.
pub(super) fn after_parsing(source: &str, tree: &IdedExpr) -> Result<(), ExprError> {
    let mut waiting = vec![(tree, 0_usize)];
    while let Some((node, loops)) = waiting.pop() {
        let mut visit = |child, loops| waiting.push((child, loops));
        match &node.expr {
            Node::Call(call) => call.target.iter().map(AsRef::as_ref).chain(&call.args).for_each(|it| visit(it, loops)),
            Node::Comprehension(it) => {
                if loops == LOOPS {
                    return Err(ExprError::TooDeep {
                        source_text: start(source),
                        what: "loops inside each other",
                        limit: LOOPS,
                    });
                }
                for child in [&it.iter_range, &it.accu_init, &it.loop_cond, &it.loop_step, &it.result] {
                    visit(child, loops + 1);
                }
            }
            Node::List(list) => list.elements.iter().for_each(|it| visit(it, loops)),
            Node::Select(select) => visit(&select.operand, loops),
            Node::Map(map) => {
                for entry in &map.entries {
                    if let EntryExpr::MapEntry(pair) = &entry.expr {
                        visit(&pair.key, loops);
                        visit(&pair.value, loops);
                    }
                }
            }
            // Structures belong to typed CEL environments; evaluating one here has no meaning.
            Node::Struct(_) | Node::Unspecified => {
                return Err(ExprError::Syntax {
                    source_text: start(source),
                    message: "typed structures are not part of these expressions".to_owned(),
                });
            }
            Node::Ident(_) | Node::Literal(_) => {}
        }
    }
    Ok(())
}

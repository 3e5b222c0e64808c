//! Bounds on an expression, checked so that neither the parser nor the evaluator can run out of stack or time.

use cel::common::ast::{EntryExpr, Expr as Node, IdedExpr};

use super::{ExprError, start};

/// Bytes of a source.
const BYTES: usize = 2_000;
/// Open brackets at one point of a source.
const NESTING: usize = 16;
/// Signs of a source that make its tree deeper: operators, dots, brackets.
const MARKS: usize = 200;
/// Levels of the tree: the evaluator takes about 32 KiB of its caller's stack for each when it is not optimised.
const LEVELS: usize = 32;
/// Bytes of stack for the parser. Unoptimised it takes up to 180 KiB for a bracket and 60 KiB for an operator, which
/// is more than a thread usually has for what is allowed here; only the pages it touches become memory.
const PARSER_STACK: usize = 64 << 20;
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

/// Runs the parser on a stack of its own.
pub(super) fn with_room<T: Send>(source: &str, parse: fn(&str) -> Result<T, String>) -> Result<T, String> {
    std::thread::scope(|threads| {
        let builder = std::thread::Builder::new().name("expression".to_owned()).stack_size(PARSER_STACK);
        let thread = builder.spawn_scoped(threads, || parse(source)).map_err(|error| format!("no thread: {error}"))?;
        thread.join().unwrap_or_else(|_| Err("the parser gave up".to_owned()))
    })
}

/// What only the tree shows.
pub(super) fn after_parsing(source: &str, tree: &IdedExpr) -> Result<(), ExprError> {
    let too_deep = |what, limit| Err(ExprError::TooDeep { source_text: start(source), what, limit });
    let mut waiting = vec![(tree, 0_usize, 1_usize)];
    while let Some((node, loops, level)) = waiting.pop() {
        if level > LEVELS {
            return too_deep("levels", LEVELS);
        }
        let mut visit = |child, loops| waiting.push((child, loops, level + 1));
        match &node.expr {
            Node::Call(call) => call.target.iter().map(AsRef::as_ref).chain(&call.args).for_each(|it| visit(it, loops)),
            Node::Comprehension(it) => {
                if loops == LOOPS {
                    return too_deep("loops inside each other", LOOPS);
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

//! What people are told, in both languages. The names of things come from the pack.

use loopwright_configs::Text;

use crate::vocabulary::Side;

/// Fills labels into a text.
fn fill(en: &str, zh: &str, values: &[(&str, &Text)]) -> Text {
    let values: Vec<(&str, Text)> = values.iter().map(|(name, text)| (*name, (*text).clone())).collect();
    Text::new(en, zh).fill(&values)
}

pub(crate) fn unknown_word(word: &str) -> Text {
    let word = Text::same(word.chars().take(60).collect::<String>());
    fill("nothing here is called \u{201c}{word}\u{201d}", "不认识“{word}”", &[("word", &word)])
}

pub(crate) fn negated() -> Text {
    Text::new("it says what should not be; say what should be instead", "这里只说了不要什么；请说明要改成什么")
}

pub(crate) fn complaint() -> Text {
    Text::new(
        "it says what is wrong, not what to change; give a direction or a value",
        "这里说的是问题而不是改法；请给出方向或数值",
    )
}

pub(crate) fn reason(clause: &str) -> Text {
    let clause = Text::same(clause.chars().take(80).collect::<String>());
    fill(
        "\u{201c}{clause}\u{201d} is read as a reason and changes nothing",
        "“{clause}”按理由理解，不改动任何数值",
        &[("clause", &clause)],
    )
}

pub(crate) fn reason_with_request() -> Text {
    Text::new(
        "a reason seems to ask for something too; say the request in a sentence of its own",
        "理由里似乎还有修改要求；请把要求单独写成一句",
    )
}

pub(crate) fn doubtful(field: &Text) -> Text {
    fill(
        "it is open whether the {field} is meant to change or names what is there now",
        "不清楚这里的{field}是要改成的，还是指现有的",
        &[("field", field)],
    )
}

pub(crate) fn unclear() -> Text {
    Text::new("the parts of this clause do not add up to one change", "这句话的各部分拼不成一项明确的修改")
}

pub(crate) fn which_field() -> Text {
    Text::new("it does not say which figure should change", "没有说明要改哪一项")
}

pub(crate) fn two_readings() -> Text {
    Text::new(
        "\u{201c}N 倍\u{201d} after a word of change has two readings; write \u{201c}to N times\u{201d} or a percentage",
        "“提高/降低 N 倍”有两种读法；请写“到 N 倍”或百分比",
    )
}

pub(crate) fn several_values() -> Text {
    Text::new("it gives several values for one thing", "同一项给了几个数值")
}

pub(crate) fn emphasis() -> Text {
    Text::new(
        "a word of strength does not change the documented step; give a value for more",
        "程度词不改变预设步长；要改得更多请给出数值",
    )
}

pub(crate) fn other_baseline(field: &Text, said: &str, now: &str) -> Text {
    let (said, now) = (Text::same(said), Text::same(now));
    fill(
        "{field} is {now} now, not {said}; the new value counts",
        "{field}现在是 {now}，不是 {said}；以新值为准",
        &[("field", field), ("now", &now), ("said", &said)],
    )
}

pub(crate) fn not_of_owner(owner: &Text, field: &Text) -> Text {
    fill("{field} cannot be said of the {owner}", "“{field}”不能用来说{owner}", &[("field", field), ("owner", owner)])
}

pub(crate) fn only_kept(field: &Text) -> Text {
    fill("this can only be asked for as it is: {field}", "这一项只能要求：{field}", &[("field", field)])
}

pub(crate) fn bound_on_field(field: &Text) -> Text {
    fill(
        "{field} takes a value, not a bound; say which value it should have",
        "{field}要的是数值而不是上下限；请说明要改成多少",
        &[("field", field)],
    )
}

pub(crate) fn does_not_fit(field: &Text) -> Text {
    fill("this direction cannot be said of {field}", "这个方向词不适用于{field}", &[("field", field)])
}

pub(crate) fn rate_needs_percent(field: &Text) -> Text {
    fill(
        "{field} takes a percentage or a factor; for a value, say the time between",
        "{field}只能用百分比或倍数；要给数值请说间隔时间",
        &[("field", field)],
    )
}

pub(crate) fn wrong_unit(field: &Text) -> Text {
    fill("this unit does not measure {field}", "这个单位不能用于{field}", &[("field", field)])
}

pub(crate) fn wrong_side(field: &Text, side: Side) -> Text {
    match side {
        Side::Max => {
            fill("{field} has an upper limit, not a lower one", "{field}只有上限，没有下限", &[("field", field)])
        }
        Side::Min => {
            fill("{field} has a lower limit, not an upper one", "{field}只有下限，没有上限", &[("field", field)])
        }
    }
}

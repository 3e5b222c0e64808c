//! The renderings' own words, in English and Chinese.

use loopwright_configs::Text;

use crate::model::Role;

/// A word in both languages.
pub(crate) type Word = (&'static str, &'static str);

pub(crate) const SKIP: Word = ("Skip to the verdict", "跳到结论");
pub(crate) const RUN: Word = ("Run", "运行");
pub(crate) const LANGUAGE: Word = ("Language", "语言");
pub(crate) const LOOK: Word = ("Appearance", "外观");
pub(crate) const AUTO: Word = ("Auto", "自动");
pub(crate) const LIGHT: Word = ("Light", "浅色");
pub(crate) const DARK: Word = ("Dark", "深色");
pub(crate) const CONTENTS: Word = ("Contents", "目录");
pub(crate) const MADE_FROM: Word = ("Made from", "来源");
pub(crate) const PASSED: Word = ("passed", "通过");
pub(crate) const FAILED: Word = ("failed", "未通过");
pub(crate) const NOT_JUDGED: Word = ("not judged", "未评判");
pub(crate) const BASELINE: Word = ("Baseline", "基线");
pub(crate) const CANDIDATE: Word = ("Candidate", "候选");
pub(crate) const CHECK: Word = ("Check", "检查");
pub(crate) const LIMIT: Word = ("Limit", "限值");
pub(crate) const DRAWN: Word = ("Against the limit", "与限值比较");
pub(crate) const FORBIDDEN: Word = ("Not allowed", "不允许");
pub(crate) const TIME: Word = ("Time", "时间");
pub(crate) const WHO: Word = ("Who", "谁");
pub(crate) const WHAT: Word = ("What", "内容");
pub(crate) const PICTURE: Word = ("Picture", "图片");
pub(crate) const BESIDE: Word = ("Side by side", "并排");
pub(crate) const SLIDER: Word = ("Slider", "滑块对比");
pub(crate) const VIEW: Word = ("View", "显示方式");
pub(crate) const DIVIDE: Word = ("Where the two pictures meet", "两图的分界位置");
pub(crate) const PLAY: Word = ("Play", "播放");
pub(crate) const PAUSE: Word = ("Pause", "暂停");
pub(crate) const BACK: Word = ("One step back", "后退一步");
pub(crate) const FORTH: Word = ("One step forward", "前进一步");
pub(crate) const SPEED: Word = ("Speed", "速度");
pub(crate) const POSITION: Word = ("Position in the replay", "回放位置");
pub(crate) const KEYS: Word = (
    "Space plays and pauses, the arrow keys go step by step, Home and End jump.",
    "空格键播放或暂停，方向键逐步移动，Home 与 End 跳到首尾。",
);
pub(crate) const NEEDS_SCRIPTS: Word =
    ("The replay needs scripts, which are off here.", "回放需要脚本，而此处已禁用脚本。");
pub(crate) const DIFFERENCE: Word = ("Candidate − baseline", "候选 − 基线");
pub(crate) const DRAWN_NOW: Word = ("Drawn now", "当前绘制");
pub(crate) const ENDED: Word = ("ended", "已结束");
pub(crate) const COUNT: Word = ("Values", "个数");
pub(crate) const MEAN: Word = ("Mean", "均值");
pub(crate) const MINIMUM: Word = ("Min", "最小");
pub(crate) const MEDIAN: Word = ("Median", "中位数");
pub(crate) const MAXIMUM: Word = ("Max", "最大");
pub(crate) const SIDE: Word = ("Side", "一方");
pub(crate) const HOW_OFTEN: Word = ("How often", "次数");
pub(crate) const NO_VALUES: Word = ("No values.", "没有数值。");

/// A word as text.
pub(crate) fn text((en, zh): Word) -> Text {
    Text::new(en, zh)
}

/// A side's name; none for sides that are neither.
pub(crate) fn role(role: Role) -> Option<Word> {
    match role {
        Role::Baseline => Some(BASELINE),
        Role::Candidate => Some(CANDIDATE),
        Role::Other => None,
    }
}

/// The heads of the percentile table, after the side's.
pub(crate) fn summary_heads() -> [Word; 9] {
    let part = |name| (name, name);
    [COUNT, MEAN, MINIMUM, part("P10"), part("P25"), MEDIAN, part("P75"), part("P90"), MAXIMUM]
}

/// An axis' unit as it follows a figure: with a space in front, or nothing.
pub(crate) fn unit_after(unit: Option<&Text>) -> Text {
    unit.map_or_else(Text::default, |unit| Text::new(format!(" {}", unit.en), format!(" {}", unit.zh)))
}

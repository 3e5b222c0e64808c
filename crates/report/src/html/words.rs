//! The page's own words, in English and Chinese.

use loopwright_configs::Text;

use crate::model::Role;

/// A word in both languages.
pub(super) type Word = (&'static str, &'static str);

pub(super) const SKIP: Word = ("Skip to the verdict", "跳到结论");
pub(super) const RUN: Word = ("Run", "运行");
pub(super) const LANGUAGE: Word = ("Language", "语言");
pub(super) const LOOK: Word = ("Appearance", "外观");
pub(super) const AUTO: Word = ("Auto", "自动");
pub(super) const LIGHT: Word = ("Light", "浅色");
pub(super) const DARK: Word = ("Dark", "深色");
pub(super) const CONTENTS: Word = ("Contents", "目录");
pub(super) const MADE_FROM: Word = ("Made from", "来源");
pub(super) const PASSED: Word = ("passed", "通过");
pub(super) const FAILED: Word = ("failed", "未通过");
pub(super) const NOT_JUDGED: Word = ("not judged", "未评判");
pub(super) const BASELINE: Word = ("Baseline", "基线");
pub(super) const CANDIDATE: Word = ("Candidate", "候选");
pub(super) const CHECK: Word = ("Check", "检查");
pub(super) const LIMIT: Word = ("Limit", "限值");
pub(super) const DRAWN: Word = ("Against the limit", "与限值比较");
pub(super) const FORBIDDEN: Word = ("Not allowed", "不允许");
pub(super) const TIME: Word = ("Time", "时间");
pub(super) const WHO: Word = ("Who", "谁");
pub(super) const WHAT: Word = ("What", "内容");
pub(super) const PICTURE: Word = ("Picture", "图片");
pub(super) const BESIDE: Word = ("Side by side", "并排");
pub(super) const SLIDER: Word = ("Slider", "滑块对比");
pub(super) const VIEW: Word = ("View", "显示方式");
pub(super) const DIVIDE: Word = ("Where the two pictures meet", "两图的分界位置");
pub(super) const PLAY: Word = ("Play", "播放");
pub(super) const PAUSE: Word = ("Pause", "暂停");
pub(super) const BACK: Word = ("One step back", "后退一步");
pub(super) const FORTH: Word = ("One step forward", "前进一步");
pub(super) const SPEED: Word = ("Speed", "速度");
pub(super) const POSITION: Word = ("Position in the replay", "回放位置");
pub(super) const KEYS: Word = (
    "Space plays and pauses, the arrow keys go step by step, Home and End jump.",
    "空格键播放或暂停，方向键逐步移动，Home 与 End 跳到首尾。",
);
pub(super) const DRAWN_NOW: Word = ("Drawn now", "当前绘制");
pub(super) const ENDED: Word = ("ended", "已结束");
pub(super) const COUNT: Word = ("Values", "个数");
pub(super) const MEAN: Word = ("Mean", "均值");
pub(super) const MINIMUM: Word = ("Min", "最小");
pub(super) const MEDIAN: Word = ("Median", "中位数");
pub(super) const MAXIMUM: Word = ("Max", "最大");
pub(super) const SIDE: Word = ("Side", "一方");
pub(super) const HOW_OFTEN: Word = ("How often", "次数");
pub(super) const NO_VALUES: Word = ("No values.", "没有数值。");

/// A word as text.
pub(super) fn text((en, zh): Word) -> Text {
    Text::new(en, zh)
}

/// A side's name; none for sides that are neither.
pub(super) fn role(role: Role) -> Option<Word> {
    match role {
        Role::Baseline => Some(BASELINE),
        Role::Candidate => Some(CANDIDATE),
        Role::Other => None,
    }
}

//! Still pictures, alone or in pairs of the same moment.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use loopwright_configs::Text;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};

/// A strip of shots, of which a reader looks at one at a time.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pictures {
    /// What the pictures show.
    pub caption: Text,
    /// The shots, in order.
    pub shots: Vec<Shot>,
}

/// One picture, or two of the same moment.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Shot {
    /// The moment or the subject, such as `10 s`. Short: it labels a button.
    pub label: Text,
    /// The only picture, or the left one.
    pub left: Picture,
    /// The right one of a pair, of the same size as the left one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub right: Option<Picture>,
}

/// A PNG picture.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Picture {
    /// A short name: the side, or the subject.
    pub label: Text,
    /// What the picture shows, for those who cannot see it.
    pub alt: Text,
    /// Where the same bytes lie beside the report, for renderings that cannot carry them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// The PNG bytes, as base64 in JSON.
    #[serde(serialize_with = "to_base64", deserialize_with = "from_base64")]
    pub png: Vec<u8>,
}

impl Picture {
    /// The bytes as an address a page can carry.
    pub fn data_uri(&self) -> String {
        format!("data:image/png;base64,{}", STANDARD.encode(&self.png))
    }

    /// Width and height in pixels, as the PNG header says; `None` where the bytes are no PNG.
    pub fn size(&self) -> Option<(u32, u32)> {
        let header = self.png.strip_prefix(b"\x89PNG\r\n\x1a\n")?;
        let word = |from: usize| Some(u32::from_be_bytes(header.get(from..from + 4)?.try_into().ok()?));
        (header.get(4..8)? == b"IHDR").then_some(())?;
        Some((word(8)?, word(12)?))
    }
}

fn to_base64<S: Serializer>(bytes: &[u8], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&STANDARD.encode(bytes))
}

fn from_base64<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<u8>, D::Error> {
    let text = String::deserialize(deserializer)?;
    STANDARD.decode(text).map_err(|error| D::Error::custom(format!("png is not base64: {error}")))
}

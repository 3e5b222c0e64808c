//! Where a model answers: the address, the key, and what may be told of both.

use std::path::PathBuf;

use async_openai::config::Config;
use reqwest::Url;
use reqwest::header::{AUTHORIZATION, HeaderMap, HeaderValue};
use secrecy::SecretString;

use crate::secret::Secret;
use crate::settings::Structured;

/// The longest that a server's words are told, in characters.
const LONGEST_WORDS: usize = 500;

/// Where a model answers.
#[derive(Debug, Clone)]
pub struct Endpoint {
    /// The address, up to and without `/chat/completions`.
    pub base_url: String,
    /// The key, where the server wants one.
    pub api_key: Option<Secret>,
    /// The model's name there.
    pub model: String,
    /// How the server is told the shape of an answer; found out where nothing is said.
    pub structured: Option<Structured>,
    /// The file in which it is remembered what the server supports; nothing for no memory beyond this value's life.
    pub memory: Option<PathBuf>,
}

/// An endpoint that cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EndpointError {
    /// The address is none.
    #[error("the model's address {base_url:?} cannot be used: {message}")]
    Address {
        /// The address, without what may be secret in it.
        base_url: String,
        /// What is wrong and what to do.
        message: &'static str,
    },
    /// The key cannot be sent.
    #[error("the model's key holds characters that no header can carry; copy it again")]
    Key,
    /// No connections can be made on this machine.
    #[error("no client can be made: {message}")]
    Client {
        /// Why.
        message: String,
    },
}

/// An endpoint that was found to be in order.
#[derive(Clone)]
pub(super) struct Target {
    base: String,
    place: String,
    loopback: bool,
    headers: HeaderMap,
    key: Option<Secret>,
    /// What the client crate asks for; the header above is what is sent.
    unused: SecretString,
}

impl Target {
    pub(super) fn new(base_url: &str, key: Option<Secret>) -> Result<Self, EndpointError> {
        let wrong = |message| EndpointError::Address { base_url: shown(base_url), message };
        let url = Url::parse(base_url.trim()).map_err(|_| wrong("write it as in http://127.0.0.1:8080/v1"))?;
        if !["http", "https"].contains(&url.scheme()) {
            return Err(wrong("it has to begin with http:// or https://"));
        }
        let Some(host) = url.host_str().filter(|host| !host.is_empty()) else { return Err(wrong("it names no host")) };
        if !url.username().is_empty() || url.password().is_some() {
            return Err(wrong("a name or password does not belong there; put the key into LOOPWRIGHT_MODEL_API_KEY"));
        }
        if url.query().is_some() || url.fragment().is_some() {
            return Err(wrong("nothing may follow the path; put a key into LOOPWRIGHT_MODEL_API_KEY"));
        }
        let place = url.port().map_or_else(|| host.to_owned(), |port| format!("{host}:{port}"));
        let loopback = match url.host() {
            Some(url::Host::Domain(name)) => name == "localhost" || name.ends_with(".localhost"),
            Some(url::Host::Ipv4(address)) => address.is_loopback(),
            Some(url::Host::Ipv6(address)) => address.is_loopback(),
            None => false,
        };
        let mut headers = HeaderMap::new();
        if let Some(key) = &key {
            let mut value =
                HeaderValue::from_str(&format!("Bearer {}", key.expose())).map_err(|_| EndpointError::Key)?;
            value.set_sensitive(true);
            headers.insert(AUTHORIZATION, value);
        }
        let base = url.as_str().trim_end_matches('/').to_owned();
        Ok(Self { base, place, loopback, headers, key, unused: SecretString::from("") })
    }

    /// Host and port.
    pub(super) fn place(&self) -> &str {
        &self.place
    }

    pub(super) fn is_loopback(&self) -> bool {
        self.loopback
    }

    /// A text from the other side as it may be kept whole: without the key.
    pub(super) fn redacted(&self, text: &str) -> String {
        self.key.as_ref().map_or_else(|| text.to_owned(), |key| key.redact(text))
    }

    /// A text from the other side as it may be told: without the key, in one line, not too long.
    pub(super) fn told(&self, text: &str) -> String {
        let line = self.redacted(text);
        let plain: String = line.chars().map(|sign| if sign.is_control() { ' ' } else { sign }).collect();
        let plain = plain.split_whitespace().collect::<Vec<_>>().join(" ");
        if plain.chars().count() <= LONGEST_WORDS {
            return plain;
        }
        plain.chars().take(LONGEST_WORDS).chain(['…']).collect()
    }
}

impl Config for Target {
    fn headers(&self) -> HeaderMap {
        self.headers.clone()
    }

    fn url(&self, path: &str) -> String {
        format!("{}{path}", self.base)
    }

    fn query(&self) -> Vec<(&str, &str)> {
        Vec::new()
    }

    fn api_base(&self) -> &str {
        &self.base
    }

    fn api_key(&self) -> &SecretString {
        &self.unused
    }
}

/// An address without what stands before an `@` or after a `?`.
fn shown(base_url: &str) -> String {
    let address = base_url.split(['?', '#']).next().unwrap_or_default();
    match (address.find("://"), address.rfind('@')) {
        (Some(scheme), Some(at)) if at > scheme => format!("{}://…{}", &address[..scheme], &address[at..]),
        (None, Some(at)) => format!("…{}", &address[at..]),
        _ => address.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_told_to_be_one() {
        for (address, place, url) in [
            ("http://127.0.0.1:8080/v1", "127.0.0.1:8080", "http://127.0.0.1:8080/v1/chat/completions"),
            ("https://api.example.com/v1/", "api.example.com", "https://api.example.com/v1/chat/completions"),
            (" http://[::1]:9/ ", "[::1]:9", "http://[::1]:9/chat/completions"),
        ] {
            let target = Target::new(address, None).unwrap();
            assert_eq!((target.place(), target.url("/chat/completions").as_str()), (place, url));
        }
        for address in
            ["", "localhost:8080", "ftp://host/v1", "http://", "http://u:sk-1@host/v1", "http://host/v1?key=sk-1"]
        {
            let error = Target::new(address, None).err().unwrap().to_string();
            assert!(!error.contains("sk-1"), "{error}");
        }
    }

    #[test]
    fn only_this_machine_is_reached_without_a_proxy() {
        for (address, loopback) in [
            ("http://127.0.0.1:1/v1", true),
            ("http://localhost/v1", true),
            ("http://[::1]/v1", true),
            ("http://10.0.0.1/v1", false),
            ("https://localhost.example.com/v1", false),
        ] {
            assert_eq!(Target::new(address, None).unwrap().is_loopback(), loopback, "{address}");
        }
    }

    #[test]
    fn a_key_that_no_header_can_carry_is_refused_without_being_told() {
        let error = Target::new("http://host/v1", Some(Secret::new("sk\u{7}1"))).err().unwrap();
        assert_eq!(error, EndpointError::Key);
    }
}

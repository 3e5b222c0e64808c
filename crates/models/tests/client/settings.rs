//! Where models come from, and what is told where none does.

use std::path::Path;
use std::time::Duration;

use loopwright_models::{Environment, ModelKind, ModelSettings, ModelsFile, Price, SettingsError, Structured, choose};

use crate::PLANTED;

const FILE: &str = r#"
default = "local"

[models.local]
base_url = "http://127.0.0.1:8080/v1"
model = "qwen3"
context = 8192
structured = "json_object"

[models.paid]
base_url = "https://api.example.com/v1"
model = "big"
api_key_env = "BIG_KEY"
price = { input = 0.15, output = 0.60 }
answer_tokens = 500
timeout_seconds = 30
tries = 2
temperature = 0.0
seed = 7

[models.rehearsal]
kind = "scripted"
script = "answers.jsonl"
"#;

type Variables = &'static [(&'static str, &'static str)];

fn chosen(name: Option<&str>, text: Option<&str>, variables: Variables) -> Result<ModelSettings, SettingsError> {
    let file = text.map(|text| ModelsFile::from_text(Path::new("/data/models.toml"), text)).transpose()?;
    let real =
        move |name: &str| variables.iter().find(|(other, _)| *other == name).map(|(_, value)| (*value).to_owned());
    choose(name, file.as_ref(), &Environment::of(&real))
}

fn address(settings: &ModelSettings) -> (&str, &str, bool) {
    match &settings.kind {
        ModelKind::OpenAi { base_url, model, api_key, .. } => (base_url, model, api_key.is_some()),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_table_says_everything_about_a_model() {
    let paid = chosen(Some("paid"), Some(FILE), &[("BIG_KEY", PLANTED)]).unwrap();
    assert_eq!(address(&paid), ("https://api.example.com/v1", "big", true));
    assert_eq!(paid.price, Some(Price { input_micros: 150_000, output_micros: 600_000 }));
    assert_eq!((paid.answer_tokens, paid.tries, paid.timeout), (Some(500), 2, Duration::from_secs(30)));
    assert_eq!((paid.temperature, paid.seed, paid.name.as_str()), (Some(0.0), Some(7), "paid"));
    assert!(!format!("{paid:?}").contains("planted"));
    let local = chosen(None, Some(FILE), &[]).unwrap();
    assert_eq!(
        (address(&local), local.context, local.price),
        (("http://127.0.0.1:8080/v1", "qwen3", false), Some(8192), None)
    );
    assert!(matches!(local.kind, ModelKind::OpenAi { structured: Some(Structured::JsonObject), .. }));
    let script = chosen(Some("rehearsal"), Some(FILE), &[]).unwrap().kind;
    assert_eq!(script, ModelKind::Scripted { script: "/data/answers.jsonl".into() });
}

#[test]
fn the_environment_is_enough() {
    let local: Variables = &[("LOOPWRIGHT_MODEL_BASE_URL", "http://h:1/v1"), ("LOOPWRIGHT_MODEL", "m")];
    let openai: Variables = &[("OPENAI_API_KEY", PLANTED), ("OPENAI_MODEL", "gpt")];
    let both: Variables = &[
        ("LOOPWRIGHT_MODEL_BASE_URL", "http://h:1/v1"),
        ("OPENAI_BASE_URL", "http://other/v1"),
        ("LOOPWRIGHT_MODEL", "m"),
        ("OPENAI_MODEL", "gpt"),
        ("OPENAI_API_KEY", " "),
    ];
    let cases = [
        (None, None, local, ("http://h:1/v1", "m", false)),
        (Some("n"), None, local, ("http://h:1/v1", "n", false)),
        (None, None, openai, ("https://api.openai.com/v1", "gpt", true)),
        (None, None, both, ("http://h:1/v1", "m", false)),
        // A variable may name a table, and a name that no table has is a model of the environment's endpoint.
        (None, Some(FILE), &[("LOOPWRIGHT_MODEL", "local")][..], ("http://127.0.0.1:8080/v1", "qwen3", false)),
        (Some("n"), Some(FILE), local, ("http://h:1/v1", "n", false)),
    ];
    for (name, file, variables, expected) in cases {
        assert_eq!(address(&chosen(name, file, variables).unwrap()), expected, "{name:?} {variables:?}");
    }
}

#[test]
fn a_dot_env_file_is_read_below_the_environment() {
    let folder = tempfile::tempdir().unwrap();
    let text = format!(
        "# local\nLOOPWRIGHT_MODEL=m\nLOOPWRIGHT_MODEL_BASE_URL=\"http://h:1/v1\"\nexport LOOPWRIGHT_MODEL_API_KEY='{PLANTED}'\n"
    );
    std::fs::write(folder.path().join(".env"), &text).unwrap();
    let real = |name: &str| (name == "LOOPWRIGHT_MODEL").then(|| "mine".to_owned());
    let environment = Environment::with_file(&real, folder.path()).unwrap();
    assert_eq!(address(&choose(None, None, &environment).unwrap()), ("http://h:1/v1", "mine", true));
    assert_eq!(std::fs::read_to_string(folder.path().join(".env")).unwrap(), text);
    assert!(std::env::var("LOOPWRIGHT_MODEL_BASE_URL").is_err(), "the process's own environment stays as it is");
    std::fs::write(folder.path().join(".env"), format!("A B C {PLANTED}\n")).unwrap();
    let error = Environment::with_file(&real, folder.path()).err().unwrap();
    assert!(matches!(error, SettingsError::DotEnv { .. }) && !format!("{error:?}").contains("planted"), "{error:?}");
}

#[test]
fn what_is_missing_is_named() {
    assert!(matches!(chosen(None, None, &[]), Err(SettingsError::None)));
    let error = chosen(Some("m"), Some(FILE), &[]).unwrap_err().to_string();
    assert_eq!(error, "there is no model \"m\": /data/models.toml describes local, paid, rehearsal");
    let error = chosen(Some("paid"), Some(FILE), &[]).unwrap_err().to_string();
    assert_eq!(error, "the model \"paid\" needs the environment variable BIG_KEY, which is not set");
}

#[test]
fn all_faults_of_a_file_are_told_at_once() {
    let text = r#"
default = "none"
[models.a]
model = "x"
price = { input = -1, output = 0.5 }
tries = 0
[models.b]
kind = "scripted"
base_url = "http://h/v1"
[models.c]
kind = "recorded"
[models.d]
base_url = "http://h/v1"
model = "x"
script = "y"
temperature = 3.5
timeout_seconds = 0
"#;
    let error = chosen(None, Some(text), &[]).unwrap_err();
    insta::assert_snapshot!(error, @r#"
    /data/models.toml cannot be used:
      models.a: `base_url` is missing, as in "http://127.0.0.1:8080/v1"
      models.a: `price` has to be two numbers from 0 to 1000000
      models.a: `tries` has to be at least 1
      models.b: `script` is missing: a file of answers
      models.b: only a model of the kind "openai" has an address, a key or a shape
      models.c: `run` is missing: the run whose answers are given
      models.d: `script` needs `kind = "scripted"`
      models.d: `timeout_seconds` has to be from 1 to 3600
      models.d: `temperature` has to be from 0 to 2
      default: there is no [models.none]
    "#);
}

#[test]
fn a_key_does_not_belong_into_the_file_and_is_not_repeated() {
    for line in [format!("api_key = '{PLANTED}'"), format!("api_key = {PLANTED}"), format!("\"api_key\" = '{PLANTED}")]
    {
        let text = format!("[models.a]\nbase_url = \"http://h/v1\"\nmodel = \"m\"\n{line}\n");
        let error = chosen(None, Some(&text), &[]).unwrap_err().to_string();
        assert!(error.contains("`api_key` is not read") && !error.contains("planted"), "{error}");
    }
    assert!(chosen(None, Some("[models.a]\nbase_url = 5"), &[]).is_err());
    assert!(chosen(None, Some("[models.a]\nspeed = 5"), &[]).unwrap_err().to_string().contains("speed"));
    assert!(chosen(None, Some(""), &[]).unwrap_err().to_string().contains("describes no model"));
}

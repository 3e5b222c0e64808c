//! Reads requirements against a pack and prints what the intake makes of them: for authors of phrases.
//!
//! `cargo run -p loopwright-intake --example read -- packs/bullet-hell "phase 2 denser" "第二阶段双向"`

use std::error::Error;
use std::path::Path;
use std::sync::Arc;

use loopwright_configs::{Layout, Schema};
use loopwright_intake::{Answer, Intake, Vocabulary};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let pack = arguments.next().ok_or("give the pack's folder, then requirements")?;
    let file = |name: &str| std::fs::read_to_string(Path::new(&pack).join(name));
    let (zh, en) = (file("phrases.zh.toml")?, file("phrases.en.toml")?);
    let vocabulary = Vocabulary::read(
        ("vocabulary.toml", &file("vocabulary.toml")?),
        &[("phrases.zh.toml", &zh), ("phrases.en.toml", &en)],
    )?;
    let schema = Schema::compile(serde_json::from_str(&file("schema.json")?)?)?;
    let layout: Layout = serde_json::from_str(r#"{"collections": [{"path": "phases", "id": "phase_id"}]}"#)?;
    let scope = ["phases[*].pattern.*", "constraints.*", "runtime_targets.*"];
    let scope = scope.iter().map(|path| path.parse()).collect::<Result<_, _>>()?;
    let intake = Intake::new(vocabulary, layout, Arc::new(schema), scope);
    let baseline = serde_json::from_str(&file("baseline.json")?)?;
    for requirement in arguments {
        let reading = intake.read(&requirement, &baseline)?;
        println!("{requirement}");
        for one in &reading.understood {
            println!("  + {:<40} {} / {}", one.clause, one.meaning.en, one.meaning.zh);
        }
        for one in &reading.not_understood {
            println!("  - {:<40} {} / {}", one.clause, one.why.en, one.why.zh);
        }
        for note in &reading.notes {
            println!("  * {} / {}", note.en, note.zh);
        }
        match &reading.answer {
            Answer::Accepted { .. } => println!("  accepted {}", reading.goal.to_json()),
            Answer::NeedsClarification { question, code } => println!("  {code:?}: {} / {}", question.en, question.zh),
            Answer::Blocked { field, asked, reason, code, .. } => {
                println!("  {code:?} {field:?} {asked:?}: {} / {}", reason.en, reason.zh);
            }
        }
    }
    Ok(())
}

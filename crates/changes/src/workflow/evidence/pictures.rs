//! The evidence that is looked at: the engine's pictures with a manifest, and the report.

use loopwright_core::json::Digest;
use loopwright_engines::artifact::ArtifactKind;
use loopwright_runtime::artifacts::{ArtifactError, Artifacts};
use serde_json::{Value, json};

use crate::workflow::report::report;
use crate::workflow::view::{ArtifactRecord, View};

/// The folder of the pictures inside the evidence folder.
pub const FOLDER: &str = "pictures";
/// The manifest of the pictures, inside their folder.
pub const MANIFEST: &str = "capture_manifest.json";
/// The report's name.
pub const REPORT: &str = "report.html";

/// One file that is looked at, by its path inside the evidence folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shown {
    /// Its path, with `/` between folder and name.
    pub path: String,
    /// Its bytes.
    pub bytes: Vec<u8>,
}

/// The report, and the engine's pictures of the baseline and of every candidate.
pub fn shown(view: &View<'_>, artifacts: &dyn Artifacts) -> Result<Vec<Shown>, ArtifactError> {
    let page = loopwright_report::html::page(&report(view, artifacts)?);
    let mut files = vec![Shown { path: REPORT.to_owned(), bytes: page.into_bytes() }];
    let mut manifest = Vec::new();
    for gallery in &view.galleries {
        let config = config_of(view, gallery.iteration);
        for record in &gallery.artifacts {
            add(&gallery.side(), record, config, artifacts, &mut files, &mut manifest)?;
        }
    }
    for record in view.study.iter().flat_map(|study| &study.artifacts) {
        add("study", record, None, artifacts, &mut files, &mut manifest)?;
    }
    if !manifest.is_empty() {
        let mut bytes = serde_json::to_vec_pretty(&manifest).unwrap_or_default();
        bytes.push(b'\n');
        files.push(Shown { path: format!("{FOLDER}/{MANIFEST}"), bytes });
    }
    Ok(files)
}

fn add(
    prefix: &str,
    record: &ArtifactRecord,
    config: Option<Digest>,
    artifacts: &dyn Artifacts,
    files: &mut Vec<Shown>,
    manifest: &mut Vec<Value>,
) -> Result<(), ArtifactError> {
    // Scenes are replayed in the report; their data stay in the store.
    if record.kind == ArtifactKind::Scene {
        return Ok(());
    }
    let name = file_name(prefix, record);
    manifest.push(json!({
        "file": name, "kind": record.kind, "label": record.label, "sha256": record.sha256,
        "config_sha256": config, "shows": record.detail,
    }));
    files.push(Shown { path: format!("{FOLDER}/{name}"), bytes: artifacts.get(&record.sha256)? });
    Ok(())
}

/// The name of a picture in the evidence folder.
pub(crate) fn file_name(side: &str, record: &ArtifactRecord) -> String {
    format!("{side}-{}", record.name)
}

/// The digest of the config that ran in an iteration; the baseline's is iteration 0.
fn config_of(view: &View<'_>, iteration: u32) -> Option<Digest> {
    if iteration == 0 {
        return Some(loopwright_core::json::Json::new(view.inputs.baseline.clone()).digest());
    }
    let candidate = view.candidates.iter().find(|candidate| candidate.iteration == iteration);
    candidate.map(|candidate| candidate.config_sha256)
}

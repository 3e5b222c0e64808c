//! Expressions: the small computations that data may carry, in CEL (the Common Expression Language).
//!
//! Every number is a double. Numbers of a [`Scope`] are handed over as doubles, whole-number literals are read as
//! doubles (`x * 2` and `x * 2.0` are the same), and what `size`, `int` and `uint` return is turned into one, so that
//! authors never meet CEL's refusal to mix kinds of numbers. `%` does not exist for doubles.
//!
//! Beside CEL's standard functions there are `round_even(x)`, `round_dec(x, digits)`, `clamp(x, low, high)` and the
//! math extension: `math.greatest(a, b, ..)`, `math.least(a, b, ..)`, `math.ceil(x)`, `math.floor(x)`, `math.abs(x)`,
//! `math.sqrt(x)` and more. An expression sees its scope and nothing else: no clock, no files, no randomness.

mod guard;
mod numbers;
mod rounding;

use std::sync::{Arc, LazyLock};

use cel::common::ast::IdedExpr;
use cel::{Context, Env, ExecutionError};
use serde::{Deserialize, Serialize};
use serde_json::Value;

pub use rounding::{round_dec, round_even};

/// The names an expression may use.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Scope(Vec<(String, Value)>);

/// An expression that was read and may be evaluated any number of times; written as its source.
#[derive(Clone, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct Expr {
    source: Arc<str>,
    tree: Arc<IdedExpr>,
}

/// Why an expression was refused or had no value.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ExprError {
    /// The source is longer than allowed.
    #[error("an expression has {bytes} bytes, more than the {limit} allowed; split it up")]
    TooLong {
        /// Its size.
        bytes: usize,
        /// The limit.
        limit: usize,
    },
    /// The source nests or chains more than allowed.
    #[error("the expression `{source_text}` has more than {limit} {what}; split it up")]
    TooDeep {
        /// The start of the source.
        source_text: String,
        /// What there is too much of.
        what: &'static str,
        /// The limit.
        limit: usize,
    },
    /// The source is not CEL.
    #[error("the expression `{source_text}` cannot be read: {message}")]
    Syntax {
        /// The start of the source.
        source_text: String,
        /// What is wrong.
        message: String,
    },
    /// The expression has no value here.
    #[error("the expression `{source_text}` cannot be computed: {message}")]
    Evaluation {
        /// The start of the source.
        source_text: String,
        /// What is wrong.
        message: String,
    },
    /// The value is of another kind than is needed.
    #[error("the expression `{source_text}` gives {value}, not {wanted}")]
    Kind {
        /// The start of the source.
        source_text: String,
        /// What came out.
        value: String,
        /// What is needed.
        wanted: &'static str,
    },
}

impl Scope {
    /// A scope without names.
    pub fn new() -> Self {
        Self::default()
    }

    /// The same scope with one more name; a later value hides an earlier one.
    #[must_use]
    pub fn with(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.set(name, value);
        self
    }

    /// Adds or replaces a name.
    pub fn set(&mut self, name: &str, value: impl Into<Value>) {
        let value = value.into();
        match self.0.iter_mut().find(|(known, _)| known == name) {
            Some(entry) => entry.1 = value,
            None => self.0.push((name.to_owned(), value)),
        }
    }

    /// The value of a name.
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.0.iter().find(|(known, _)| known == name).map(|(_, value)| value)
    }
}

static ENVIRONMENT: LazyLock<Arc<Env>> = LazyLock::new(|| {
    let mut env = Env::stdlib();
    // The only error is a name registered twice, and this is the only registration; the tests use these names.
    let _ = env.add_extension(cel::extensions::math);
    Arc::new(env)
});

impl Expr {
    /// Reads an expression. Size and nesting are checked before the parser sees it.
    pub fn compile(source: &str) -> Result<Self, ExprError> {
        guard::before_parsing(source)?;
        let syntax = |message| ExprError::Syntax { source_text: start(source), message };
        let mut tree = guard::with_room(source, parse).map_err(syntax)?;
        guard::after_parsing(source, &tree)?;
        numbers::use_doubles(&mut tree);
        Ok(Self { source: source.into(), tree: Arc::new(tree) })
    }

    /// The source as it was written.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// The value of the expression; numbers come back as doubles (`16.0`).
    pub fn eval(&self, scope: &Scope) -> Result<Value, ExprError> {
        let failed = |message: String| ExprError::Evaluation { source_text: start(&self.source), message };
        let mut context = Context::with_env(ENVIRONMENT.clone());
        functions(&mut context).map_err(|error| failed(error.to_string()))?;
        for (name, value) in &scope.0 {
            context.add_variable_from_value(name.as_str(), numbers::to_cel(value));
        }
        let value = cel::Value::resolve(&self.tree, &context).map_err(|error| failed(explain(&error)))?;
        numbers::to_json(&value).map_err(failed)
    }

    /// The value as a finite number.
    pub fn number(&self, scope: &Scope) -> Result<f64, ExprError> {
        let value = self.eval(scope)?;
        value.as_f64().ok_or_else(|| self.kind(&value, "a number"))
    }

    /// The value as a truth value.
    pub fn truth(&self, scope: &Scope) -> Result<bool, ExprError> {
        let value = self.eval(scope)?;
        value.as_bool().ok_or_else(|| self.kind(&value, "true or false"))
    }

    fn kind(&self, value: &Value, wanted: &'static str) -> ExprError {
        ExprError::Kind { source_text: start(&self.source), value: crate::text::plain(value), wanted }
    }
}

fn parse(source: &str) -> Result<IdedExpr, String> {
    ENVIRONMENT
        .parser()
        .parse(source)
        .map_err(|errors| errors.errors.first().map_or_else(String::new, |it| it.msg.clone()))
}

/// Registers the functions that CEL lacks.
fn functions(context: &mut Context<'_, '_>) -> Result<(), cel::DeclarationError> {
    context.add_function("round_even", |x: f64| round_even(x).map_err(|text| failure("round_even", text)))?;
    context.add_function("round_dec", |x: f64, digits: f64| {
        round_dec(x, digits).map_err(|text| failure("round_dec", text))
    })?;
    context.add_function("clamp", |x: f64, low: f64, high: f64| {
        // NaN compares with nothing, so this also refuses it.
        if low <= high {
            Ok(x.max(low).min(high))
        } else {
            Err(failure("clamp", "its low end lies above its high end"))
        }
    })
}

fn failure(function: &str, message: &str) -> ExecutionError {
    ExecutionError::function_error(function, message)
}

/// CEL's own messages print whole values in debug form; only those that stay short are passed on.
fn explain(error: &ExecutionError) -> String {
    match error {
        ExecutionError::NoSuchKey(key) => format!("there is no field `{key}`"),
        ExecutionError::UndeclaredReference(name) => format!("the name `{name}` is not known here"),
        ExecutionError::FunctionError { function, message } => format!("{function}: {message}"),
        ExecutionError::IndexOutOfBounds(_) => "a position lies outside its list".to_owned(),
        other => other.to_string().chars().take(160).collect(),
    }
}

/// The start of a source, for messages.
fn start(source: &str) -> String {
    const LONGEST: usize = 120;
    let mut text: String = source.chars().take(LONGEST).collect();
    if text.len() < source.len() {
        text.push('…');
    }
    text
}

impl std::fmt::Debug for Expr {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Expr({:?})", self.source)
    }
}

impl PartialEq for Expr {
    fn eq(&self, other: &Self) -> bool {
        self.source == other.source
    }
}

impl From<Expr> for String {
    fn from(expr: Expr) -> Self {
        expr.source.as_ref().to_owned()
    }
}

impl TryFrom<String> for Expr {
    type Error = ExprError;

    fn try_from(source: String) -> Result<Self, Self::Error> {
        Self::compile(&source)
    }
}

impl std::str::FromStr for Expr {
    type Err = ExprError;

    fn from_str(source: &str) -> Result<Self, Self::Err> {
        Self::compile(source)
    }
}

#[cfg(test)]
mod tests;

//! The report, as it is serialised.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use serde::Serialize;

use crate::decision::{Decision, Served, Tally};
use crate::finding::Finding;
use crate::plan::Plan;
use crate::problem::Problem;
use crate::sample::{Sample, Step};
use crate::stats::{Percentiles, rounded};

/// A smoke test's report. Its JSON form is stable: fields are added, never renamed or removed.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Report {
    /// Whether the server was a simulation, so that the figures say nothing of a real one.
    pub simulated: bool,
    /// The server.
    pub server: String,
    /// What was asked.
    pub setup: Setup,
    /// One for each model, in the order in which they were tested.
    pub models: Vec<ModelReport>,
    /// Whether the test was ended early.
    pub interrupted: bool,
    /// Whether every model reaches the threshold.
    pub holds: bool,
}

/// What was asked of each model.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Setup {
    /// The name that the schema was sent under.
    pub schema: String,
    /// Requests for each model.
    pub requests: u32,
    /// Requests at a time.
    pub concurrency: usize,
    /// Whether answers came as streams.
    pub stream: bool,
    /// Retries of a request.
    pub retries: u32,
    /// The dialect that the schema was to be lowered into, where it was set by hand.
    pub dialect: Option<&'static str>,
    /// By which means the models were told of the schema.
    pub schema_mode: &'static str,
    /// Whether values were changed to conform.
    pub coerce: bool,
    /// How often an answer that was none was asked for again.
    pub reask: u32,
    /// Whether nothing was done for answers to conform.
    pub as_is: bool,
    /// The share that has to pass.
    pub threshold: f64,
    /// Whether only endpoints that take every parameter were allowed; none where the server does
    /// not know the field.
    pub require_parameters: Option<bool>,
    /// What the third bar is: `expect`, `judge`, or none.
    pub third_bar: Option<&'static str>,
}

/// A model's runs, and what to do with it.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct ModelReport {
    /// The model.
    pub model: String,
    /// The first run; with a pin a second one, pinned.
    pub runs: Vec<Run>,
    /// What to do, by the last run.
    pub decision: Decision,
}

/// The requests of one run.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Run {
    /// The provider that the requests were pinned to.
    pub pinned: Option<String>,
    /// One for each provider, the one with the most requests first; requests of which the provider
    /// is not known are in one without a name.
    pub providers: Vec<Row>,
    /// All of them.
    pub total: Row,
    /// Each distinct problem, the most frequent first.
    pub problems: Vec<Distinct>,
    /// Every request, by its number.
    pub samples: Vec<Sample>,
}

/// Figures of some requests.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Row {
    /// The provider.
    pub provider: Option<String>,
    /// Requests.
    pub requests: u32,
    /// Answers that are JSON without any repair.
    pub parses_as_sent: u32,
    /// Answers that are JSON, as sent or after repair.
    pub parses: u32,
    /// Answers that conform.
    pub conforms: u32,
    /// Answers that conform as they were sent.
    pub conforms_as_sent: u32,
    /// Answers that conform as sent or after repair.
    pub conforms_after_repair: u32,
    /// Answers that conform as sent, after repair, or after coercion.
    pub conforms_after_coercion: u32,
    /// Answers that conform after all of it, asking again included: all that conform.
    pub conforms_after_reask: u32,
    /// Where the answers that broke the schema as they came did so first, as shares of their text:
    /// the mean.
    pub first_violation_share: Option<f64>,
    /// Answers that are right; none where nobody can say.
    pub right: Option<u32>,
    /// Answers that passed all bars, as sent or after repair.
    pub passed: u32,
    /// Those of them that needed repair.
    pub passed_after_repair: u32,
    /// Those of them that needed anything: repair, coercion, or asking again.
    pub passed_with_help: u32,
    /// How often each problem came up.
    pub problems: BTreeMap<Problem, u32>,
    /// From the request to the end of the answer, of those that were answered.
    pub latency: Option<Percentiles>,
    /// From the request to the first token, of streams.
    pub first_token: Option<Percentiles>,
    /// Tokens in, of those that say.
    pub prompt_tokens: Option<u64>,
    /// Tokens out, of those that say.
    pub completion_tokens: Option<u64>,
    /// USD, of those that say.
    pub cost: Option<f64>,
}

/// A problem that came up, once or more often.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Distinct {
    /// How often.
    pub count: u32,
    /// At which providers, as far as is known.
    pub providers: BTreeSet<String>,
    /// In which requests, by number.
    pub requests: Vec<u32>,
    /// The first of them.
    #[serde(flatten)]
    pub finding: Finding,
}

/// What a report comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Conclusion {
    /// Every model reaches the threshold.
    Holds,
    /// One does not.
    Below,
    /// No request was answered, for good reasons: a refused key, no such model.
    Permanent,
    /// No request was answered, and trying again may help.
    Transient,
    /// Ended early.
    Interrupted,
}

impl Report {
    pub(crate) fn new(plan: &Plan, host: String, openrouter: bool) -> Self {
        let required = |provider: &serde_json::Value| {
            provider
                .get("require_parameters")
                .and_then(serde_json::Value::as_bool)
        };
        let asked = plan.request.get("provider").and_then(required);
        Self {
            simulated: plan.simulated,
            server: plan.server.clone().unwrap_or(host),
            setup: Setup {
                schema: plan.schema_name.clone(),
                requests: plan.requests,
                concurrency: plan.concurrency,
                stream: plan.stream,
                retries: plan.retries,
                dialect: plan.help.dialect.map(tamis::schema::Dialect::name),
                schema_mode: plan.help.mode.as_str(),
                coerce: plan.help.coerce,
                reask: plan.help.reask,
                as_is: plan.help.as_is,
                threshold: plan.threshold,
                require_parameters: openrouter.then(|| asked.unwrap_or(true)),
                third_bar: plan.truth.as_ref().map(|truth| match truth {
                    crate::score::Truth::Expect(_) => "expect",
                    crate::score::Truth::Judge(_) => "judge",
                }),
            },
            models: Vec::new(),
            interrupted: false,
            holds: false,
        }
    }

    pub(crate) fn add(&mut self, model: ModelReport) {
        self.models.push(model);
        self.holds = self.models.iter().all(|model| model.decision.holds);
    }

    /// What it comes to, for an exit code.
    pub fn conclusion(&self) -> Conclusion {
        if self.interrupted {
            return Conclusion::Interrupted;
        }
        if self.holds {
            return Conclusion::Holds;
        }
        let mut failures = self.samples().map(|sample| sample.failure.as_ref());
        let mut any_permanent = false;
        let unanswered = failures.all(|failure| {
            any_permanent |= failure.is_some_and(|failure| !failure.transient);
            failure.is_some()
        });
        match (unanswered, any_permanent) {
            (true, true) => Conclusion::Permanent,
            (true, false) if self.samples().next().is_some() => Conclusion::Transient,
            _ => Conclusion::Below,
        }
    }

    /// Every request of every run.
    pub fn samples(&self) -> impl Iterator<Item = &Sample> {
        self.models
            .iter()
            .flat_map(|model| &model.runs)
            .flat_map(|run| &run.samples)
    }
}

impl Run {
    pub(crate) fn new(pinned: Option<String>, mut samples: Vec<Sample>) -> Self {
        samples.sort_by_key(|sample| sample.number);
        let mut names: Vec<Option<&str>> = samples
            .iter()
            .map(|sample| sample.provider.as_deref())
            .collect();
        names.sort_unstable();
        names.dedup();
        let mut providers: Vec<Row> = names
            .into_iter()
            .map(|name| {
                let own = samples
                    .iter()
                    .filter(|sample| sample.provider.as_deref() == name);
                Row::new(name.map(str::to_owned), own)
            })
            .collect();
        providers.sort_by(|a, b| {
            let unknown = |row: &Row| row.provider.is_none();
            unknown(a)
                .cmp(&unknown(b))
                .then(b.requests.cmp(&a.requests))
                .then_with(|| a.provider.cmp(&b.provider))
        });
        Self {
            pinned,
            providers,
            total: Row::new(None, samples.iter()),
            problems: distinct(&samples),
            samples,
        }
    }

    /// What a decision needs of it.
    pub(crate) fn tally(&self, threshold: f64, interrupted: bool) -> Tally {
        let mut providers = Vec::new();
        let mut unserved = 0;
        for row in &self.providers {
            // Where others are named, a request that failed without a name reached none.
            let reached = match &row.provider {
                Some(_) => row.requests,
                None => self
                    .samples
                    .iter()
                    .filter(|sample| sample.provider.is_none() && sample.failure.is_none())
                    .count()
                    .try_into()
                    .unwrap_or(u32::MAX),
            };
            unserved += row.requests - reached;
            if reached > 0 {
                providers.push(Served {
                    name: row.provider.clone(),
                    passed: row.passed,
                    repaired: row.passed_with_help,
                    requests: reached,
                    latency: row.latency.map(|latency| latency.p50_ms),
                });
            }
        }
        let unanswered = self
            .samples
            .iter()
            .filter(|sample| sample.failure.is_some())
            .count();
        Tally {
            providers,
            unserved,
            unanswered: unanswered.try_into().unwrap_or(u32::MAX),
            threshold,
            pinned: self.pinned.clone(),
            interrupted,
        }
    }
}

impl Row {
    fn new<'a>(provider: Option<String>, samples: impl Iterator<Item = &'a Sample>) -> Self {
        let samples: Vec<&Sample> = samples.collect();
        let count = |holds: fn(&Sample) -> bool| {
            let number = samples.iter().filter(|sample| holds(sample)).count();
            u32::try_from(number).unwrap_or(u32::MAX)
        };
        let mut problems = BTreeMap::new();
        for finding in samples.iter().filter_map(|sample| sample.finding.as_ref()) {
            *problems.entry(finding.problem).or_insert(0) += 1;
        }
        let times = |time: fn(&Sample) -> Option<Duration>| {
            Percentiles::of(samples.iter().filter_map(|sample| time(sample)).collect())
        };
        let by = |step: Step| {
            let reached =
                |sample: &&&Sample| sample.conforms_after.is_some_and(|after| after <= step);
            u32::try_from(samples.iter().filter(reached).count()).unwrap_or(u32::MAX)
        };
        let judged = samples.iter().any(|sample| sample.bars.right.is_some());
        Self {
            provider,
            requests: count(|_| true),
            parses_as_sent: count(|sample| sample.bars.parses_as_sent),
            parses: count(|sample| sample.bars.parses),
            conforms: count(|sample| sample.bars.conforms),
            conforms_as_sent: by(Step::AsSent),
            conforms_after_repair: by(Step::Repair),
            conforms_after_coercion: by(Step::Coercion),
            conforms_after_reask: by(Step::Reask),
            first_violation_share: mean(&samples),
            right: judged.then(|| count(|sample| sample.bars.right == Some(true))),
            passed: count(Sample::passed),
            passed_after_repair: count(Sample::passed_after_repair),
            passed_with_help: count(Sample::passed_with_help),
            problems,
            latency: times(|sample| sample.failure.is_none().then_some(sample.latency)),
            first_token: times(|sample| sample.first_token),
            prompt_tokens: sum(&samples, |sample| sample.prompt_tokens),
            completion_tokens: sum(&samples, |sample| sample.completion_tokens),
            cost: samples
                .iter()
                .filter_map(|sample| sample.cost)
                .reduce(|a, b| a + b)
                .map(|sum| rounded(sum, 10)),
        }
    }
}

/// Where answers first break the schema, on the whole.
fn mean(samples: &[&Sample]) -> Option<f64> {
    let mut count = 0.0;
    let sum = samples
        .iter()
        .filter_map(|sample| sample.first_violation.as_ref())
        .inspect(|_| count += 1.0)
        .map(|first| first.share)
        .reduce(|a, b| a + b)?;
    Some(rounded(sum / count, 3))
}

/// The sum of those that say; none where none does.
fn sum(samples: &[&Sample], figure: fn(&Sample) -> Option<u64>) -> Option<u64> {
    samples
        .iter()
        .filter_map(|sample| figure(sample))
        .reduce(u64::saturating_add)
}

fn distinct(samples: &[Sample]) -> Vec<Distinct> {
    let mut found: BTreeMap<(Problem, String), Distinct> = BTreeMap::new();
    for sample in samples {
        let Some(finding) = &sample.finding else {
            continue;
        };
        let entry = found.entry(finding.key()).or_insert_with(|| Distinct {
            count: 0,
            providers: BTreeSet::new(),
            requests: Vec::new(),
            finding: finding.clone(),
        });
        entry.count += 1;
        entry.providers.extend(sample.provider.clone());
        entry.requests.push(sample.number);
    }
    let mut distinct: Vec<Distinct> = found.into_values().collect();
    distinct.sort_by_key(|problem| std::cmp::Reverse(problem.count));
    distinct
}

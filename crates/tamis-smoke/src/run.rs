//! Making the requests.

use std::future::Future;
use std::pin::pin;
use std::time::Duration;

use futures_util::{FutureExt, StreamExt, stream};
use serde_json::{Map, Value};
use tamis::wire::{Completion, Failure, FailureKind};
use tamis::{Answer, Client, LedgerEntry, ledger};
use tokio::time::Instant;

use crate::attribution::Witness;
use crate::decision::Verdict;
use crate::diagnose;
use crate::error::SmokeError;
use crate::plan::Plan;
use crate::report::{ModelReport, Report, Run};
use crate::sample::{Sample, ServiceFailure};
use crate::save::{Archive, Tape};
use crate::score::Ruler;

/// How far a smoke test is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Progress<'a> {
    /// The model that is tested.
    pub model: &'a str,
    /// The provider that its requests are pinned to.
    pub pinned: Option<&'a str>,
    /// Requests of this run that have ended.
    pub done: u32,
    /// Requests of this run.
    pub total: u32,
    /// Requests of this run that passed all bars.
    pub passed: u32,
}

/// Makes a plan's requests, and decides.
///
/// `watch` is told at the beginning of each run and after each of its requests. When `stop` ends,
/// what is under way is cancelled, and the report has what was measured so far; pass
/// [`std::future::pending`] to let it run to its end.
///
/// ```no_run
/// # async fn example() -> Result<(), Box<dyn std::error::Error>> {
/// use tamis_smoke::{Plan, Verdict};
///
/// let client = tamis::Client::from_env()?;
/// let plan = Plan::example().model("openai/gpt-4o")?;
/// let report = tamis_smoke::run(&client, &plan, |_| {}, std::future::pending()).await?;
/// for model in &report.models {
///     println!("{}: {}", model.model, model.decision.verdict);
/// }
/// # Ok(())
/// # }
/// ```
///
/// # Errors
///
/// The plan is at fault: no model, a schema or a request that is refused before it is sent, a judge
/// that cannot be run, a folder that cannot be written. What an endpoint does wrong is in the
/// report.
pub async fn run(
    client: &Client,
    plan: &Plan,
    mut watch: impl FnMut(Progress<'_>),
    stop: impl Future<Output = ()>,
) -> Result<Report, SmokeError> {
    if plan.models.is_empty() {
        return Err(SmokeError::new("no model to test"));
    }
    let mut tester = Tester {
        client,
        plan,
        archive: plan
            .save
            .clone()
            .map(|root| Archive::create(client, root))
            .transpose()?,
    };
    let mut report = Report::new(plan, client.host(), client.speaks_openrouter());
    let mut stop = pin!(stop.fuse());
    for model in &plan.models {
        let own_pin = plan.own_pin().filter(|_| client.speaks_openrouter());
        let (first, mut interrupted) = tester
            .measure(model, None, own_pin.as_deref(), &mut watch, &mut stop)
            .await?;
        let mut decision = first.tally(plan.threshold, interrupted).decide();
        let mut runs = vec![first];
        let pin = match decision.verdict {
            Verdict::Pin | Verdict::Ship if plan.pin && own_pin.is_none() => {
                decision.provider.clone()
            }
            _ => None,
        };
        if let Some(pin) = pin {
            let (second, ended) = tester
                .measure(model, Some(&pin), Some(&pin), &mut watch, &mut stop)
                .await?;
            interrupted = ended;
            decision = second.tally(plan.threshold, interrupted).decide();
            runs.push(second);
        }
        report.add(ModelReport {
            model: model.clone(),
            runs,
            decision,
        });
        report.interrupted |= interrupted;
        if interrupted {
            break;
        }
    }
    Ok(report)
}

struct Tester<'a> {
    client: &'a Client,
    plan: &'a Plan,
    archive: Option<Archive>,
}

impl Tester<'_> {
    /// One run; whether it was ended early.
    ///
    /// `pin` is what the requests are pinned to here, `pinned` what they are pinned to at all.
    async fn measure(
        &mut self,
        model: &str,
        pin: Option<&str>,
        pinned: Option<&str>,
        watch: &mut impl FnMut(Progress<'_>),
        stop: &mut (impl Future<Output = ()> + Unpin),
    ) -> Result<(Run, bool), SmokeError> {
        let body = self.plan.body(model, self.client.speaks_openrouter(), pin);
        let ruler = self.plan.ruler(self.client, &body)?;
        let folder = match &mut self.archive {
            Some(archive) => archive.open_run(model, pin)?,
            None => String::new(),
        };
        let mut progress = Progress {
            model,
            pinned,
            done: 0,
            total: self.plan.requests,
            passed: 0,
        };
        watch(progress);
        let (client, plan) = (self.client, self.plan);
        let (body, ruler) = (&body, &ruler);
        let mut pending = stream::iter(1..=plan.requests)
            .map(|number| async move {
                let tape = Tape::new(plan.save.is_some());
                let sample = request(client, plan, ruler, body, number, &tape).await?;
                Ok::<_, SmokeError>((sample, tape))
            })
            .buffer_unordered(plan.concurrency);
        let mut samples = Vec::new();
        let mut interrupted = false;
        loop {
            let next = tokio::select! {
                biased;
                () = &mut *stop => {
                    interrupted = true;
                    break;
                }
                next = pending.next() => next,
            };
            let Some(ended) = next else { break };
            let (sample, tape) = ended?;
            if let Some(archive) = &mut self.archive {
                archive.keep(&folder, model, &sample, &tape)?;
            }
            progress.done += 1;
            progress.passed += u32::from(sample.passed());
            watch(progress);
            samples.push(sample);
        }
        Ok((Run::new(pinned.map(str::to_owned), samples), interrupted))
    }
}

/// What a request came to.
struct Exchange {
    result: Result<Completion, Failure>,
    latency: Duration,
    first_token: Option<Duration>,
    attempts: u32,
    /// What was asked for before, and was no answer.
    earlier: Vec<LedgerEntry>,
}

async fn request(
    client: &Client,
    plan: &Plan,
    ruler: &Ruler,
    body: &Map<String, Value>,
    number: u32,
    tape: &Tape,
) -> Result<Sample, SmokeError> {
    let exchange = exchange(client, plan, body.clone(), tape).await;
    let (completion, failure) = match &exchange.result {
        Ok(completion) => (Some(completion), None),
        Err(failure) => (failure.completion(), Some(failure)),
    };
    if let Some(failure) = failure
        && failure.kind() == FailureKind::Validation
    {
        return Err(SmokeError::new(failure.message()));
    }
    let score = match (completion, failure) {
        (Some(completion), None) => {
            let score = ruler.score(completion, &exchange.earlier).await;
            score.map_err(|unfit| SmokeError::new(unfit.to_string()))?
        }
        (_, failure) => ruler.failed(failure.map(diagnose::failure)),
    };
    let witness = Witness {
        completion,
        failure,
    };
    let (provider, attribution) = witness.provider(client, plan.lookup).await;
    let id = completion
        .and_then(|completion| completion.id.clone())
        .or_else(|| failure?.generation_id().map(str::to_owned));
    let mut sample = Sample {
        number,
        provider,
        attribution,
        bars: score.bars,
        finding: score.finding,
        repairs: score.repairs,
        coercions: score.coercions,
        conforms_after: score.conforms_after,
        first_violation: score.first_violation,
        failure: failure.map(ServiceFailure::new),
        latency: exchange.latency,
        first_token: exchange.first_token,
        prompt_tokens: None,
        completion_tokens: None,
        cost: None,
        generation_id: id,
        attempts: exchange.attempts,
    };
    if let Some(completion) = completion {
        sample.count(completion.usage.as_ref(), completion.cost());
    }
    Ok(sample)
}

async fn exchange(client: &Client, plan: &Plan, body: Map<String, Value>, tape: &Tape) -> Exchange {
    let chat = tape.record(plan.chat(client, body));
    let started = Instant::now();
    let mut first_token = None;
    let mut earlier = Vec::new();
    let result = if plan.stream {
        match chat.stream().await {
            Ok(mut stream) => {
                while let Some(item) = stream.next().await {
                    if first_token.is_none() && item.is_ok_and(|chunk| chunk.is_meaningful()) {
                        first_token = Some(started.elapsed());
                    }
                }
                stream.finish().await
            }
            Err(failure) => Err(failure),
        }
    } else if plan.help.reask > 0 && !plan.help.as_is {
        let (result, ledger) = asked_again(chat.answer().await);
        earlier = ledger;
        result
    } else {
        chat.send().await
    };
    let latency = started.elapsed();
    let attempts = match &result {
        Err(failure) if failure.attempts() > 0 => failure.attempts(),
        _ => tape.attempts().unwrap_or(1),
    };
    Exchange {
        result,
        latency,
        first_token,
        attempts,
        earlier,
    }
}

/// The last completion that was asked for, and what those before it came to. One that is no answer is
/// scored like any other.
fn asked_again(
    answered: Result<Answer<Value>, Failure>,
) -> (Result<Completion, Failure>, Vec<LedgerEntry>) {
    let (result, mut ledger) = match answered {
        Ok(answer) => (Ok(answer.completion), answer.ledger),
        Err(failure) => {
            let ledger = ledger(&failure).to_vec();
            // The last request came to a completion, unless it failed itself.
            match failure.completion().cloned() {
                Some(completion) if !ledger.is_empty() => (Ok(completion), ledger),
                _ => return (Err(failure), ledger),
            }
        }
    };
    ledger.pop();
    (result, ledger)
}

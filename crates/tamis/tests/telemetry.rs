//! What the spans say, and that they hold no content and no key.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::fmt::{Debug, Write};
use std::sync::{Arc, Mutex};

use tamis::Client;
use tamis_sim::Sim;
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Metadata, Subscriber};

/// Writes down every field of every span and event.
#[derive(Clone, Default)]
struct Written(Arc<Mutex<String>>);

impl Visit for Written {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        writeln!(self.0.lock().unwrap(), "{}={value:?}", field.name()).unwrap();
    }
}

impl Subscriber for Written {
    fn enabled(&self, _: &Metadata<'_>) -> bool {
        true
    }
    fn new_span(&self, attributes: &Attributes<'_>) -> Id {
        attributes.record(&mut self.clone());
        Id::from_u64(1)
    }
    fn record(&self, _: &Id, values: &Record<'_>) {
        values.record(&mut self.clone());
    }
    fn record_follows_from(&self, _: &Id, _: &Id) {}
    fn event(&self, event: &Event<'_>) {
        event.record(&mut self.clone());
    }
    fn enter(&self, _: &Id) {}
    fn exit(&self, _: &Id) {}
}

#[tokio::test]
async fn spans_have_the_conventions_names_and_nothing_private() {
    let written = Written::default();
    let guard = tracing::subscriber::set_default(written.clone());
    let sim = Sim::builder().seed(3).start().await.unwrap();
    let client = Client::builder()
        .base_url(sim.base_url())
        .openrouter(true)
        .api_key("sk-private")
        .build()
        .unwrap();
    let chat = || client.chat("openai/gpt-4o").user("a private question");
    let completion = chat().send().await.unwrap();
    chat().stream().await.unwrap().finish().await.unwrap();
    client
        .chat("sim/unauthorized")
        .user("x")
        .send()
        .await
        .unwrap_err();
    drop(guard);

    let text = written.0.lock().unwrap().clone();
    for field in [
        "gen_ai.operation.name=\"chat\"",
        "gen_ai.request.model=\"openai/gpt-4o\"",
        "gen_ai.response.model=",
        "gen_ai.usage.input_tokens=",
        "gen_ai.usage.output_tokens=",
        "gen_ai.response.finish_reasons=\"stop\"",
        "tamis.provider=",
        "tamis.attempts=1",
        "error.type=\"Authentication\"",
    ] {
        assert!(text.contains(field), "{field} in\n{text}");
    }
    assert_eq!(text.matches("gen_ai.usage.output_tokens=").count(), 2);
    for private in [
        "sk-private",
        "a private question",
        completion.text().unwrap().as_ref(),
    ] {
        assert!(!text.contains(private), "{private}");
    }
}

//! The tables are whole, and every fact has a source.

use std::collections::BTreeSet;

use super::{Dialect, KEYWORDS};

#[test]
fn every_table_says_something_of_every_keyword_once() {
    for dialect in Dialect::all() {
        let mut seen = BTreeSet::new();
        for fact in dialect.table().facts {
            for keyword in fact.keywords {
                assert!(
                    KEYWORDS.contains(keyword),
                    "{dialect}: {keyword} is no keyword"
                );
                assert!(seen.insert(*keyword), "{dialect}: {keyword} twice");
            }
        }
        let missing: Vec<_> = KEYWORDS
            .iter()
            .filter(|word| !seen.contains(**word))
            .collect();
        assert!(missing.is_empty(), "{dialect}: nothing of {missing:?}");
    }
}

#[test]
fn every_fact_has_a_source_with_a_date() {
    for dialect in Dialect::all() {
        let table = dialect.table();
        assert!(!table.sources.is_empty(), "{dialect}");
        for fact in table.facts {
            assert!(table.source(fact.source).is_some(), "{dialect}: {fact:?}");
        }
        for source in table.sources {
            assert!(
                !source.title.is_empty() && !source.id.is_empty(),
                "{dialect}"
            );
            let parts: Vec<&str> = source.date.split('-').collect();
            assert!((2..=3).contains(&parts.len()), "{dialect}: {}", source.date);
            assert!(
                parts.iter().all(|part| part.parse::<u16>().is_ok()),
                "{dialect}"
            );
        }
    }
}

#[test]
fn names_are_unique_and_read_back() {
    let names: BTreeSet<&str> = Dialect::all().map(Dialect::name).collect();
    assert_eq!(names.len(), Dialect::all().len());
    for dialect in Dialect::all() {
        assert_eq!(dialect.name().parse::<Dialect>(), Ok(dialect));
    }
    let error = "openai".parse::<Dialect>().unwrap_err();
    assert!(error.to_string().contains("openai-strict"));
}

#[test]
fn what_is_restricted_says_how() {
    for dialect in Dialect::all() {
        for fact in dialect.table().facts {
            let must = fact.support == super::Support::Restricted;
            assert!(!must || !fact.note.is_empty(), "{dialect}: {fact:?}");
        }
    }
}

#[test]
fn the_portable_dialect_asks_no_more_than_any_other_gives() {
    let portable = Dialect::PORTABLE.table();
    for dialect in Dialect::all() {
        let table = dialect.table();
        for fact in portable
            .facts
            .iter()
            .filter(|fact| fact.support.is_enforced())
        {
            for keyword in fact.keywords {
                let other = table.keyword(keyword).unwrap();
                assert_ne!(
                    other.support,
                    super::Support::Rejected,
                    "{dialect}: {keyword}"
                );
            }
        }
        for (own, other) in [
            (portable.limits.properties, table.limits.properties),
            (portable.limits.depth, table.limits.depth),
            (portable.limits.enum_values, table.limits.enum_values),
            (
                portable.limits.enum_values_each,
                table.limits.enum_values_each,
            ),
            (portable.limits.characters, table.limits.characters),
            (portable.limits.unions, table.limits.unions),
            (portable.limits.branches, table.limits.branches),
            (
                portable.limits.schema_characters,
                table.limits.schema_characters,
            ),
        ] {
            let Some(other) = other else { continue };
            assert!(
                own.is_some_and(|own| own <= other),
                "{dialect}: {own:?} above {other}"
            );
        }
    }
}

#[test]
fn models_and_providers_are_found() {
    for (model, dialect) in [
        ("openai/gpt-4o-mini", Some(Dialect::OPENAI_STRICT)),
        ("openai/o3", Some(Dialect::OPENAI_STRICT)),
        ("gpt-5.2", Some(Dialect::OPENAI_STRICT)),
        ("openai/gpt-oss-20b", None),
        ("~anthropic/claude-opus-4.7:beta", Some(Dialect::ANTHROPIC)),
        ("google/gemini-3-flash", Some(Dialect::GEMINI)),
        ("google/gemma-3-27b-it", None),
        ("x-ai/grok-4", Some(Dialect::XAI)),
        ("meta-llama/llama-4-scout", None),
        ("deepseek/deepseek-chat", None),
        ("local", None),
    ] {
        assert_eq!(Dialect::for_model(model), dialect, "{model}");
    }
    for (provider, dialect) in [
        ("OpenAI", Some(Dialect::OPENAI_STRICT)),
        ("Azure", Some(Dialect::AZURE)),
        ("google-vertex/global", Some(Dialect::GEMINI)),
        ("DeepSeek", Some(Dialect::DEEPSEEK_TOOLS)),
        ("Groq", Some(Dialect::GROQ_STRICT)),
        ("Fireworks", Some(Dialect::FIREWORKS)),
        ("Mistral", Some(Dialect::MISTRAL)),
        ("", None),
    ] {
        assert_eq!(Dialect::for_provider(provider), dialect, "{provider}");
    }
}

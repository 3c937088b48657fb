//! The walk and the references.

use serde_json::{Value, json};

use super::{Document, Place, Target};

fn pointers(schema: &Value) -> Vec<String> {
    Document::new(schema)
        .nodes()
        .iter()
        .map(|node| node.pointer.clone())
        .collect()
}

#[test]
fn every_schema_is_seen_once_and_nothing_else() {
    let schema = json!({
        "type": "object",
        "properties": {"a/b": {"enum": [{"type": "no schema"}]}, "items": {"items": [true, {}]}},
        "default": {"type": "no schema"},
        "anyOf": [{"not": {}}, {"dependencies": {"x": ["y"], "z": {}}}],
        "$defs": {"d": {"patternProperties": {"^x": {}}}},
    });
    assert_eq!(
        pointers(&schema),
        [
            "",
            "/properties/a~1b",
            "/properties/items",
            "/properties/items/items/0",
            "/properties/items/items/1",
            "/anyOf/0",
            "/anyOf/0/not",
            "/anyOf/1",
            "/anyOf/1/dependencies/z",
            "/$defs/d",
            "/$defs/d/patternProperties/^x",
        ]
    );
}

#[test]
fn references_lead_where_they_say() {
    let schema = json!({
        "properties": {
            "pointer": {"$ref": "#/$defs/a"},
            "anchor": {"$ref": "#here"},
            "id": {"$ref": "https://example.org/b"},
            "inside": {"$ref": "https://example.org/b#/properties/c"},
            "escaped": {"$ref": "#/$defs/x%20~1y"},
            "elsewhere": {"$ref": "#/components/c"},
            "root": {"$ref": "#"},
            "missing": {"$ref": "#/$defs/none"},
            "external": {"$ref": "https://example.org/other.json"},
            "odd": {"$ref": 7},
        },
        "$defs": {
            "a": {"$anchor": "here"},
            "b": {"$id": "https://example.org/b", "properties": {"c": {}}},
            "x /y": {},
        },
        "components": {"c": {"items": {"$ref": "#/$defs/a"}}},
    });
    let document = Document::new(&schema);
    let target = |name: &str| {
        let found = document
            .nodes()
            .iter()
            .position(|node| node.place == Place::Property(name))
            .unwrap();
        match document.target(found) {
            Target::Node(index) => document.node(*index).unwrap().pointer.clone(),
            other => format!("{other:?}"),
        }
    };
    for (name, expected) in [
        ("pointer", "/$defs/a"),
        ("anchor", "/$defs/a"),
        ("id", "/$defs/b"),
        ("inside", "/$defs/b/properties/c"),
        ("escaped", "/$defs/x ~1y"),
        ("elsewhere", "/components/c"),
        ("root", ""),
        ("missing", "Missing"),
        ("external", "External"),
        ("odd", "Missing"),
    ] {
        assert_eq!(target(name), expected, "{name}");
    }
    assert!(pointers(&schema).contains(&"/components/c/items".to_owned()));
}

#[test]
fn cycles_are_found_and_repeats_are_none() {
    let rows = [
        (
            json!({"properties": {"a": {"$ref": "#/$defs/n"}, "b": {"$ref": "#/$defs/n"}}, "$defs": {"n": {}}}),
            0,
        ),
        (json!({"properties": {"next": {"$ref": "#"}}}), 1),
        (
            json!({"$ref": "#/definitions/A", "definitions": {
                "A": {"properties": {"b": {"$ref": "#/definitions/B"}}},
                "B": {"properties": {"a": {"$ref": "#/definitions/A"}}}}}),
            1,
        ),
        (json!({"$defs": {"n": {"$ref": "#/$defs/n"}}}), 1),
    ];
    for (schema, expected) in rows {
        assert_eq!(
            Document::new(&schema).cycles(&[]).len(),
            expected,
            "{schema}"
        );
    }
}

#[test]
fn depth_counts_objects() {
    let schema = json!({"type": "object", "properties": {"a": {"type": "array", "items":
        {"type": "object", "properties": {"b": {"type": "string"}}}}},
        "$defs": {"d": {"type": "object"}}});
    let document = Document::new(&schema);
    let deepest = document.nodes().iter().map(|node| node.depth).max();
    assert_eq!(deepest, Some(2));
}

/// A ring of references, each schema of which also refers to all that it came from.
fn ring(size: usize) -> Value {
    let definitions = (0..size).map(|number| {
        let next = (number + 1) % size;
        let properties = json!({
            "on": {"$ref": format!("#/$defs/d{next}")},
            "back": {"$ref": format!("#/$defs/d{}", number.saturating_sub(1))},
        });
        (format!("d{number}"), json!({"properties": properties}))
    });
    json!({"$ref": "#/$defs/d0", "$defs": definitions.collect::<serde_json::Map<_, _>>()})
}

#[test]
fn a_cycle_is_told_by_its_beginning() {
    let schema = ring(40);
    let document = Document::new(&schema);
    let all = vec![true; document.nodes().len()];
    let cycles = document.cycles(&all);
    let longest = cycles.iter().map(|cycle| cycle.length).max();
    assert_eq!(longest, Some(40));
    assert!(cycles.iter().all(|cycle| cycle.first.len() <= 8));
    assert!(cycles.iter().all(|cycle| cycle.marked && !cycle.endless));
    assert!(document.cycles(&[]).iter().all(|cycle| !cycle.marked));
    let endless =
        json!({"$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}, "c": {}}});
    let cycles = Document::new(&endless).cycles(&[]);
    assert!(matches!(cycles.as_slice(), [one] if one.endless && one.length == 2));
}

#[test]
fn many_cycles_cost_no_more_than_their_number() {
    let schema = ring(20_000);
    let start = std::time::Instant::now();
    let cycles = Document::new(&schema).cycles(&[]);
    let kept: usize = cycles.iter().map(|cycle| cycle.first.len()).sum();
    assert!(cycles.len() > 19_000, "{}", cycles.len());
    assert!(kept <= 8 * cycles.len());
    assert!(start.elapsed().as_secs() < 5, "{:?}", start.elapsed());
}

#[test]
fn pointers_under_a_long_name_are_bounded_together() {
    let children: serde_json::Map<_, _> = (0..5_000)
        .map(|number| (format!("p{number}"), json!({})))
        .collect();
    let schema = json!({"properties": {"k".repeat(200_000): {"properties": children}}});
    let document = Document::new(&schema);
    let bytes: usize = document.nodes().iter().map(|node| node.pointer.len()).sum();
    assert!(document.is_truncated());
    assert!(bytes <= super::MAX_POINTER_BYTES, "{bytes}");
    assert!(document.nodes().len() > 100);
    // The same under a short name is read whole.
    let children = schema.pointer(&format!("/properties/{}", "k".repeat(200_000)));
    let schema = json!({"properties": {"k": children}});
    let document = Document::new(&schema);
    assert!(!document.is_truncated() && document.nodes().len() == 5_002);
}

#[test]
fn a_deep_document_is_walked_without_recursion() {
    let mut schema = json!({});
    for _ in 0..2_000 {
        // `json!` would copy it, and recurse.
        schema = Value::Object([("items".to_owned(), schema)].into_iter().collect());
    }
    assert_eq!(Document::new(&schema).nodes().len(), 2_001);
}

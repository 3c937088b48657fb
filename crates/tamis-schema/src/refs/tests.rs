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
        assert_eq!(Document::new(&schema).cycles().len(), expected, "{schema}");
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

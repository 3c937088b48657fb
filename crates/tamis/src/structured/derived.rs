//! Schemas made from the caller's own types.

use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde_json::Value;

/// The schema of a type, closed and with every property required where the type's own attributes do
/// not say otherwise.
pub(crate) fn schema<T: JsonSchema>() -> Value {
    let settings = SchemaSettings::draft2020_12().with(|settings| settings.meta_schema = None);
    let mut schema = settings
        .into_generator()
        .into_root_schema_for::<T>()
        .to_value();
    close_objects(&mut schema);
    schema
}

/// Strict providers want objects closed, and so does a caller who names the fields.
fn close_objects(schema: &mut Value) {
    match schema {
        Value::Object(fields) => {
            let is_object = fields.get("type").is_some_and(|kind| kind == "object");
            if is_object
                && fields.contains_key("properties")
                && !fields.contains_key("additionalProperties")
            {
                fields.insert("additionalProperties".to_owned(), Value::Bool(false));
            }
            fields.values_mut().for_each(close_objects);
        }
        Value::Array(items) => items.iter_mut().for_each(close_objects),
        _ => {}
    }
}

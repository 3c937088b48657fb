//! What is wrong, in words that hold nothing of the value.

pub(super) fn words(keyword: &str) -> &'static str {
    match keyword {
        "type" => "the value is of a type that is not allowed",
        "enum" => "the value is none of those that are allowed",
        "const" => "the value is not the one that is allowed",
        "minLength" => "the text is too short",
        "maxLength" => "the text is too long",
        "minimum" | "exclusiveMinimum" => "the number is too small",
        "maximum" | "exclusiveMaximum" => "the number is too large",
        "maxItems" => "the array has too many items",
        "minItems" => "the array has too few items",
        "uniqueItems" => "two items of the array are equal",
        "contains" | "minContains" => "too few items fit what the array must contain",
        "maxContains" => "too many items fit what the array must contain",
        "required" => "a required property is missing",
        "dependentRequired" | "dependencies" => "a property is missing that another one requires",
        "additionalProperties" => "the object has a property that is not allowed",
        "minProperties" => "the object has too few properties",
        "maxProperties" => "the object has too many properties",
        "anyOf" => "the value fits none of the schemas",
        "oneOf" => "the value does not fit exactly one of the schemas",
        "not" => "the value fits a schema that it must not fit",
        "falseSchema" => "no value is allowed here",
        _ => "the value breaks the schema",
    }
}

//! Tools, their choice, and when they stop.

use serde_json::{Map, Value};

use super::options::check_cache_control;
use super::values::{
    Checked, Kind, check_all, get, list, needs_text, object, price, refuse, whole,
};

pub(super) fn check(request: &Map<String, Value>) -> Checked {
    if let Some(tools) = get(request, "tools") {
        for (place, tool) in list("tools", tools)?.iter().enumerate() {
            check_tool(&format!("tools[{place}]"), object("tools", tool)?)?;
        }
    }
    match get(request, "tool_choice") {
        None | Some(Value::String(_)) => {}
        Some(Value::Object(choice)) => check_choice(choice)?,
        Some(_) => return refuse("tool_choice: neither a word nor an object"),
    }
    if let Some(conditions) = get(request, "stop_server_tools_when") {
        let conditions = list("stop_server_tools_when", conditions)?;
        if conditions.is_empty() {
            return refuse("stop_server_tools_when: empty; at least one is needed");
        }
        for (place, condition) in conditions.iter().enumerate() {
            let path = format!("stop_server_tools_when[{place}]");
            check_condition(&path, object(&path, condition)?)?;
        }
    }
    Ok(())
}

/// Some servers take a function without the word `function`.
fn check_choice(choice: &Map<String, Value>) -> Checked {
    match get(choice, "function") {
        Some(function) => {
            let path = "tool_choice.function";
            needs_text(path, object(path, function)?, "name")
        }
        None => needs_text("tool_choice", choice, "type"),
    }
}

fn check_tool(path: &str, tool: &Map<String, Value>) -> Checked {
    if let Some(cache) = get(tool, "cache_control") {
        check_cache_control(&format!("{path}.cache_control"), cache)?;
    }
    match get(tool, "type").and_then(Value::as_str) {
        Some("function") => check_function(path, tool),
        Some("openrouter:web_search") => check_search(path, tool),
        _ => Ok(()),
    }
}

fn check_function(path: &str, tool: &Map<String, Value>) -> Checked {
    let path = format!("{path}.function");
    let function = match get(tool, "function") {
        Some(function) => object(&path, function)?,
        None => return refuse(format!("{path}: missing")),
    };
    let name = get(function, "name").and_then(Value::as_str);
    let name = name.unwrap_or_default();
    let allowed = |character: char| character.is_ascii_alphanumeric() || "_-".contains(character);
    if name.is_empty() || name.len() > 64 || !name.chars().all(allowed) {
        return refuse(format!(
            "{path}.name: letters, digits, _ and -, 1 to 64 of them"
        ));
    }
    let fields = [("description", Kind::Text), ("strict", Kind::Truth)];
    check_all(&path, function, &fields)
}

fn check_search(path: &str, tool: &Map<String, Value>) -> Checked {
    const FIELDS: &[(&str, Kind)] = &[
        ("engine", Kind::Text),
        ("max_results", Kind::Whole(1)),
        ("max_total_results", Kind::Whole(1)),
        ("max_uses", Kind::Whole(1)),
        ("max_characters", Kind::Whole(1)),
        ("allowed_domains", Kind::Texts),
        ("excluded_domains", Kind::Texts),
    ];
    let Some(parameters) = get(tool, "parameters") else {
        return Ok(());
    };
    let path = format!("{path}.parameters");
    let parameters = object(&path, parameters)?;
    check_all(&path, parameters, FIELDS)?;
    if get(parameters, "allowed_domains").is_some() && get(parameters, "excluded_domains").is_some()
    {
        return refuse(format!(
            "{path}: allowed_domains and excluded_domains; only one of both"
        ));
    }
    Ok(())
}

fn check_condition(path: &str, condition: &Map<String, Value>) -> Checked {
    let needed = |name: &str| match get(condition, name) {
        Some(value) => Ok((format!("{path}.{name}"), value)),
        None => refuse(format!("{path}.{name}: missing")),
    };
    needs_text(path, condition, "type")?;
    match get(condition, "type").and_then(Value::as_str) {
        Some("step_count_is") => {
            let (path, count) = needed("step_count")?;
            whole(&path, count, 1..=u64::MAX)
        }
        Some("max_tokens_used") => {
            let (path, count) = needed("max_tokens")?;
            whole(&path, count, 1..=u64::MAX)
        }
        Some("max_cost") => {
            let (path, cost) = needed("max_cost_in_dollars")?;
            price(&path, cost)
        }
        Some("has_tool_call") => needs_text(path, condition, "tool_name"),
        Some("finish_reason_is") => needs_text(path, condition, "reason"),
        _ => Ok(()),
    }
}

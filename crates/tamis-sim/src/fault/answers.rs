//! Faults of what the model says. The transport is in order.

use super::{Edit, Fault, Op, Tampering, ToolIndex};

const CALL_ONE: &[Edit] = &[Edit::Call(1)];
const CALL_TWO: &[Edit] = &[Edit::Call(2)];

pub(super) const TABLE: &[Fault] = &[
    Fault::answer(
        "conforming",
        "No fault: a conforming answer, told the way OpenRouter tells it",
        &[],
    ),
    Fault::answer(
        "fenced",
        "The JSON stands in a markdown fence",
        &[Edit::Fence],
    ),
    Fault::answer(
        "prose-around",
        "Prose stands before and after the JSON",
        &[Edit::Prose],
    ),
    Fault::answer(
        "prose-only",
        "Prose, with no JSON in it at all",
        &[Edit::ProseOnly],
    ),
    Fault::answer(
        "fenced-in-prose",
        "The JSON stands in a markdown fence, with prose around the fence",
        &[Edit::Fence, Edit::Prose],
    ),
    Fault::answer(
        "other-shape",
        "The schema is ignored: valid JSON of another shape",
        &[Edit::OtherShape],
    ),
    Fault::answer(
        "trivial-answer",
        "The whole answer is [1]",
        &[Edit::Trivial],
    ),
    Fault::answer(
        "missing-property",
        "The object's first property is missing",
        &[Edit::DropProperty],
    ),
    Fault::answer(
        "extra-property",
        "The object has a property that is not in the schema",
        &[Edit::AddProperty],
    ),
    Fault::answer(
        "wrong-type",
        "The first value has the wrong type: a number as a string, a string as a number",
        &[Edit::WrongType],
    ),
    Fault::answer(
        "enum-case",
        "The first text value comes in upper case, so an enum's value is none of its values",
        &[Edit::UpperCase],
    ),
    Fault::answer(
        "trailing-comma",
        "A comma stands before the last bracket of the JSON",
        &[Edit::TrailingComma],
    ),
    Fault::answer(
        "double-encoded",
        "The JSON comes as the text of a JSON string",
        &[Edit::DoubleEncode],
    ),
    Fault::answer(
        "empty-content",
        "200, finish reason stop, and empty content",
        &[Edit::Empty],
    ),
    Fault::answer(
        "json-in-reasoning",
        "The content is null, and the JSON is in the reasoning",
        &[Edit::IntoReasoning],
    ),
    Fault::answer(
        "truncated",
        "The answer is cut at max_tokens, finish reason length",
        &[Edit::Halve, Edit::Finish("length", "max_tokens")],
    ),
    Fault::answer(
        "truncated-but-parses",
        "Finish reason length, although the text looks complete",
        &[Edit::Finish("length", "max_tokens")],
    ),
    Fault::answer(
        "truncated-to-nothing",
        "All tokens went into reasoning: finish reason length, empty content",
        &[
            Edit::Think,
            Edit::Empty,
            Edit::Finish("length", "max_tokens"),
        ],
    ),
    Fault::answer(
        "tool-call-truncated",
        "A tool call is cut in its arguments, finish reason length",
        &[
            Edit::Call(1),
            Edit::HalveArguments,
            Edit::Finish("length", "max_tokens"),
        ],
    ),
    Fault::answer(
        "tool-call-truncated-natively",
        "A tool call is cut in its arguments; only the native finish reason, max_output_tokens, tells",
        &[
            Edit::Call(1),
            Edit::HalveArguments,
            Edit::Finish("tool_calls", "max_output_tokens"),
        ],
    ),
    Fault::answer(
        "refusal",
        "The model refuses: text in refusal, no content",
        &[Edit::Refuse],
    ),
    Fault::answer(
        "content-filter",
        "The answer stops in the middle, finish reason content_filter",
        &[Edit::Halve, Edit::Finish("content_filter", "SAFETY")],
    ),
    Fault::answer(
        "unknown-finish-reason",
        "The finish reason is one that no list has: model_length",
        &[Edit::Finish("model_length", "model_length")],
    ),
    // In a stream the server that does this sends the empty string in every chunk, not null.
    Fault::answer(
        "blank-finish-reason",
        "The finish reason is the empty string, in a stream from the first chunk on",
        &[Edit::Finish("", "")],
    ),
    Fault::answer(
        "choice-error",
        "200 with half an answer, finish reason error, and the error in the choice",
        &[Edit::ChoiceError],
    ),
    Fault::answer(
        "reasoning-first",
        "No fault, but reasoning and reasoning details come before the content",
        &[Edit::Think],
    ),
    Fault::answer(
        "tool-calls-instead",
        "A tool call instead of the answer, whether or not tools were offered",
        CALL_ONE,
    ),
    Fault::answer(
        "parallel-tool-calls",
        "No fault of form: two tool calls, each with its index",
        CALL_TWO,
    ),
    Fault::answer(
        "no-tool-call",
        "Text, although tool_choice asked for a tool call",
        &[Edit::NoCalls],
    ),
    Fault::plain(
        "tool-arguments-object",
        "A tool call's arguments are an object, not JSON text",
        &[Op::Tamper(Tampering::ObjectArguments)],
    )
    .with_edits(CALL_ONE),
    Fault::stream(
        "tool-index-zero",
        "Two parallel tool calls with different ids, both with index 0",
        &[Op::Tamper(Tampering::ToolIndex(ToolIndex::Zero))],
    )
    .with_edits(CALL_TWO),
    Fault::stream(
        "tool-index-missing",
        "Two parallel tool calls whose fragments have no index",
        &[Op::Tamper(Tampering::ToolIndex(ToolIndex::Missing))],
    )
    .with_edits(CALL_TWO),
    Fault::stream(
        "tool-index-null",
        "Two parallel tool calls whose fragments have index null",
        &[Op::Tamper(Tampering::ToolIndex(ToolIndex::Null))],
    )
    .with_edits(CALL_TWO),
    Fault::stream(
        "tool-index-drifting",
        "A tool call whose index grows with each fragment; only its id, in each of them, is right",
        &[Op::Tamper(Tampering::ToolIndex(ToolIndex::Drifting))],
    )
    .with_edits(CALL_ONE),
    Fault::stream(
        "tool-fragments-bare",
        "Arguments in fragments with neither index nor id, each continuing the call before it",
        &[Op::Tamper(Tampering::ToolIndex(ToolIndex::FirstOnly))],
    )
    .with_edits(CALL_TWO),
    Fault::both(
        "no-usage",
        "No usage anywhere",
        &[Op::Tamper(Tampering::NoUsage)],
    ),
    Fault::both(
        "string-numbers",
        "Numbers come as strings: created and the token counts",
        &[Op::Tamper(Tampering::StringNumbers)],
    ),
];

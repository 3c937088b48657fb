//! Answers from language models that either conform to your schema or fail with a reason.

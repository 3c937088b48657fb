//! A turn in which the model may call tools.

use serde_json::{Map, Value};
use tamis_wire::{Completion, Failure, Protocol};

use super::Chat;
use crate::tools::{self, ToolReader, Toolbox, Turn};

impl Chat {
    /// Adds the tools of a box. Their schemas are lowered into the upstream's dialect where that is known,
    /// as an answer's is; [`Chat::turn`] reads the calls.
    pub fn toolbox(mut self, toolbox: Toolbox) -> Self {
        self.toolbox = Some(toolbox);
        self
    }

    /// Sends the request, and reads the model's turn: what it says, or which tools it calls, each call's
    /// arguments checked against the tool's schema. The completion goes with it, to be sent back in the
    /// next turn.
    ///
    /// ```no_run
    /// # async fn example(client: tamis::Client, tools: tamis::Toolbox) -> Result<(), tamis::Failure> {
    /// use tamis::Turn;
    ///
    /// let chat = client.chat("openai/gpt-4o").user("Does it rain in Oslo?").toolbox(tools.clone());
    /// let (turn, _completion) = chat.turn().await?;
    /// match turn {
    ///     Turn::Calls(calls) => {
    ///         for call in calls {
    ///             match call {
    ///                 Ok(call) => println!("{:?}", tools.run(&call).await),
    ///                 Err(error) => println!("{} was not called: {error}", error.name()),
    ///             }
    ///         }
    ///     }
    ///     Turn::Text(text) => println!("{text}"),
    ///     _ => {}
    /// }
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// Those of [`Chat::send`] and of [`ToolReader::read`]. What is wrong with a single call is the call's
    /// own error.
    pub async fn turn(self) -> Result<(Turn, Completion), Failure> {
        let reader = self.tool_reader()?;
        let completion = self.send().await?;
        let turn = reader
            .read(&completion)
            .map_err(|failure| failure.with_completion(completion.clone()))?;
        Ok((turn, completion))
    }

    /// How the calls of the request's tools are to be read, for callers who read completions themselves,
    /// such as those of a stream.
    ///
    /// # Errors
    ///
    /// `Validation`: a tool is none that would be sent.
    pub fn tool_reader(&self) -> Result<ToolReader, Failure> {
        let mut request = self.request()?;
        if self.protocol != Protocol::ChatCompletions {
            request = self.as_chat(&request);
        }
        self.add_tools(&mut request)
    }

    pub(super) fn add_tools(
        &self,
        request: &mut Map<String, Value>,
    ) -> Result<ToolReader, Failure> {
        let empty = Toolbox::new();
        let lowering = self.options.lowering;
        tools::add(
            request,
            self.toolbox.as_ref().unwrap_or(&empty),
            self.options.dialect,
            lowering.unwrap_or(self.lowers()),
        )
    }
}

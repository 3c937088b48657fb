//! The parts that a message's content is made of.

use super::cache::{CacheBreakpoint, CacheControl};
use super::macros::{hide, tagged, words};
use crate::record::record;

tagged! {
    /// One part of a message's content.
    ///
    /// ```
    /// use tamis_wire::request::{InputMessage, InputPart};
    ///
    /// let message = InputMessage::user(vec![
    ///     InputPart::text("What is on it?"),
    ///     InputPart::image("https://example.com/plate.png"),
    /// ]);
    /// assert_eq!(
    ///     serde_json::to_value(&message).unwrap()["content"][1],
    ///     serde_json::json!({"type": "image_url", "image_url": {"url": "https://example.com/plate.png"}})
    /// );
    /// ```
    pub enum InputPart by "type" {
        /// Text.
        Text(TextPart) = "text",
        /// An image.
        Image(ImagePart) = "image_url",
        /// Sound.
        Audio(AudioPart) = "input_audio",
        /// A video.
        Video(VideoPart) = "video_url",
        /// A file, such as a PDF.
        File(FilePart) = "file",
    }
}

impl InputPart {
    /// Text.
    pub fn text(text: impl Into<String>) -> Self {
        Self::Text(TextPart {
            text: text.into(),
            ..TextPart::default()
        })
    }

    /// Text that ends what the provider is to keep in its cache.
    pub fn cached_text(text: impl Into<String>, cache_control: CacheControl) -> Self {
        Self::Text(TextPart {
            text: text.into(),
            cache_control: Some(cache_control),
            ..TextPart::default()
        })
    }

    /// An image, by an `https:` or a `data:` URL.
    pub fn image(url: impl Into<String>) -> Self {
        let image_url = ImageUrl {
            url: url.into(),
            ..ImageUrl::default()
        };
        Self::Image(ImagePart {
            image_url,
            ..ImagePart::default()
        })
    }

    /// Sound: base64, and its format such as `wav`. There are no URLs of sound.
    pub fn audio(data: impl Into<String>, format: impl Into<String>) -> Self {
        let input_audio = InputAudio {
            data: data.into(),
            format: format.into(),
            ..InputAudio::default()
        };
        Self::Audio(AudioPart {
            input_audio,
            ..AudioPart::default()
        })
    }

    /// A video, by an `https:` or a `data:` URL.
    pub fn video(url: impl Into<String>) -> Self {
        let video_url = VideoUrl {
            url: url.into(),
            ..VideoUrl::default()
        };
        Self::Video(VideoPart {
            video_url,
            ..VideoPart::default()
        })
    }

    /// A file: its name, and an `https:` or a `data:` URL.
    pub fn file(filename: impl Into<String>, file_data: impl Into<String>) -> Self {
        let file = InputFile {
            filename: Some(filename.into()),
            file_data: Some(file_data.into()),
            ..InputFile::default()
        };
        Self::File(FilePart {
            file,
            ..FilePart::default()
        })
    }
}

impl From<&str> for InputPart {
    fn from(text: &str) -> Self {
        Self::text(text)
    }
}

record! {
    (opaque)
    /// Text.
    pub struct TextPart {
        /// The text.
        text: String,
        /// OpenRouter: what comes before, and this, is to be kept in the provider's cache.
        cache_control: Option<CacheControl>,
        /// OpenRouter: the same, in OpenAI's words.
        prompt_cache_breakpoint: Option<CacheBreakpoint>,
    }
}

record! {
    (opaque)
    /// An image.
    pub struct ImagePart {
        /// Where it is.
        image_url: ImageUrl,
    }
}

record! {
    (opaque)
    /// Where an image is.
    pub struct ImageUrl {
        /// An `https:` or a `data:` URL.
        url: String,
        /// How closely it is looked at.
        detail: Option<Detail>,
    }
}

words! {
    /// How closely an image is looked at.
    pub enum Detail {
        /// As the model sees fit.
        Auto = "auto",
        /// Roughly, for few tokens.
        Low = "low",
        /// Closely.
        High = "high",
        /// OpenRouter: at its full size; elsewhere the same as high.
        Original = "original",
    }
}

record! {
    (opaque)
    /// Sound.
    pub struct AudioPart {
        /// The sound.
        input_audio: InputAudio,
    }
}

record! {
    (opaque)
    /// Sound, in the request itself.
    pub struct InputAudio {
        /// Base64.
        data: String,
        /// `wav`, `mp3`, `flac`, `m4a`, `ogg`, `aiff`, `aac`, `pcm16`, `pcm24`; models take some of them.
        format: String,
    }
}

record! {
    (opaque)
    /// A video.
    pub struct VideoPart {
        /// Where it is.
        video_url: VideoUrl,
    }
}

record! {
    (opaque)
    /// Where a video is.
    pub struct VideoUrl {
        /// An `https:` or a `data:` URL.
        url: String,
        /// Gemini's: `agentic` or `static`.
        processing: Option<String>,
    }
}

record! {
    (opaque)
    /// A file.
    pub struct FilePart {
        /// The file.
        file: InputFile,
    }
}

record! {
    (opaque)
    /// A file, by what it holds or by its id; one of both is needed.
    pub struct InputFile {
        /// An `https:` or a `data:` URL.
        file_data: Option<String>,
        /// The id of one that was uploaded.
        file_id: Option<String>,
        /// Its name.
        filename: Option<String>,
    }
}

hide!(
    TextPart, ImagePart, ImageUrl, AudioPart, InputAudio, VideoPart, VideoUrl, FilePart, InputFile,
);

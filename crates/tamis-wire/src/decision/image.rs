//! Images in a state.

use serde_json::{Value, json};

use crate::failure::Failure;

/// Media types of the images that are read.
const MEDIA: [&str; 3] = ["image/png", "image/jpeg", "image/webp"];

/// An image as an item of a state that is a list: the only place in which it is seen as one. The
/// address is a data URL of PNG, JPEG or WebP in base64.
///
/// ```
/// let item = tamis_wire::decision::image("data:image/png;base64,iVBORw0KGgo=");
/// assert_eq!(item["type"], "image_url");
/// ```
pub fn image(url: impl Into<String>) -> Value {
    json!({"type": "image_url", "image_url": {"url": url.into()}})
}

/// The same from a file's bytes; none where they are neither PNG nor JPEG nor WebP.
///
/// ```
/// let item = tamis_wire::decision::image_bytes(b"\x89PNG\r\n\x1a\n").unwrap();
/// assert_eq!(item["image_url"]["url"], "data:image/png;base64,iVBORw0KGgo=");
/// ```
pub fn image_bytes(bytes: &[u8]) -> Option<Value> {
    let media = if bytes.starts_with(b"\x89PNG\r\n\x1a\n") {
        "png"
    } else if bytes.starts_with(b"\xff\xd8\xff") {
        "jpeg"
    } else if bytes.starts_with(b"RIFF") && bytes.get(8..12) == Some(b"WEBP") {
        "webp"
    } else {
        return None;
    };
    Some(image(format!(
        "data:image/{media};base64,{}",
        base64(bytes)
    )))
}

fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for group in bytes.chunks(3) {
        let byte = |place: usize| group.get(place).copied().map_or(0, u32::from);
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for (digit, shift) in [18_u32, 12, 6, 0].into_iter().enumerate() {
            let at = usize::try_from(bits >> shift & 63).unwrap_or_default();
            let character = DIGITS.get(at).copied().map_or('=', char::from);
            text.push(if digit <= group.len() { character } else { '=' });
        }
    }
    text
}

/// What an object says it is, where that is an image.
#[derive(Clone, Copy, PartialEq)]
enum Part {
    Image,
    /// The Responses API's form, which is not read as an image here.
    Foreign,
}

fn part(value: &Value) -> Option<Part> {
    let object = value.as_object()?;
    match object.get("type")?.as_str()? {
        "image_url" if object.contains_key("image_url") => Some(Part::Image),
        "input_image" if object.contains_key("image_url") || object.contains_key("file_id") => {
            Some(Part::Foreign)
        }
        _ => None,
    }
}

/// Whether a list's item is an image.
pub(super) fn is_image(item: &Value) -> bool {
    part(item) == Some(Part::Image)
}

/// Checks an item of the state's list, or what is in it.
pub(super) fn check_item(place: usize, item: &Value, remote: bool) -> Result<(), Failure> {
    if is_image(item) {
        return check_image(place, item, remote);
    }
    check_inside(item)
}

/// Checks that no image stands where none is seen: it would be read as text, at the price of its bytes.
pub(super) fn check_inside(value: &Value) -> Result<(), Failure> {
    // Not by recursion, since nothing bounds how deep it is.
    let mut left = vec![value];
    while let Some(value) = left.pop() {
        match part(value) {
            Some(Part::Image) => {
                return super::check::refuse(
                    "state: an image is seen only where it is an item of a list that is the whole state",
                );
            }
            Some(Part::Foreign) => {
                return super::check::refuse(
                    "state: an input_image is not seen as an image; give an image_url part",
                );
            }
            None => {}
        }
        match value {
            Value::Array(items) => left.extend(items),
            Value::Object(fields) => left.extend(fields.values()),
            _ => {}
        }
    }
    Ok(())
}

fn check_image(place: usize, item: &Value, remote: bool) -> Result<(), Failure> {
    let url = item.pointer("/image_url/url").and_then(Value::as_str);
    let Some(url) = url.filter(|url| !url.is_empty()) else {
        return super::check::refuse(format!("state[{place}].image_url.url: missing"));
    };
    let scheme = url.split_once(':').map(|(scheme, _)| scheme);
    match scheme {
        Some(scheme) if scheme.eq_ignore_ascii_case("data") => {}
        Some(scheme)
            if remote
                && ["http", "https"]
                    .iter()
                    .any(|one| scheme.eq_ignore_ascii_case(one)) =>
        {
            return Ok(());
        }
        _ => {
            return super::check::refuse(format!(
                "state[{place}].image_url.url: not a data URL, and nothing else is fetched"
            ));
        }
    }
    let described = url
        .split_once(',')
        .filter(|(_, data)| !data.is_empty())
        .and_then(|(head, _)| head.get("data:".len()..)?.rsplit_once(';'))
        .filter(|(_, encoding)| encoding.eq_ignore_ascii_case("base64"));
    if described.is_some_and(|(media, _)| MEDIA.iter().any(|one| media.eq_ignore_ascii_case(one))) {
        return Ok(());
    }
    super::check::refuse(format!(
        "state[{place}].image_url.url: not a PNG, JPEG or WebP image in base64"
    ))
}

#[cfg(test)]
mod tests {
    use super::{base64, check_item, image_bytes};

    #[test]
    fn bytes_in_base64() {
        for (bytes, text) in [
            (&b""[..], ""),
            (b"f", "Zg=="),
            (b"fo", "Zm8="),
            (b"foo", "Zm9v"),
            (b"\xff\xfe\xfd\xfc", "//79/A=="),
        ] {
            assert_eq!(base64(bytes), text);
        }
    }

    #[test]
    fn an_image_is_known_by_its_first_bytes() {
        for (bytes, media) in [
            (&b"\x89PNG\r\n\x1a\n..."[..], "png"),
            (b"\xff\xd8\xff\xe0..", "jpeg"),
            (b"RIFF....WEBPVP8 ", "webp"),
        ] {
            let item = image_bytes(bytes).unwrap();
            let url = item["image_url"]["url"].as_str().unwrap();
            assert!(url.starts_with(&format!("data:image/{media};base64,")));
            check_item(0, &item, false).unwrap();
        }
        for bytes in [&b""[..], b"GIF89a", b"RIFF", b"RIFF....WAVE", b"<svg/>"] {
            assert!(image_bytes(bytes).is_none());
        }
    }
}

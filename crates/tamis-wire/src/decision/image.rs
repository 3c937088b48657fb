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

//! The parts of a model's id.

/// A model's id, in its parts: `author/slug`, `author/slug:variant`, `~author/family-latest`.
///
/// ```
/// use tamis_wire::catalogue::ModelId;
///
/// let id = ModelId::parse("acme/gravel-1:free").unwrap();
/// assert_eq!((id.author(), id.slug(), id.variant()), ("acme", "gravel-1", Some("free")));
/// assert_eq!(id.base(), "acme/gravel-1");
/// assert!(ModelId::parse("~acme/gravel-latest").unwrap().is_alias());
/// assert!(ModelId::parse("gravel-1").is_none());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ModelId<'a> {
    whole: &'a str,
    author: &'a str,
    slug: &'a str,
    variant: Option<&'a str>,
}

impl<'a> ModelId<'a> {
    /// Reads an id. None where it is no id of OpenRouter's, among them `@preset/…`, which names
    /// settings and no model, and anything that would not stay one segment of a path.
    pub fn parse(id: &'a str) -> Option<Self> {
        let (author, rest) = id.split_once('/')?;
        let (slug, variant) = match rest.split_once(':') {
            Some((slug, variant)) => (slug, Some(variant)),
            None => (rest, None),
        };
        let is_part = |part: &str| {
            !part.is_empty()
                && !matches!(part, "." | "..")
                && part
                    .bytes()
                    .all(|byte| byte.is_ascii_alphanumeric() || b"-._+".contains(&byte))
        };
        let name = author.strip_prefix('~').unwrap_or(author);
        (is_part(name) && is_part(slug) && variant.is_none_or(is_part)).then_some(Self {
            whole: id,
            author,
            slug,
            variant,
        })
    }

    /// Who made it, with the `~` of an alias.
    pub fn author(&self) -> &'a str {
        self.author
    }

    /// Which one it is.
    pub fn slug(&self) -> &'a str {
        self.slug
    }

    /// What comes after the colon.
    pub fn variant(&self) -> Option<&'a str> {
        self.variant
    }

    /// The id without the variant.
    pub fn base(&self) -> &'a str {
        match self.variant {
            Some(variant) => self
                .whole
                .get(..self.whole.len().saturating_sub(variant.len() + 1))
                .unwrap_or(self.whole),
            None => self.whole,
        }
    }

    /// Whether it stands for the newest of a family.
    pub fn is_alias(&self) -> bool {
        self.author.starts_with('~')
    }

    /// Whether the variant only says how a request is routed, so that it goes with any model:
    /// `nitro`, `floor`, `exacto`, `online`. Others (`free`, `extended`, `thinking`, …) exist for some
    /// models only.
    pub fn is_routing_variant(&self) -> bool {
        matches!(self.variant, Some("nitro" | "floor" | "exacto" | "online"))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::ModelId;

    #[test]
    fn what_is_no_id() {
        for id in [
            "",
            "/",
            "a/",
            "/b",
            "a",
            "a/b/c",
            "../b",
            "a/..",
            "a/.",
            "a/b:",
            "a/b:c:d",
            "@preset/x",
            "a/b?c",
            "a/b#c",
            "a/b%2e",
            "a b/c",
            "~/b",
            "~~a/b",
            "a/b\n",
        ] {
            assert_eq!(ModelId::parse(id), None, "{id:?}");
        }
    }

    #[test]
    fn routing_variants_go_with_any_model() {
        assert!(ModelId::parse("a/b:nitro").unwrap().is_routing_variant());
        assert!(!ModelId::parse("a/b:free").unwrap().is_routing_variant());
        assert!(!ModelId::parse("a/b").unwrap().is_routing_variant());
    }

    proptest! {
        #[test]
        fn the_parts_make_the_whole(id in "[~a-z0-9./:-]{0,12}|.{0,12}") {
            if let Some(parsed) = ModelId::parse(&id) {
                let base = format!("{}/{}", parsed.author(), parsed.slug());
                prop_assert_eq!(parsed.base(), &base);
                let whole = parsed.variant().map_or(base.clone(), |variant| format!("{base}:{variant}"));
                prop_assert_eq!(whole, id);
            }
        }
    }
}

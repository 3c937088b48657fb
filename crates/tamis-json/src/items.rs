//! The items of an array, each as soon as it is complete: [`Items`].

use std::collections::VecDeque;
use std::fmt;
use std::marker::PhantomData;

use serde::de::DeserializeOwned;

use crate::error::ParseError;
use crate::parser::{Event, Limits, Location, Parser, Segment, Sink};
use crate::pointer::Pointer;

/// Reads a document in fragments and hands out the items of one array in it as `T`, each when its
/// last byte has come. Items are not kept, so a long array costs the memory of its longest item.
///
/// ```
/// use serde::Deserialize;
/// use tamis_json::Items;
///
/// #[derive(Debug, PartialEq, Deserialize)]
/// struct City {
///     name: String,
/// }
///
/// let mut cities = Items::<City>::at("/cities".parse()?);
/// let first = cities.push(br#"{"cities": [{"name": "Oslo"}, {"na"#)?;
/// assert_eq!(first, [City { name: "Oslo".into() }]);
/// assert_eq!(cities.push(br#"me": "Bern"}]}"#)?.len(), 1);
/// cities.finish()?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Items<T> {
    parser: Parser,
    pointer: Pointer,
    depth: usize,
    count: usize,
    failed: Option<ItemError>,
    item: PhantomData<fn() -> T>,
}

impl<T: DeserializeOwned> Items<T> {
    /// The items of an array that is the whole document.
    pub fn new() -> Self {
        Self::at(Pointer::root())
    }

    /// The items of the array at this address.
    pub fn at(pointer: Pointer) -> Self {
        Self::with_limits(pointer, Limits::default())
    }

    /// The items of the array at this address, within these limits.
    pub fn with_limits(pointer: Pointer, limits: Limits) -> Self {
        let parser = Parser::with_limits(limits);
        Self {
            parser,
            depth: pointer.depth(),
            pointer,
            count: 0,
            failed: None,
            item: PhantomData,
        }
    }

    /// Reads one more fragment; gives the items that it completes.
    ///
    /// # Errors
    /// When the text is not JSON, or an item is not a `T`. Items completed in the same fragment
    /// before the fault are lost with it, unless the fragment is cut into smaller ones.
    pub fn push(&mut self, fragment: &[u8]) -> Result<Vec<T>, ItemError> {
        if let Some(error) = &self.failed {
            return Err(error.clone());
        }
        let mut taker = Taker::<T> {
            pointer: &self.pointer,
            depth: self.depth,
            items: VecDeque::new(),
            count: self.count,
            bad: None,
        };
        let pushed = self.parser.push_into(fragment, &mut taker);
        let (items, count, bad) = (taker.items, taker.count, taker.bad);
        self.count = count;
        let result = match (bad, pushed) {
            (Some(index), _) => Err(ItemError {
                fault: Fault::Item { index },
            }),
            (None, Err(error)) => Err(ItemError {
                fault: Fault::Parse(error),
            }),
            (None, Ok(())) => Ok(items.into()),
        };
        if let Err(error) = &result {
            self.failed = Some(error.clone());
        }
        result
    }

    /// How many items were handed out.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Says that the text has ended.
    ///
    /// # Errors
    /// When the document is not complete.
    pub fn finish(self) -> Result<(), ItemError> {
        if let Some(error) = self.failed {
            return Err(error);
        }
        match self.parser.finish() {
            Ok(_) => Ok(()),
            Err(error) => Err(ItemError {
                fault: Fault::Parse(error),
            }),
        }
    }
}

impl<T: DeserializeOwned> Default for Items<T> {
    fn default() -> Self {
        Self::new()
    }
}

/// Takes the items out as they are completed.
struct Taker<'p, T> {
    pointer: &'p Pointer,
    depth: usize,
    items: VecDeque<T>,
    count: usize,
    bad: Option<usize>,
}

impl<T> Taker<'_, T> {
    fn is_item(&self, at: Location<'_>) -> bool {
        if at.depth() != self.depth + 1 {
            return false;
        }
        let mut steps = at.segments();
        if !matches!(steps.next_back(), Some(Segment::Index(_))) {
            return false;
        }
        let mut wanted = self.pointer.segments();
        for step in steps {
            let same = match (step, wanted.next()) {
                (_, None) => false,
                (Segment::Key(key), Some(segment)) => key == segment,
                (Segment::Index(index), Some(segment)) => segment.parse() == Ok(index),
            };
            if !same {
                return false;
            }
        }
        wanted.next().is_none()
    }
}

impl<T: DeserializeOwned> Sink for Taker<'_, T> {
    fn event(&mut self, at: Location<'_>, event: Event<'_>) {
        if let Event::Complete(value) = event
            && self.bad.is_none()
            && self.is_item(at)
        {
            match T::deserialize(value) {
                Ok(item) => {
                    self.items.push_back(item);
                    self.count += 1;
                }
                Err(_) => self.bad = Some(self.count),
            }
        }
    }

    fn keeps(&mut self, at: Location<'_>) -> bool {
        !self.is_item(at)
    }
}

/// Why no more items come.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ItemError {
    fault: Fault,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Fault {
    Parse(ParseError),
    Item { index: usize },
}

impl ItemError {
    /// The fault in the text, when it is one.
    pub fn parse_error(&self) -> Option<&ParseError> {
        match &self.fault {
            Fault::Parse(error) => Some(error),
            Fault::Item { .. } => None,
        }
    }

    /// The index of the item that is not a `T`, when it is one.
    pub fn item(&self) -> Option<usize> {
        match self.fault {
            Fault::Parse(_) => None,
            Fault::Item { index } => Some(index),
        }
    }
}

impl fmt::Display for ItemError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.fault {
            Fault::Parse(error) => error.fmt(f),
            Fault::Item { index } => write!(f, "item {index} does not have the expected shape"),
        }
    }
}

impl std::error::Error for ItemError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &self.fault {
            Fault::Parse(error) => Some(error),
            Fault::Item { .. } => None,
        }
    }
}

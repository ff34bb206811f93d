//! Where in a document the next block starts: the objects and arrays around the records that are still open.

/// An object or array on the way to the records.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct RecordFrame {
    pub(super) is_array: bool,
    /// How many steps of the way lead into it.
    pub(super) step: usize,
    /// Which level its members, or its elements, belong to.
    pub(super) level: usize,
    /// The place of an object in the tree of its level.
    pub(super) node: Option<usize>,
    /// Whether its records have gone by.
    pub(super) passed: bool,
    pub(super) state: FrameState,
}

/// What has been read last inside an object or array.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FrameState {
    /// The opening bracket.
    Opened,
    /// A member or element.
    Item,
    /// A comma.
    Comma,
}

impl RecordFrame {
    /// The closing bracket.
    pub(super) fn close(&self) -> u8 {
        if self.is_array { b']' } else { b'}' }
    }

    /// What may stand here, for messages.
    pub(super) fn expected(&self) -> &'static str {
        match (self.is_array, self.state) {
            (true, FrameState::Opened) => "a record or ]",
            (true, FrameState::Item) => ", or ]",
            (true, FrameState::Comma) => "a record after the comma",
            (false, FrameState::Opened) => "a name or }",
            (false, FrameState::Item) => ", or }",
            (false, FrameState::Comma) => "a name after the comma",
        }
    }
}

//! The encoder of formats that are only read: it refuses every event.

use std::io;

use super::encoder::{Encoder, Record};
use crate::error::{TraceError, WriteError};

/// Refuses events in the name of a format.
pub(crate) fn encoder(format: &'static str) -> impl Encoder {
    RefusingEncoder(format)
}

struct RefusingEncoder(&'static str);

impl Encoder for RefusingEncoder {
    fn check_shape(&self, _: &str, _: &[Box<str>]) -> Result<(), TraceError> {
        Err(TraceError::new(format!("{} is read, but not written", self.0)).hint("write another format: --to json"))
    }

    fn check_value(&self, _: &str) -> Result<(), TraceError> {
        Ok(())
    }

    fn event(&mut self, _: &Record<'_>) -> io::Result<()> {
        Ok(())
    }

    fn finish(&mut self) -> Result<(), WriteError> {
        Ok(())
    }
}

//! From the instructions of a handler to what is run: shortened, as bytecode, and with what to prefetch.

use crate::fo::code::handler::Handler;
use crate::fo::code::instruction::Bytecode;
use crate::fo::code::peephole;
use crate::fo::code::prefetch::prefetches;
use crate::fo::types::store_shape::StoreShape;

/// Finishes a handler over tables of a shape; takes shortcuts if it may.
pub(crate) fn finish(handler: &mut Handler, store: &StoreShape, shortens: bool) {
    if shortens {
        peephole::shorten(handler, store);
    }
    handler.bytecode = handler.ops.iter().map(Bytecode::of).collect();
    handler.prefetches = prefetches(handler, |view| store.tables[view].may_scatter());
}

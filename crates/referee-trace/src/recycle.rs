//! Lists of texts whose memory serves from event to event, although the texts live in another block each time.

/// The same memory, emptied, for texts that live elsewhere: collecting in place keeps the allocation.
pub(crate) fn recycle<'b>(mut texts: Vec<&str>) -> Vec<&'b str> {
    texts.clear();
    texts.into_iter().map(|_| "").collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recycling_keeps_the_memory() {
        let mut texts = vec!["a", "b", "c"];
        texts.reserve_exact(97);
        let (start, capacity) = (texts.as_ptr() as usize, texts.capacity());
        let recycled = recycle(texts);
        assert!(recycled.is_empty());
        assert_eq!((recycled.as_ptr() as usize, recycled.capacity()), (start, capacity));
    }
}

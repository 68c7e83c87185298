//! Looking at all bytes of a text.

/// So many bytes are looked at together.
const TOGETHER: usize = 32;

/// Whether all bytes of a text are so. Several are looked at together, without a branch between them, which compilers make a few
/// instructions of.
pub(crate) fn all_bytes(text: &str, is: impl Fn(u8) -> bool) -> bool {
    let (chunks, rest) = text.as_bytes().as_chunks::<TOGETHER>();
    let others = |bytes: &[u8; TOGETHER]| {
        let mut others = 0;
        for byte in bytes {
            others |= u8::from(!is(*byte));
        }
        others
    };
    chunks.iter().all(|chunk| others(chunk) == 0) && rest.iter().all(|byte| is(*byte))
}

/// A set of bytes, for questions that are asked of whole texts. A table, since a set of a dozen bytes takes as many comparisons.
pub(crate) struct ByteSet([u8; 256]);

impl ByteSet {
    /// The bytes from the first to the last, but for some.
    pub(crate) const fn range_without(first: u8, last: u8, without: &[u8]) -> Self {
        let mut others = [1; 256];
        let mut byte = first;
        loop {
            others[byte as usize] = 0;
            if byte == last {
                break;
            }
            byte += 1;
        }
        let mut i = 0;
        while i < without.len() {
            others[without[i] as usize] = 1;
            i += 1;
        }
        Self(others)
    }

    /// Whether every byte of a text is in the set.
    pub(crate) fn holds_all_of(&self, text: &str) -> bool {
        let (chunks, rest) = text.as_bytes().as_chunks::<8>();
        let other = |byte: &u8| self.0[usize::from(*byte)];
        let others = |chunk: &[u8; 8]| chunk.iter().fold(0, |others, byte| others | other(byte));
        chunks.iter().all(|chunk| others(chunk) == 0) && rest.iter().all(|byte| other(byte) == 0)
    }
}

#[cfg(test)]
mod tests {
    use super::{ByteSet, all_bytes};

    const NO_B: ByteSet = ByteSet::range_without(b'a', b'c', b"b");

    #[test]
    fn one_byte_is_found_wherever_it_stands() {
        for length in 0..70 {
            let text = "a".repeat(length);
            assert!(all_bytes(&text, |byte| byte == b'a'));
            assert!(NO_B.holds_all_of(&text) && NO_B.holds_all_of(&text.replace('a', "c")));
            for at in 0..length {
                let mut text = text.clone();
                text.replace_range(at..=at, "b");
                assert!(!all_bytes(&text, |byte| byte == b'a'), "{text}");
                assert!(!NO_B.holds_all_of(&text), "{text}");
                assert!(!NO_B.holds_all_of(&text.replace('b', "d")), "{text}");
            }
        }
    }
}

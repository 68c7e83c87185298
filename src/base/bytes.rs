//! Looking at all bytes of a text, and bytes in hexadecimal.

/// How many bytes are checked together.
const TOGETHER: usize = 32;

/// Whether `is` holds for all bytes of a text. Several are checked together, without a branch between them, so that compilers
/// make few instructions.
pub(crate) fn all_bytes(text: &str, is: impl Fn(u8) -> bool) -> bool {
    let (chunks, rest) = text.as_bytes().as_chunks::<TOGETHER>();
    let others = |bytes: &[u8; TOGETHER]| {
        let mut others = 0;
        for byte in bytes {
            others |= u8::from(!is(*byte));
        }
        others
    };
    let Some(first) = rest.first() else {
        return chunks.iter().all(|chunk| others(chunk) == 0);
    };
    // The last block is filled up with its own first byte.
    let mut last = [*first; TOGETHER];
    last[..rest.len()].copy_from_slice(rest);
    others(&last) == 0 && chunks.iter().all(|chunk| others(chunk) == 0)
}

/// Bytes in lower-case hexadecimal.
pub(crate) fn to_hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The bytes of a text in hexadecimal, without an odd last digit; `None` where it is none.
pub(crate) fn from_hex(hex: &str) -> Option<Vec<u8>> {
    let digits = hex.chars().map(|c| u8::try_from(c.to_digit(16)?).ok());
    let digits: Vec<u8> = digits.collect::<Option<_>>()?;
    let pairs = digits.chunks_exact(2);
    Some(pairs.map(|pair| pair[0] << 4 | pair[1]).collect())
}

#[cfg(test)]
mod tests {
    use super::all_bytes;

    #[test]
    fn one_byte_is_found_wherever_it_stands() {
        for length in 0..70 {
            let text = "a".repeat(length);
            assert!(all_bytes(&text, |byte| byte == b'a'));
            for at in 0..length {
                let mut text = text.clone();
                text.replace_range(at..=at, "b");
                assert!(!all_bytes(&text, |byte| byte == b'a'), "{text}");
            }
        }
    }
}

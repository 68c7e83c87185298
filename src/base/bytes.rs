//! Looking at all bytes of a text.

/// Whether all bytes of a text are so. Several are looked at together, which compilers make one instruction of.
pub(crate) fn all_bytes(text: &str, is: impl Fn(u8) -> bool) -> bool {
    let are = |bytes: &[u8]| bytes.iter().fold(true, |all, byte| all & is(*byte));
    let mut chunks = text.as_bytes().chunks_exact(16);
    chunks.all(are) && are(chunks.remainder())
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

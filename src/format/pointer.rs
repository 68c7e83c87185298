//! Keys of maps in JSON pointers.

/// A key as a pointer writes it.
pub(crate) fn key(key: &str) -> String {
    key.replace('~', "~0").replace('/', "~1")
}

/// The key that a part of a pointer means.
pub(crate) fn unkey(part: &str) -> String {
    part.replace("~1", "/").replace("~0", "~")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_comes_back() {
        for name in ["", "a", "a/b", "a~b", "~0", "~1/~01"] {
            assert!(!key(name).contains('/'), "{name}");
            assert_eq!(unkey(&key(name)), name);
        }
    }
}

//! x
#![allow(unsafe_code)]
/// The version of the linked library, as it names itself.
pub fn version() -> String {
    let text = unsafe { std::ffi::CStr::from_ptr(z3_sys::Z3_get_full_version()) };
    text.to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    #[test]
    fn v() {
        let text = super::version();
        assert!(text.contains(env!("UNREACH_Z3_VERSION")), "{text}");
    }
}

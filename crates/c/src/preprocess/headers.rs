//! The built-in stub headers: declarations only, so that nothing depends on the machine that runs the verifier.
//!
//! What the declared functions do is known to the translation, by their names.

use crate::options::DataModel;

/// The built-in headers, each with its names.
const HEADERS: &[(&[&str], &str)] = &[
    (&["alloca.h"], include_str!("include/alloca.h")),
    (&["assert.h"], include_str!("include/assert.h")),
    (&["ctype.h"], include_str!("include/ctype.h")),
    (&["errno.h"], include_str!("include/errno.h")),
    (&["float.h"], include_str!("include/float.h")),
    (&["limits.h"], include_str!("include/limits.h")),
    (&["malloc.h", "stdlib.h"], include_str!("include/stdlib.h")),
    (&["math.h"], include_str!("include/math.h")),
    (&["pthread.h"], include_str!("include/pthread.h")),
    (&["stdarg.h"], include_str!("include/stdarg.h")),
    (&["stdbool.h"], include_str!("include/stdbool.h")),
    (&["stddef.h"], include_str!("include/stddef.h")),
    (&["inttypes.h", "stdint.h"], include_str!("include/stdint.h")),
    (&["stdio.h"], include_str!("include/stdio.h")),
    (&["memory.h", "string.h", "strings.h"], include_str!("include/string.h")),
];

/// The text of a built-in header.
pub fn header(name: &str) -> Option<&'static str> {
    HEADERS.iter().find(|(names, _)| names.contains(&name)).map(|&(_, text)| text)
}

/// Whether a name is one of the C library's.
pub fn declares(name: &str) -> bool {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mentions = |text: &str| text.split(|c: char| !is_part(c)).any(|word| word == name);
    name.starts_with("__builtin_") || HEADERS.iter().any(|(_, text)| mentions(text))
}

/// Whether a function of compilers is known.
pub fn has_builtin(name: &str) -> bool {
    let text = include_str!("include/builtins.h");
    text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').any(|word| word == name)
}

/// The macros and functions that are known before the first line of the program.
pub fn predefined(model: DataModel) -> String {
    let mut text = String::from(
        "#define __LINE__\n#define __FILE__\n#define __COUNTER__\n\
         #define __STDC__ 1\n#define __STDC_VERSION__ 201112L\n#define __STDC_HOSTED__ 1\n\
         #define __GNUC__ 12\n#define __GNUC_MINOR__ 2\n#define __GNUC_PATCHLEVEL__ 0\n\
         #define __linux__ 1\n#define __unix__ 1\n#define __ELF__ 1\n\
         #define __CHAR_BIT__ 8\n#define __SCHAR_MAX__ 127\n#define __SHRT_MAX__ 32767\n\
         #define __INT_MAX__ 2147483647\n#define __LONG_LONG_MAX__ 9223372036854775807LL\n\
         #define __SIZEOF_SHORT__ 2\n#define __SIZEOF_INT__ 4\n#define __SIZEOF_LONG_LONG__ 8\n\
         #define __ORDER_LITTLE_ENDIAN__ 1234\n#define __ORDER_BIG_ENDIAN__ 4321\n\
         #define __BYTE_ORDER__ __ORDER_LITTLE_ENDIAN__\n#define __WCHAR_TYPE__ int\n\
         #define __DATE__ \"Jan  1 1970\"\n#define __TIME__ \"00:00:00\"\n",
    );
    text.push_str(match model {
        DataModel::Ilp32 => {
            "#define __i386__ 1\n#define __ILP32__ 1\n#define __LONG_MAX__ 2147483647L\n\
             #define __SIZEOF_LONG__ 4\n#define __SIZEOF_POINTER__ 4\n#define __SIZE_TYPE__ unsigned int\n\
             #define __PTRDIFF_TYPE__ int\n#define __INT64_TYPE__ long long\n"
        }
        DataModel::Lp64 => {
            "#define __x86_64__ 1\n#define __LP64__ 1\n#define _LP64 1\n\
             #define __LONG_MAX__ 9223372036854775807L\n#define __SIZEOF_LONG__ 8\n\
             #define __SIZEOF_POINTER__ 8\n#define __SIZE_TYPE__ unsigned long\n\
             #define __PTRDIFF_TYPE__ long\n#define __INT64_TYPE__ long\n"
        }
    });
    text.push_str(include_str!("include/builtins.h"));
    text
}

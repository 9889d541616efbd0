//! The built-in stub headers: declarations only, so that nothing depends on the machine that runs the verifier.
//!
//! What the declared functions do is known to the translation, by their names.

use crate::options::DataModel;
use rustc_hash::FxHashSet;
use std::sync::OnceLock;

/// The built-in headers, each with its names.
const HEADERS: &[(&[&str], &str)] = &[
    (&["alloca.h"], include_str!("include/alloca.h")),
    (&["arpa/inet.h", "netinet/in.h"], include_str!("include/arpa_inet.h")),
    (&["assert.h"], include_str!("include/assert.h")),
    (&["byteswap.h"], include_str!("include/byteswap.h")),
    (&["complex.h"], include_str!("include/complex.h")),
    (&["ctype.h"], include_str!("include/ctype.h")),
    (&["dirent.h"], include_str!("include/dirent.h")),
    (&["dlfcn.h"], include_str!("include/dlfcn.h")),
    (&["endian.h"], include_str!("include/endian.h")),
    (&["err.h"], include_str!("include/err.h")),
    (&["errno.h", "sys/errno.h"], include_str!("include/errno.h")),
    (&["error.h"], include_str!("include/error.h")),
    (&["fcntl.h"], include_str!("include/fcntl.h")),
    (&["features.h"], include_str!("include/features.h")),
    (&["fenv.h"], include_str!("include/fenv.h")),
    (&["float.h"], include_str!("include/float.h")),
    (&["fnmatch.h"], include_str!("include/fnmatch.h")),
    (&["getopt.h"], include_str!("include/getopt.h")),
    (&["goblint.h"], include_str!("include/goblint.h")),
    (&["inttypes.h"], include_str!("include/inttypes.h")),
    (&["iso646.h"], include_str!("include/iso646.h")),
    (&["libgen.h"], include_str!("include/libgen.h")),
    (&["limits.h"], include_str!("include/limits.h")),
    (&["locale.h"], include_str!("include/locale.h")),
    (&["math.h"], include_str!("include/math.h")),
    (&["poll.h", "sys/poll.h"], include_str!("include/poll.h")),
    (&["pthread.h"], include_str!("include/pthread.h")),
    (&["pwd.h"], include_str!("include/pwd.h")),
    (&["sched.h"], include_str!("include/sched.h")),
    (&["search.h"], include_str!("include/search.h")),
    (&["semaphore.h"], include_str!("include/semaphore.h")),
    (&["setjmp.h"], include_str!("include/setjmp.h")),
    (&["signal.h", "sys/signal.h"], include_str!("include/signal.h")),
    (&["stdalign.h"], include_str!("include/stdalign.h")),
    (&["stdarg.h"], include_str!("include/stdarg.h")),
    (&["stdatomic.h"], include_str!("include/stdatomic.h")),
    (&["stdbool.h"], include_str!("include/stdbool.h")),
    (&["stddef.h"], include_str!("include/stddef.h")),
    (&["stdint.h"], include_str!("include/stdint.h")),
    (&["stdio.h"], include_str!("include/stdio.h")),
    (&["stdio_ext.h"], include_str!("include/stdio_ext.h")),
    (&["malloc.h", "stdlib.h"], include_str!("include/stdlib.h")),
    (&["stdnoreturn.h"], include_str!("include/stdnoreturn.h")),
    (&["memory.h", "string.h", "strings.h"], include_str!("include/string.h")),
    (&["sys/cdefs.h"], include_str!("include/sys_cdefs.h")),
    (&["sys/file.h"], include_str!("include/sys_file.h")),
    (&["sys/ioctl.h"], include_str!("include/sys_ioctl.h")),
    (&["sys/mman.h"], include_str!("include/sys_mman.h")),
    (&["sys/param.h"], include_str!("include/sys_param.h")),
    (&["sys/random.h"], include_str!("include/sys_random.h")),
    (&["sys/resource.h"], include_str!("include/sys_resource.h")),
    (&["sys/select.h"], include_str!("include/sys_select.h")),
    (&["sys/socket.h"], include_str!("include/sys_socket.h")),
    (&["sys/stat.h"], include_str!("include/sys_stat.h")),
    (&["sys/time.h"], include_str!("include/sys_time.h")),
    (&["sys/times.h"], include_str!("include/sys_times.h")),
    (&["sys/types.h"], include_str!("include/sys_types.h")),
    (&["sys/uio.h"], include_str!("include/sys_uio.h")),
    (&["sys/utsname.h"], include_str!("include/sys_utsname.h")),
    (&["sys/wait.h"], include_str!("include/sys_wait.h")),
    (&["syslog.h"], include_str!("include/syslog.h")),
    (&["tgmath.h"], include_str!("include/tgmath.h")),
    (&["threads.h"], include_str!("include/threads.h")),
    (&["time.h"], include_str!("include/time.h")),
    (&["uchar.h"], include_str!("include/uchar.h")),
    (&["unistd.h"], include_str!("include/unistd.h")),
    (&["wchar.h"], include_str!("include/wchar.h")),
    (&["wctype.h"], include_str!("include/wctype.h")),
];

/// The text of a built-in header.
pub fn header(name: &str) -> Option<&'static str> {
    HEADERS.iter().find(|(names, _)| names.contains(&name)).map(|&(_, text)| text)
}

/// Whether a header of ours declares a function or a macro of this name: the name stands before a parenthesis.
pub fn declares(name: &str) -> bool {
    static NAMES: OnceLock<FxHashSet<&'static str>> = OnceLock::new();
    let names = NAMES.get_or_init(|| {
        let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let before = |part: &'static str| part.trim_end().rsplit(move |c: char| !is_part(c)).next();
        HEADERS.iter().flat_map(|(_, text)| text.split('(')).filter_map(before).collect()
    });
    name.starts_with("__builtin_") || names.contains(name)
}

/// Whether a function of compilers is known.
pub fn has_builtin(name: &str) -> bool {
    let text = include_str!("include/builtins.h");
    text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').any(|word| word == name)
}

/// The macros and functions that are known before the first line of the program.
pub fn predefined(model: DataModel) -> String {
    let mut text = String::from(
        "#define __LINE__\n#define __FILE__\n#define __COUNTER__\n#define __INCLUDE_LEVEL__ 0\n\
         #define __DATE__ \"Jan  1 1970\"\n#define __TIME__ \"00:00:00\"\n#define __VERSION__ \"12.2.0\"\n\
         #define __ESBMC_contract __attribute__((annotate(\"__ESBMC_contract\")))\n\
         #define __CPROVER_size_t __SIZE_TYPE__\n#define __CPROVER_ssize_t __PTRDIFF_TYPE__\n\
         #define __CPROVER_bool _Bool\n\
         #define __CPROVER_max_malloc_size ((__SIZE_TYPE__)1 << (8 * sizeof(void *) - 9))\n",
    );
    text.push_str(include_str!("include/predefined.h"));
    text.push_str(match model {
        DataModel::Ilp32 => include_str!("include/predefined_ilp32.h"),
        DataModel::Lp64 => include_str!("include/predefined_lp64.h"),
    });
    text.push_str(include_str!("include/builtins.h"));
    text
}

//! Programs that nobody has looked at cannot make the tool read what it was not told to.

#![allow(clippy::disallowed_methods, reason = "the test makes files")]

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

fn folder(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("untrusted").join(name);
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(path.join("inside")).expect("the target folder is writable");
    std::fs::write(path.join("secret.h"), "#define VALUE 7\n").expect("a writable folder");
    std::fs::write(path.join("inside/own.h"), "#define VALUE 7\n").expect("a writable folder");
    path
}

fn verify(folder: &Path, include: &str, options: &[&str]) -> Output {
    let program = format!(
        "#include {include}\n#include <assert.h>\nint main(void) {{ assert(VALUE == 7); return 0; }}\n"
    );
    std::fs::write(folder.join("inside/a.c"), program).expect("a writable folder");
    let mut command = Command::new(env!("CARGO_BIN_EXE_unreach"));
    command.current_dir(folder).args(["verify", "inside/a.c", "--timeout", "60"]).args(options);
    command.stdin(Stdio::null()).output().expect("the binary runs")
}

#[test]
fn includes_stay_inside_of_the_folders_that_are_named() {
    let folder = folder("includes");
    let secret = folder.join("secret.h").display().to_string();
    let within = ["--include-within", "inside"];
    for (include, free, confined) in [
        ("\"own.h\"", 0, 0),
        ("\"../secret.h\"", 0, 3),
        ("\"../inside/own.h\"", 0, 0),
        (&format!("\"{secret}\""), 0, 3),
        ("\"link.h\"", 0, 3),
        ("<stddef.h>\n#define VALUE 7", 0, 0),
    ] {
        let _ = std::os::unix::fs::symlink("../secret.h", folder.join("inside/link.h"));
        assert_eq!(verify(&folder, include, &[]).status.code(), Some(free), "{include}");
        let output = verify(&folder, include, &within);
        assert_eq!(output.status.code(), Some(confined), "{include}: {output:?}");
        assert!(!String::from_utf8_lossy(&output.stderr).contains("VALUE 7"), "{output:?}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn devices_and_folders_are_not_included() {
    let folder = folder("devices");
    for include in ["\"/dev/zero\"", "\"/dev/stdin\"", "\"/dev/tty\"", "\"/proc/self/mem\"", "\".\""] {
        let output = verify(&folder, include, &[]);
        assert_eq!(output.status.code(), Some(3), "{include}: {output:?}");
    }
}

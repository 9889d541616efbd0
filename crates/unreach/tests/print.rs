//! `unreach print`: the stages before the languages meet, and the intermediate language.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

fn print(stage: &str, source: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_unreach"))
        .args(["print", stage, "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary runs");
    child.stdin.take().expect("it is piped").write_all(source.as_bytes()).expect("it reads its input");
    child.wait_with_output().expect("it ends")
}

fn text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).expect("UTF-8")
}

#[test]
fn the_text_of_a_program_is_printed_as_itself() {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let mut seen = 0;
    for entry in examples.read_dir().expect("there are examples") {
        let path = entry.expect("the folder can be read").path();
        if path.extension().is_none_or(|extension| extension != "bpl") {
            continue;
        }
        let first = Command::new(env!("CARGO_BIN_EXE_unreach"))
            .args(["print", "ir"])
            .arg(&path)
            .output()
            .expect("the binary runs");
        assert_eq!(first.status.code(), Some(0), "{}: {}", path.display(), text(first.stderr));
        let first = text(first.stdout);
        let second = print("ir", &first);
        assert_eq!(text(second.stdout), first, "{}", path.display());
        assert_eq!(text(print("ast", &first).stderr), "");
        seen += 1;
    }
    assert!(seen > 0);
}

#[test]
fn tokens_have_places() {
    let output = print("tokens", "var x:\n  int;");
    assert_eq!(
        text(output.stdout),
        "1:1      Var              var\n\
         1:5      Identifier       x\n\
         1:6      Colon            :\n\
         2:3      Int              int\n\
         2:6      Semicolon        ;\n"
    );
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn trees_show_all_parentheses() {
    let output = print("ast", "axiom a + b * c == 1;");
    assert_eq!(
        (text(output.stdout), output.status.code()),
        ("axiom ((a + (b * c)) == 1);\n".to_owned(), Some(0))
    );
}

#[test]
fn mistakes_are_shown_and_end_in_code_3() {
    let output = print("ast", "var x: int;\naxiom 1 +;");
    assert_eq!((text(output.stdout), output.status.code()), ("var x: int;\n".to_owned(), Some(3)));
    assert!(text(output.stderr).starts_with("error: expected an expression, found `;`\n"));
    let output = print("ir", "axiom 1 + true == 2;");
    assert_eq!((text(output.stdout), output.status.code()), (String::new(), Some(3)));
    assert!(text(output.stderr).starts_with("error: operator `+` is not defined on `int` and `bool`\n"));
}

#[test]
fn unsupported_features_are_named() {
    let output = print("ir", "procedure p() { yield; }");
    assert_eq!(text(output.stdout), "UNKNOWN (unsupported: yield statements at -:1:17)\n");
    assert_eq!(output.status.code(), Some(2));
}

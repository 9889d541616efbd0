use super::*;
use crate::options::DataModel;
use crate::preprocess::{Author, NoIncludes, Start, preprocess};
use base::SourceMap;

fn check(text: &str) -> Result<Ast, String> {
    let mut sources = SourceMap::new();
    let file = sources.add("t.c", text);
    let mut symbols = Symbols::new();
    let start = Start { author: Author::User, model: DataModel::Lp64, definitions: "" };
    let tokens = preprocess(&mut sources, &mut symbols, file, start, &NoIncludes).map_err(|d| d.message)?;
    parse(&tokens, &mut symbols).map_err(|d| format!("{}: {}", sources.place(d.span), d.message))
}

#[test]
fn accepted() {
    for text in [
        "int x, *p, a[3], (*f)(int, char *), *(*g[2])(void);",
        "typedef int T; T T_; void f(T T) { T = 1; } T y;",
        "typedef int T; void f(void) { int T = 2; T * T; } T z;",
        "typedef int T; void f(void) { T: ; goto T; }",
        "f(a, b) int a; char *b; { return a; }",
        "main() { return 0; }",
        "struct s { int a : 3, : 0, b; struct { int c; }; union u *next; } x = { .a = 1, [0 ... 2] = 3, b: 4 };",
        "enum e { A, B = 2, C, } v = A;",
        "void f(void) { switch (1) { case 1 ... 3: default: ; } do ; while (0); for (int i = 0; i < 3; i++) ; }",
        "int f(void) { return ({ int y = 1; y; }) + (1 ?: 2) + sizeof(int) + sizeof 3 + (int){ 4 }; }",
        "int f(int x) { __label__ a; a: __attribute__((unused)); x = __builtin_offsetof(struct { int q; }, q); }",
        "extern int g(const char *, ...) __asm__(\"x\") __attribute__((__nothrow__, aligned(8)));",
        "void f(void) { asm volatile (\"nop\" : : \"r\"(1) : \"memory\"); __asm__(\"\"); }",
        "__extension__ typedef struct { long long q; } L; _Static_assert(1, \"x\");",
        "int f(int n, int a[static const n], int b[*]) { return a[n]; }",
        "typedef int T; int f(T), g(int (T)), h(T (*)(T));",
        "int x = (int)+1, y = (int)(1), *z = &(int){ 2 };",
        "void f(void) { l: } void g(int c) { if (c) ; else if (!c) { } }",
        "void f(int x) { //@ assert x > 0 ==> \\true;\n x++; /*@ assert x == 1; */ }",
        "int f(x) { return x; }",
        "_Noreturn void f(void); static inline int g(void) { return _Generic(1, int: 2, default: 3); }",
        "void f(void) { void *t[] = { &&a, &&b }; goto *t[0]; a: b: ; }",
        "unsigned __int128 x; long unsigned int long y; _Complex double z;",
        "typedef __builtin_va_list v; void f(v x) { __builtin_va_arg(x, int *); }",
    ] {
        if let Err(message) = check(text) {
            panic!("{text}\n{message}");
        }
    }
}

#[test]
fn refused() {
    for (text, expected) in [
        ("int x", "t.c:1:6: expected `;`, found the end of the file"),
        ("int f(void) { return 1 }", "t.c:1:23: expected `;`, found `}`"),
        ("int f(void) { x = ; }", "t.c:1:19: expected an expression, found `;`"),
        ("void f(void) {", "t.c:1:14: this block is not closed"),
        ("int int x;", "t.c:1:5: two types in one declaration"),
        ("struct { int a; } = 3;", "t.c:1:19: expected a name, found `=`"),
        ("int a[3;", "t.c:1:8: expected `]`, found `;`"),
    ] {
        assert_eq!(check(text).err().as_deref(), Some(expected), "{text}");
    }
}

#[test]
fn deep_nesting_is_an_error_and_not_a_crash() {
    for (open, close) in
        [("(", ")"), ("-", ""), ("{", "}"), ("*", ""), ("if(1)", ""), ("1?", ""), ("(int)", "")]
    {
        for (depth, good) in [(1_000, true), (100_000, false)] {
            let text = match open {
                "{" | "if(1)" => format!("void f() {{ {} ; {} }}", open.repeat(depth), close.repeat(depth)),
                "1?" => format!("int x = {} 1 {};", open.repeat(depth), ":1".repeat(depth)),
                _ => format!("int x = {} 1 {};", open.repeat(depth), close.repeat(depth)),
            };
            let result = check(&text);
            assert_eq!(result.is_ok(), good, "{open} {depth}: {:?}", result.err());
        }
    }
    let text = format!("int {} x;", "*".repeat(50_000));
    assert!(check(&text).is_ok(), "a flat list of stars is not nested");
    let text = format!("int x = {} 1;", "1 + ".repeat(100_000));
    assert!(check(&text).is_ok(), "operators that group to the left are read in a loop");
}

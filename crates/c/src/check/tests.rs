use super::*;
use crate::options::DataModel;
use crate::preprocess::{Author, NoIncludes, Start, preprocess};
use crate::tree::Init;
use base::SourceMap;

fn tree(model: DataModel, text: &str) -> Result<(Tree, Symbols), Vec<Problem>> {
    let mut sources = SourceMap::new();
    let file = sources.add("t.c", text);
    let mut symbols = Symbols::new();
    let tokens = preprocess(
        &mut sources,
        &mut symbols,
        file,
        Start { author: Author::User, model, definitions: "" },
        &NoIncludes,
    )
    .expect("tokens");
    let ast = crate::parse::parse(&tokens, &mut symbols).unwrap_or_else(|d| panic!("{text}: {}", d.message));
    check(&[ast], &mut symbols, || Types::new(model)).map(|tree| (tree, symbols))
}

/// The initialiser of the last variable with static lifetime.
fn last_initialiser(tree: &Tree) -> ExprId {
    let last = tree.statics.last().expect("a variable");
    match tree.variables[*last].init {
        Some(Init::Whole(value)) => value,
        _ => panic!("the last variable has no single initialiser"),
    }
}

/// The constant value of an expression.
fn constant(model: DataModel, before: &str, expr: &str) -> i128 {
    let (tree, _) = tree(model, &format!("{before}\nlong long value = {expr};")).expect("a good program");
    match tree.exprs[last_initialiser(&tree)].kind {
        ExprKind::Int(value) => value,
        _ => panic!("{expr} is not constant"),
    }
}

/// The type of an expression before it is converted.
fn type_of(model: DataModel, before: &str, expr: &str) -> String {
    let text = format!("{before}\nvoid function(void) {{ __typeof__({expr}) *probe; (void)probe; }}");
    let (tree, symbols) = tree(model, &text).expect("a good program");
    let probe = tree.variables.values().find(|data| symbols.text(data.name) == "probe").expect("the probe");
    let pointee = tree.types.pointee(probe.ty).expect("a pointer");
    tree.types.show(pointee, &symbols)
}

fn first_problem(text: &str) -> String {
    match tree(DataModel::Lp64, text) {
        Ok(_) => "accepted".to_owned(),
        Err(problems) => match &problems[0] {
            Problem::Error(diagnostic) => diagnostic.message.clone(),
            Problem::Unsupported(unsupported) => format!("unsupported: {}", unsupported.what),
            Problem::Interrupted(limit) => limit.to_string(),
        },
    }
}

#[test]
fn sizes_depend_on_the_data_model() {
    for (expr, ilp32, lp64) in [
        ("sizeof(int)", 4, 4),
        ("sizeof(long)", 4, 8),
        ("sizeof(void *)", 4, 8),
        ("sizeof(long long)", 8, 8),
        ("sizeof(long double)", 12, 16),
        ("sizeof(struct { char a; long long b; })", 12, 16),
        ("sizeof(struct { char a; double b; char c; })", 16, 24),
        ("sizeof(struct { char a; int *b; short c; })", 12, 24),
        ("sizeof(struct { int a : 3; int b : 30; })", 8, 8),
        ("sizeof(struct { char a : 4; char b : 4; char c; })", 2, 2),
        ("sizeof(struct { int a : 3; int : 0; int b : 3; })", 8, 8),
        ("sizeof(struct { char a; int b; } __attribute__((packed)))", 5, 5),
        ("sizeof(union { char a[5]; int b; })", 8, 8),
        ("sizeof(struct { int n; char rest[]; })", 4, 4),
        ("sizeof(int[3][4])", 48, 48),
        ("sizeof(\"abc\")", 4, 4),
        ("sizeof 'a'", 4, 4),
        ("sizeof(enum { A, B })", 4, 4),
        ("__builtin_offsetof(struct { char a; struct { int b, c; } d[2]; }, d[1].c)", 16, 16),
        ("(long)&((struct { char a; short b; } *)0)->b", 2, 2),
        ("sizeof(struct { char a; int b __attribute__((aligned(16))); })", 32, 32),
    ] {
        assert_eq!(constant(DataModel::Ilp32, "", expr), ilp32, "{expr} in ILP32");
        assert_eq!(constant(DataModel::Lp64, "", expr), lp64, "{expr} in LP64");
    }
}

#[test]
fn constants_are_folded_as_machines_compute() {
    let before = "enum e { A = 3, B, C = -1 }; typedef unsigned char byte;";
    for (expr, value) in [
        ("1 + 2 * 3 - 8 / 3 % 2", 7),
        ("-7 / 2", -3),
        ("-7 % 2", -1),
        ("0u - 1 > 0", 1),
        ("-1 < 0u", 0),
        ("(byte)300 + (signed char)200", 44 - 56),
        ("A + B * C", -1),
        ("1 ? 2 : 1 / 0", 2),
        ("0 && 1 / 0", 0),
        ("~0u >> 4 == 0x0fffffff", 1),
        ("(_Bool)7 + !3", 1),
        ("1L << 40", 1 << 40),
        ("'a' + '\\n'", 107),
        ("(int)3.99 + (int)-1.5", 2),
        ("sizeof(int) - 5 > 0", 1),
        ("__builtin_types_compatible_p(int, enum e)", 1),
        ("_Generic(1u, int: 1, unsigned: 2, default: 3)", 2),
        ("__builtin_choose_expr(1, 5, 6)", 5),
        ("__builtin_constant_p(4) + __builtin_constant_p(A)", 2),
    ] {
        assert_eq!(constant(DataModel::Lp64, before, expr), value, "{expr}");
    }
}

#[test]
fn types_follow_the_usual_conversions() {
    let before = "char c; short s; int i; unsigned u; long l; unsigned long ul; float f; double d; int a[3]; int *p; \
                  struct { unsigned small : 3; unsigned full : 32; } b; int g(void); _Bool t;";
    for (expr, expected) in [
        ("c + c", "int"),
        ("s + u", "unsigned int"),
        ("u + l", "long"),
        ("l + ul", "unsigned long"),
        ("i + f", "float"),
        ("f + d", "double"),
        ("c << l", "int"),
        ("-c", "int"),
        ("~t", "int"),
        ("!d", "int"),
        ("i < u", "int"),
        ("a + 1", "int *"),
        ("p - a", "long"),
        ("&a", "int[3] *"),
        ("*a", "int"),
        ("a[1] ? c : s", "int"),
        ("i ? p : 0", "int *"),
        ("i ? p : (void *)0", "int *"),
        ("b.small + 0", "int"),
        ("b.full + 0", "unsigned int"),
        ("g()", "int"),
        ("&g", "function returning int *"),
        ("(i, d)", "double"),
        ("c += 5", "char"),
        ("\"x\"", "char[2]"),
        ("2147483648", "long"),
        ("0x80000000", "unsigned int"),
        ("1.0f", "float"),
        ("sizeof i", "unsigned long"),
    ] {
        assert_eq!(type_of(DataModel::Lp64, before, expr), expected, "{expr}");
    }
}

#[test]
fn errors_say_what_is_wrong() {
    for (text, expected) in [
        ("int f(void) { return y; }", "`y` is not declared"),
        ("int x; char x;", "`x` is declared with two types"),
        ("int f(void) { return 0; } int f(void) { return 1; }", "`f` is defined twice"),
        ("struct s { int a; int a; };", "this member is declared twice"),
        ("struct s; struct s x; int f(void) { return x.a; }", "`struct s` has no member `a`"),
        ("int f(int a) { return a.b; }", "`int` has no members"),
        ("int f(int a) { return *a; }", "`int` is not a pointer"),
        ("int f(int a) { 3 = a; }", "this cannot be assigned to"),
        ("int f(int a) { return f(a, a); }", "the function takes 1 argument(s), but 2 are given"),
        ("struct s { int a; }; int f(struct s v) { return v + 1; }", "`struct s` is not a number here"),
        (
            "struct s { int a; }; int f(struct s v) { if (v) return 1; return 0; }",
            "`struct s` cannot be a condition",
        ),
        ("int f(int n) { switch (n) { case n: ; } }", "a `case` must be an integer constant"),
        ("int a[-1];", "the length of this array is negative or too large"),
        ("int n; int a[n];", "the length of a global array must be constant"),
        ("struct s { struct s inner; };", "a member cannot have the type `struct s`"),
        ("int f(void) { case 1: ; }", "`case` outside of a `switch`"),
        ("int x = 08;", "`08` is not a number"),
        ("struct s { int b : 40; };", "the width of this bit-field does not fit its type"),
        ("struct { unsigned b : 4; } s; int *p = &s.b;", "a bit-field has no address"),
        ("typedef int v4 __attribute__((vector_size(7)));", "this is no size of a vector"),
        ("_Static_assert(sizeof(int) == 5, \"\");", "the static assertion does not hold"),
        ("int x = 1; int x = 2;", "`x` is initialised twice"),
        (
            "struct p { int x, y; }; struct o { struct p p; }; void f(struct p w) { struct o o = { .p = w, .p.x = 1 }; }",
            "unsupported: a part of a struct that an expression has initialised, in the same list",
        ),
        (
            "struct s { int x; } __attribute__((scalar_storage_order(\"big-endian\")));",
            "unsupported: the attribute `scalar_storage_order`",
        ),
        (
            "struct s { unsigned long x : 40; } s; int f(void) { return s.x + 1 > 5; }",
            "unsupported: arithmetic on a bit-field that is wider than `int`",
        ),
        (
            "int f(void) { int g(void) { return 1; } return g(); }",
            "unsupported: a function inside a function",
        ),
        ("asm(\"nop\");", "unsupported: assembly at file scope"),
        ("int f(int p) { static int q = p; return q; }", "the initialiser of static `q` needs `p`"),
        (
            "int f(void) { static int *q = (int[]){ 1 }; return *q; }",
            "the initialiser of static `q` needs the address of a literal",
        ),
        ("int g;\n//@ ghost g = 1;\nint f(void) { return 0; }", "unsupported: ghost code"),
        (
            "//@ ghost int g;\nint f(int x) { if (x) //@ ghost g = 1;\n x = 2; return x; }",
            "unsupported: ghost code",
        ),
        ("//@ ghost int g;\nint f(int x) { //@ ghost g = f(x);\n return x; }", "unsupported: ghost code"),
    ] {
        assert_eq!(first_problem(text), expected, "{text}");
    }
}

#[test]
fn what_compilers_accept_is_accepted() {
    for text in [
        "int f(void) { return undeclared(1, 2); }",
        "int *p = 5; int i = \"text\";",
        "int f(); int g(void) { return f(1) + f(1, 2); } int f(a, b) int a; char b; { return a + b; }",
        "extern int a[]; int a[4]; int n = sizeof a;",
        "struct list { struct list *next; } head = { &head };",
        "typedef struct s T; struct s { T *t; }; T x;",
        "int f(int n) { int a[n]; return sizeof a; }",
        "char s[] = \"abc\", t[2] = \"ab\", *u[] = { \"x\", \"y\" };",
        "struct p { int x, y; } a[] = { 1, 2, 3, 4 }, b = { .y = 1 }, c[2] = { [1].x = 5 };",
        "void f(void) { static int n = 3; extern int m; m = n; }",
        "int f(int c) { return ({ int t = c; t + 1; }); }",
        "int main(void) { return __func__[0] + sizeof(__FUNCTION__); }",
        "static int f(void); static int f(void) { return 1; } int (*g)(void) = f;",
        "union u { int a; float b; } x = { 3 }, y = { .b = 1.0f };",
    ] {
        assert_eq!(first_problem(text), "accepted", "{text}");
    }
}

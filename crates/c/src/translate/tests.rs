use crate::{DataModel, NoIncludes, Options, Problem, Property, SignedOverflow};
use base::SourceMap;
use expect_test::{Expect, expect};

fn options(property: Property) -> Options {
    Options {
        data_model: DataModel::Ilp32,
        property,
        signed_overflow: SignedOverflow::Wraps,
        ..Options::default()
    }
}

fn translate(text: &str, options: Options) -> Result<String, String> {
    let mut sources = SourceMap::new();
    let file = sources.add("t.c", text);
    match crate::translate(&mut sources, file, options, &NoIncludes) {
        Ok((program, _)) => Ok(program.to_string()),
        Err(problems) => Err(match &problems[0] {
            Problem::Error(diagnostic) => format!("error: {}", diagnostic.message),
            Problem::Unsupported(unsupported) => unsupported.describe(&sources),
            Problem::Interrupted(limit) => limit.to_string(),
        }),
    }
}

/// The body of `main`, without its declarations.
fn main_of(text: &str, options: Options) -> String {
    let program = translate(text, options).unwrap_or_else(|problem| panic!("{problem}"));
    let main = program.split("procedure main").nth(1).expect("main").split("\n}\n").next().expect("a body");
    main.split_once("\n\n").map_or("", |(_, blocks)| blocks).to_owned() + "\n"
}

fn check(text: &str, expected: Expect) {
    expected.assert_eq(&main_of(text, options(Property::UnreachCall)));
}

#[test]
fn an_unsigned_sum_wraps_by_comparison() {
    check(
        "extern unsigned __VERIFIER_nondet_uint(void);\n\
         int main(void) { unsigned a = __VERIFIER_nondet_uint(), b = a + 7; return b; }",
        expect![[r#"
            entry_0:
              havoc #input;
              assume {:input "__VERIFIER_nondet_uint", #input} true;
              a := #input;
              #t := a + 7;
              b := if #t > 4294967295 then #t - 4294967296 else #t;
              #result := if b > 2147483647 then b - 4294967296 else b;
              return;
        "#]],
    );
}

#[test]
fn a_counter_below_a_bound_does_not_wrap() {
    check(
        "extern int __VERIFIER_nondet_int(void); extern void reach_error(void);\n\
         int main(void) { int n = __VERIFIER_nondet_int(), i; for (i = 0; i < n; i++) { }\n\
         if (i < 0) reach_error(); return 0; }",
        expect![[r#"
            entry_0:
              havoc #input;
              assume {:input "__VERIFIER_nondet_int", #input} true;
              n := #input;
              havoc i;
              i := 0;
              goto for_1;

            for_1:
              if (i < n) { goto body_2; } else { goto end_4; }

            body_2:
              goto step_3;

            step_3:
              i := i + 1;
              goto for_1;

            end_4:
              if (i < 0) { goto then_5; } else { goto else_6; }

            then_5:
              assert {:property "unreach-call: reach_error"} false;
              assume false;
              return;

            else_6:
              goto join_7;

            join_7:
              #result := 0;
              return;
        "#]],
    );
}

/// The bound of the loop does not hold for a counter that the body changes.
#[test]
fn a_counter_that_the_body_changes_may_wrap() {
    let text = "extern int __VERIFIER_nondet_int(void);\n\
                int main(void) { int n = __VERIFIER_nondet_int(), i; \
                for (i = 0; i < n; i++) { i = __VERIFIER_nondet_int(); } return 0; }";
    let body = main_of(text, options(Property::UnreachCall));
    assert!(body.contains("if #t > 2147483647 then #t - 4294967296 else #t"), "{body}");
}

#[test]
fn members_and_unrelated_objects_have_their_own_memory() {
    let text = "struct s { int a; int b; struct s *next; } x, *p = &x; int y, *q = &y; long z[3];\n\
                int main(void) { long *r = z; p->a = 1; p->b = 2; p->next = p; *q = 3; r[1] = 4; return p->a; }";
    let program = translate(text, options(Property::UnreachCall)).expect("a supported program");
    expect![[r#"
        var #next: int
        var p.base: int
        var p.offset: int
        var x.s.a.int32: int
        var x.s.b.int32: int
        var x.s.next.base: int
        var x.s.next.offset: int
        var q.base: int
        var q.offset: int
        var y.int32: int
        var z.int32: [int]int
    "#]]
    .assert_eq(&globals(&program));
}

/// The declarations of global variables, without their ranges.
fn globals(program: &str) -> String {
    let lines = program.lines().filter(|line| line.starts_with("var "));
    lines
        .map(|line| line.split(" where").next().unwrap_or(line).trim_end_matches(';').to_owned() + "\n")
        .collect()
}

#[test]
fn a_pointer_into_a_struct_joins_its_members() {
    let text = "struct s { int a; int b; } x; int main(void) { int *p = &x.a; x.b = 2; *p = 3; return x.a; }";
    let program = translate(text, options(Property::UnreachCall)).expect("a supported program");
    expect![[r#"
        var #next: int
        var x.int32: [int]int
    "#]]
    .assert_eq(&globals(&program));
}

#[test]
fn a_list_is_told_apart_by_its_nodes_alone() {
    let text = "extern void *malloc(unsigned); struct node { int data; struct node *next; };\n\
                int main(void) { struct node *l = 0; for (int i = 0; i < 3; i++) {\n\
                struct node *n = malloc(sizeof *n); n->data = i; n->next = l; l = n; } return l->data; }";
    let program = translate(text, options(Property::UnreachCall)).expect("a supported program");
    expect![[r#"
        var #next: int
        var #memory.node.data.int32: [int]int
        var #memory.node.next.pointer.base: [int]int
        var #memory.node.next.pointer.offset: [int]int
    "#]]
    .assert_eq(&globals(&program));
}

/// Each of these looks at a member in a second way, so that its offset matters.
#[test]
fn offsets_are_kept_where_addresses_are_computed() {
    for text in [
        "struct s { int a; } x, y, *p = &x; int main(void) { p->a = 1; p = &y; p[0].a = 2; return 0; }",
        "struct i { int a; }; struct s { struct i u, v; } x, y, *p = &x;\n\
         int main(void) { struct i *q = &p->u; q->a = 1; p = &y; q = &p->v; q->a = 2; return 0; }",
        "int x, y, *p = &x; int main(void) { p = &y; *(p + 0) = 1; return 0; }",
        "int x, y[2], *p = &x; int main(void) { p = y; *p = 1; return 0; }",
    ] {
        let program = translate(text, options(Property::UnreachCall)).expect("a supported program");
        assert!(program.contains("int32: [int][int]int"), "{text}: {program}");
    }
}

#[test]
fn variables_without_address_need_no_memory() {
    let text = "struct s { int a[3]; struct { char c; } in; } g;\n\
                int main(void) { struct s l = g; l.a[1] = 2; l.in.c = l.a[0]; g = l; return g.in.c; }";
    let program = translate(text, options(Property::UnreachCall)).expect("a supported program");
    assert!(!program.contains("#memory"), "{program}");
    assert!(program.contains("var g.a: [int]int;"), "{program}");
}

#[test]
fn overflow_is_asserted_only_where_it_can_happen() {
    let count = |text: &str| {
        let program =
            translate(text, options(Property::NoOverflow)).unwrap_or_else(|problem| panic!("{problem}"));
        program.matches("no-overflow").count()
    };
    let with = |body: &str| {
        format!(
            "extern int __VERIFIER_nondet_int(void); int main(void) {{ int x = __VERIFIER_nondet_int(); {body} }}"
        )
    };
    for (body, expected) in [
        ("return x + 1;", 1),
        ("return x / 2;", 0),
        ("return x / -1;", 1),
        ("return -x;", 1),
        ("if (x < 100) return x + 1; return 0;", 0),
        ("if (x < 100 && x > -100) return x * x - x; return 0;", 0),
        ("unsigned u = x; return u + 1 > u;", 0),
        ("char c = x; return c + c;", 0),
        ("long long l = x; return l * l > 5;", 0),
        ("if (x++ < 5) return x + 1; return 0;", 2),
        ("while (x > 3) x--; return x;", 0),
        ("if (x > 0) goto l; return 0; l: return x + 1;", 1),
    ] {
        assert_eq!(count(&with(body)), expected, "{body}");
    }
}

#[test]
fn bits_are_exact_with_constants_and_marked_otherwise() {
    let marked = |body: &str| {
        let text = format!(
            "extern unsigned __VERIFIER_nondet_uint(void);\n\
             int main(void) {{ unsigned x = __VERIFIER_nondet_uint(), y = __VERIFIER_nondet_uint(); {body} }}"
        );
        translate(&text, options(Property::UnreachCall))
            .expect("a supported program")
            .contains("overapproximation")
    };
    for (body, expected) in [
        ("return x & 255;", false),
        ("return x | 0xf0;", false),
        ("return (x ^ 0x80000000) >> 3;", false),
        ("return x << (y & 7);", false),
        ("return (x > 3) & (y < 4);", false),
        ("return x & y;", true),
        ("return x ^ y;", true),
    ] {
        assert_eq!(marked(body), expected, "{body}");
    }
}

#[test]
fn properties_become_assertions() {
    let text = "extern void reach_error(void); extern void __assert_fail(const char *);\n\
                int main(void) { int x = 0; //@ assert x == 0;\n\
                if (x) reach_error(); if (x > 1) __assert_fail(\"x\"); if (x > 2) goto ERROR; return 0;\n\
                ERROR: return x + 1; }";
    for (property, expected) in [
        (Property::UnreachCall, &["unreach-call: reach_error"][..]),
        (Property::UnreachLabel, &["unreach-call: reach_error", "unreach-label: ERROR"]),
        (Property::Assert, &["assert: annotation", "unreach-call: reach_error", "assert: x"]),
        (Property::NoOverflow, &["no-overflow: + in int"]),
    ] {
        let program = translate(text, options(property)).unwrap_or_else(|problem| panic!("{problem}"));
        let mut found: Vec<&str> =
            program.split("assert {:property \"").skip(1).filter_map(|rest| rest.split('"').next()).collect();
        found.sort_unstable();
        let mut expected = expected.to_vec();
        expected.sort_unstable();
        assert_eq!(found, expected, "{property:?}");
    }
}

#[test]
fn what_is_not_modelled_is_named_with_its_line() {
    for (text, expected) in [
        ("int main(void) {\n asm(\"cli\"); }", "unsupported: assembly at t.c:2"),
        ("int x; int main(void) {\n asm(\"movl $5, x\" ::: \"memory\"); }", "unsupported: assembly at t.c:2"),
        ("int main(void) {\n asm goto(\"jmp %l0\" :::: end); end: ; }", "unsupported: assembly at t.c:2"),
        (
            "union u { long double f; int *p; } x;\nint main(void) { x.f = 1;\n return *x.p; }",
            "unsupported: a `long double` in memory that is accessed through other types at t.c:2",
        ),
        (
            "extern void call(void (*)(void));\nvoid f(void) {}\nint main(void) { call(f); return 0; }",
            "unsupported: `call`, which has no body and gets a function at t.c:3",
        ),
        ("int f(void) { return 0; }", "unsupported: a program without `main` at t.c:1"),
        (
            "extern int pthread_kill();\nint main(void) { return pthread_kill(); }",
            "unsupported: threads (`pthread_kill`) at t.c:2",
        ),
        (
            "extern int pthread_create(unsigned long *, void *, void *, void *);\nextern _Thread_local int own;\n\
             void *f(void *a) { own = 1; return a; }\n\
             int main(void) { unsigned long t; pthread_create(&t, 0, f, 0); return own; }",
            "unsupported: a variable that every thread has for itself at t.c:2",
        ),
        (
            "int entry(char *);\nint main(void) { return __builtin_setjmp(0); }",
            "unsupported: `__builtin_setjmp` at t.c:2",
        ),
        ("int main(void) { return *(int *)0x4000; }", "unsupported: memory at a fixed address at t.c:1"),
        ("int main(void) { goto nowhere; }", "error: the label `nowhere` is not defined"),
    ] {
        assert_eq!(
            translate(text, options(Property::UnreachCall)).err().as_deref(),
            Some(expected),
            "{text}"
        );
    }
}

/// Functions that `main` does not reach may use what they like.
#[test]
fn unreachable_functions_are_not_looked_at() {
    let text = "int unused(void) { asm(\"nop\"); return 0; } int main(void) { return 0; }";
    assert!(translate(text, options(Property::UnreachCall)).is_ok());
}

#[test]
fn names_may_have_any_letters() {
    let text = "int gr\u{fc}n; int f(int \u{e9}t\u{e9}) { goto fin\u{ed}; fin\u{ed}: return \u{e9}t\u{e9}; }\n\
                int main(void) { int \u{3c0} = f(gr\u{fc}n); return \u{3c0}; }";
    let program = translate(text, options(Property::UnreachCall)).expect("a supported program");
    assert!(program.is_ascii() && program.contains("gr$ufcn"), "{program}");
}

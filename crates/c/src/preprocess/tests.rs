use super::*;

const START: Start<'static> = Start { author: Author::User, model: DataModel::Ilp32, definitions: "" };

fn run(text: &str) -> String {
    let mut sources = SourceMap::new();
    let file = sources.add("t.c", text);
    let mut symbols = Symbols::new();
    match preprocess(&mut sources, &mut symbols, file, START, &NoIncludes) {
        Err(diagnostic) => format!("error: {}", diagnostic.message),
        Ok(tokens) => {
            let words: Vec<String> = tokens
                .iter()
                .filter(|token| sources.file(token.span.file).name != "<built-in>")
                .filter_map(|token| match token.kind {
                    TokenKind::Name(s) | TokenKind::Number(s) | TokenKind::Char(s) | TokenKind::Text(s) => {
                        Some(symbols.text(s).to_owned())
                    }
                    TokenKind::Punct(punct) => Some(punct.text().to_owned()),
                    TokenKind::End => None,
                })
                .collect();
            words.join(" ")
        }
    }
}

#[test]
fn macros() {
    for (text, expected) in [
        ("#define A 1 + B\n#define B A\nA B", "1 + A 1 + B"),
        ("#define F(x, y) y x\nF(a, (b, c)) F", "( b , c ) a F"),
        ("#define F(x) #x\nF( a + \"b\\n\" )", "\"a + \\\"b\\\\n\\\"\""),
        ("#define P(a, b) a##b\nP(x, 1) P(, z) P(<, <)", "x1 z <<"),
        ("#define V(f, ...) g(f, ## __VA_ARGS__)\nV(a) V(a, b, c)", "g ( a ) g ( a , b , c )"),
        ("#define N(args...) h(args)\nN() N(1, 2)", "h ( ) h ( 1 , 2 )"),
        ("#define F(x) x F\nF(1)(2)(3)", "1 F ( 2 ) ( 3 )"),
        ("#define f(a) a*g\n#define g(a) f(a)\nf(2)(9)", "2 * 9 * g"),
        ("#define EMPTY\n#define F() 7\nF EMPTY ()", "F ( )"),
        ("__LINE__\n#line 10\n__LINE__", "1 10"),
        ("# 7 \"x.h\" 1\n__FILE__ __LINE__", "\"x.h\" 7"),
        ("#define X 1\n#undef X\nX", "X"),
        ("#define F(x) x\nF(1", "error: the arguments of macro `F` are not closed"),
        ("#define F(x) x\nF(1, 2)", "error: macro `F` takes 1 argument(s), but 2 are given"),
        ("#define P(a, b) a##b\nP(+, 1)", "error: `##` makes `+1` here, which is not one token"),
        // The example of C11 6.10.3.5 for rescanning.
        (
            "#define x 3\n#define f(a) f(x * (a))\n#undef x\n#define x 2\n#define g f\n#define z z[0]\n\
             #define h g(~\n#define m(a) a(w)\n#define w 0,1\n#define t(a) a\nf(y+1) + f(f(z)) % t(t(g)(0) + t)(1);",
            "f ( 2 * ( y + 1 ) ) + f ( 2 * ( f ( 2 * ( z [ 0 ] ) ) ) ) % f ( 2 * ( 0 ) ) + t ( 1 ) ;",
        ),
    ] {
        assert_eq!(run(text), expected, "{text}");
    }
}

#[test]
fn conditionals() {
    for (text, expected) in [
        ("#if 1 + 1 == 2\na\n#else\nb\n#endif", "a"),
        ("#ifdef X\na\n#elif defined(__GNUC__) && !defined X\nb\n#else\nc\n#endif d", "b"),
        ("#if 0\n#if 1\na\n#endif\n'\n#else\nb\n#endif", "b"),
        ("#if 0\n'tis no C\n#elif 1\nb\n#else\n\"neither\n#endif", "b"),
        ("#if 1\n'a\n#endif", "error: this character constant is not closed"),
        ("#if 0 && 1 / 0\n#else\nok\n#endif", "ok"),
        ("#if -1 > 0u\nyes\n#endif", "yes"),
        ("#if UNKNOWN\na\n#elif 'A' == 65\nb\n#endif", "b"),
        ("#if 1\na", "error: this conditional is not closed by `#endif`"),
        ("#endif", "error: `#endif` without `#if`"),
        ("#if 1 / 0\n#endif", "error: division by zero in this condition"),
        ("#error no good", "error: #error no good"),
    ] {
        assert_eq!(run(text), expected, "{text}");
    }
}

#[test]
fn built_in_headers() {
    assert_eq!(run("#include <stdbool.h>\ntrue"), "1");
    assert_eq!(run("#include <limits.h>\nLONG_MAX"), "0x7fffffffL");
    assert_eq!(run("#include \"none.h\""), "error: the file `none.h` is not found");
    for name in ["assert.h", "stdint.h", "stdlib.h", "string.h", "stdio.h", "math.h", "pthread.h", "ctype.h"]
    {
        let text = run(&format!("#include <{name}>\n"));
        assert!(text.contains("extern") || text.contains("typedef"), "{name}: {text}");
    }
}

/// A file that includes itself, and macros that double at every step.
#[test]
fn bombs_end_with_an_error() {
    struct Same;
    impl Includes for Same {
        fn find(&self, wanted: Wanted<'_>) -> Option<Found> {
            Some(Found { name: wanted.name.to_owned(), text: "#include \"self.h\"\n".into() })
        }
    }
    let mut sources = SourceMap::new();
    let file = sources.add("t.c", "#include \"self.h\"\n");
    let result = preprocess(&mut sources, &mut Symbols::new(), file, START, &Same);
    assert!(result.is_err_and(|d| d.message.contains("include each other")));

    let mut bomb = String::from("#define M0 x x x x\n");
    for level in 1..40 {
        bomb.push_str(&format!("#define M{level} M{} M{}\n", level - 1, level - 1));
    }
    // Which of two limits it meets first depends on how much was read before.
    let message = run(&format!("{bomb}M39"));
    assert!(message.starts_with("error: ") && message.ends_with("without end"), "{message}");
    let nested = format!("#define F(x) x\n{}1{}", "F(".repeat(1000), ")".repeat(1000));
    assert_eq!(run(&nested), "error: macro uses are nested too deeply");
}

#[test]
fn corners_of_macros() {
    for (text, expected) in [
        ("#define F(a, b) x a##b\nF(, y) F(y, ) F(, )", "x y x y x"),
        ("#define F(a, ...) f(a __VA_OPT__(,) __VA_ARGS__)\nF(1) F(2, 3)", "f ( 1 ) f ( 2 , 3 )"),
        ("#define X 1\n#define HAS defined(X)\n#if HAS\nyes\n#else\nno\n#endif", "yes"),
        (
            "#if defined __has_include && __has_include(<stdio.h>) && !__has_include(<none.h>)\nyes\n#endif",
            "yes",
        ),
        (
            "#define A 1\n#pragma push_macro(\"A\")\n#undef A\n#define A 2\nA\n#pragma pop_macro(\"A\")\nA",
            "2 1",
        ),
        ("_Pragma(\"once\") x", "x"),
        ("#pragma pack(push, 1)\nint x;", "__pragma_pack ( push , 1 ) int x ;"),
        ("#ifdef NONE\na\n#elifndef NONE\nb\n#else\nc\n#endif", "b"),
        ("\u{feff}x", "x"),
    ] {
        assert_eq!(run(text), expected, "{text}");
    }
}

#[test]
fn names_of_the_tool_are_refused() {
    let refused = "error: names that begin with `__unreach_` are kept for this tool";
    assert_eq!(run("int __unreach_races_among;"), refused);
    assert_eq!(run("#define P(a, b) a##b\nint P(__unreach, _x);"), refused);
    assert!(run("#include <stdarg.h>\nunreach_x").ends_with("unreach_x"));
}

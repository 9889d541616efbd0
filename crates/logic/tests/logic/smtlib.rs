//! SMT-LIB text: what operators mean, what is refused, and how terms are written.

use expect_test::expect;
use logic::evaluate::holds;
use logic::smtlib::{parse, print};
use logic::{Model, Quantifier, Sort, SortData, Term, Terms};

const DECLARATIONS: &str = "
    (declare-const p Bool) (declare-const q Bool) (declare-const r Bool)
    (declare-const x Int) (declare-const y Int) (declare-const z Int)
    (declare-const u Real) (declare-const v Real)
    (declare-const b (_ BitVec 8)) (declare-const c (_ BitVec 8)) (declare-const d (_ BitVec 4))
    (declare-const a (Array Int Int)) (declare-const m (Array Int (Array Int Bool)))
    (declare-sort U 0) (declare-const e U) (declare-fun f (Int U) U) (declare-fun g (Real) Real)";

fn assertion(terms: &mut Terms, formula: &str) -> Result<Term, String> {
    let text = format!("{DECLARATIONS}\n(assert {formula})");
    let script = parse::script(terms, &text).map_err(|error| error.to_string())?;
    Ok(script.assertions().next().expect("there is an assertion"))
}

/// Two ways to write the same thing give the same term.
#[test]
fn derived_operators_mean_what_the_theories_say() {
    let cases = [
        ("(=> p q r)", "(or (not p) (or (not q) r))"),
        ("(xor p q r)", "(= (= p q) r)"),
        ("(distinct x y z)", "(and (not (= x y)) (not (= y z)) (not (= z x)))"),
        ("(= x y z)", "(and (= x y) (= y z))"),
        ("(< x y z)", "(and (< x y) (<= y (- z 1)))"),
        ("(>= x y)", "(not (< x y))"),
        ("(= (- x y z) (- x))", "(= (+ x (* (- 1) (+ y z))) (* (- 1) x))"),
        ("(= (abs x) 1)", "(= (ite (>= x 0) x (- x)) 1)"),
        ("((_ divisible 3) x)", "(= (mod x 3) 0)"),
        ("(= (div x 2 3) y)", "(= (div (div x 2) 3) y)"),
        ("(= (/ u 2 4) v)", "(= (* 0.125 u) v)"),
        ("(< u x)", "(< u (to_real x))"),
        ("(= u 1)", "(= u 1.0)"),
        ("(is_int u)", "(= (to_real (to_int u)) u)"),
        ("(= (g 1) u)", "(= (g 1.0) u)"),
        ("(= (bvsub b c) #x00)", "(= (bvadd b (bvneg c)) (_ bv0 8))"),
        ("(bvuge b c)", "(bvule c b)"),
        ("(bvsgt b c)", "(not (bvsle b c))"),
        ("(= (bvnand b c) b)", "(= (bvnot (bvand b c)) b)"),
        ("(= (bvxnor b c) b)", "(= (bvnot (bvxor b c)) b)"),
        ("(= (bvcomp b c) #b1)", "(= (ite (= b c) #b1 #b0) #b1)"),
        ("(= ((_ rotate_left 11) b) c)", "(= (concat ((_ extract 4 0) b) ((_ extract 7 5) b)) c)"),
        ("(= ((_ rotate_right 3) b) c)", "(= (concat ((_ extract 2 0) b) ((_ extract 7 3) b)) c)"),
        ("(= ((_ rotate_left 8) b) c)", "(= b c)"),
        ("(= ((_ repeat 2) d) b)", "(= (concat d d) b)"),
        ("(= ((_ repeat 1) d) d)", "true"),
        ("(= (bvadd b c b) b)", "(= (bvadd (bvadd b c) b) b)"),
        ("(= (concat d d) #b00010001)", "(= (concat d d) #x11)"),
        ("(bvnego #x80)", "true"),
        ("(bvuaddo #xff #x01)", "true"),
        ("(bvuaddo #xfe #x01)", "false"),
        ("(bvsaddo #x7f #x01)", "true"),
        ("(bvsaddo #xff #x01)", "false"),
        ("(bvusubo #x01 #x02)", "true"),
        ("(bvssubo #x80 #x01)", "true"),
        ("(bvssubo #x01 #x02)", "false"),
        ("(bvumulo #x10 #x10)", "true"),
        ("(bvsmulo #xff #xff)", "false"),
        ("(bvsmulo #x80 #xff)", "true"),
        ("(bvsdivo #x80 #xff)", "true"),
        ("(= (sbv_to_int #xff) (- 1))", "true"),
        ("(= (ubv_to_int #xff) 255)", "true"),
        ("(= ((_ int_to_bv 8) (- 1)) #xff)", "true"),
        ("(select (select (store m x (store (select m x) y true)) x) y)", "true"),
        ("(= (select ((as const (Array Int Int)) 3) x) 3)", "true"),
        ("(let ((x y) (y x)) (< x y))", "(< y x)"),
        ("(forall ((x Int)) (let ((y x)) (= y z)))", "(forall ((k Int)) (= k z))"),
        ("(= (f x (as e U)) e)", "(= e (f x e))"),
        ("(exists ((p Int) (unused U)) (and q (> p 0)))", "(exists ((|a b| Int)) (and (> |a b| 0) q))"),
        ("(! p :named p0 :other (1 2))", "p"),
    ];
    for (left, right) in cases {
        let mut terms = Terms::new();
        let [left_term, right_term] = [left, right]
            .map(|text| assertion(&mut terms, text).unwrap_or_else(|error| panic!("{text}: {error}")));
        assert_eq!(left_term, right_term, "{left} is not {right}");
    }
}

#[test]
fn what_makes_no_sense_is_refused_with_a_place() {
    let cases = [
        ("(and p x)", "argument 2 of `and` is of sort Int, not Bool"),
        ("(not p q)", "`not` wants at most 1 arguments, not 2"),
        ("(xor p)", "`xor` wants at least 2 arguments, not 1"),
        ("(= b d)", "argument 2 of `=` is of sort (_ BitVec 4), not (_ BitVec 8)"),
        ("(+ p p)", "`+` wants numbers"),
        ("(< e e)", "`<` wants numbers"),
        ("(div u u)", "argument 1 of `div` is of sort Real, not Int"),
        ("(select x x)", "argument 1 of `select` is no array"),
        ("(select a p)", "argument 2 of `select` is of sort Bool, not Int"),
        ("(store a x)", "`store` wants at least 3 arguments, not 2"),
        ("((_ extract 8 0) b)", "there are no bits 8 to 0 in 8 bits"),
        ("((_ extract 1 2) b)", "there are no bits 1 to 2 in 8 bits"),
        ("((_ extract 1) b)", "`extract` wants 2 indices, not 1"),
        ("((_ bvadd 1) b b)", "`bvadd` has no indices"),
        ("((_ repeat 0) b)", "`repeat` gives a bit-vector of 0 bits, outside of 1..=1048576"),
        ("((_ zero_extend 4294967295) b)", "bits, outside of"),
        ("((_ zero_extend 99999999999999999999) b)", "is too large"),
        ("((_ divisible 0) x)", "`divisible` wants a positive index"),
        ("((_ int2bv 0) x)", "gives a bit-vector of 0 bits"),
        ("(_ bv3 0)", "this is no literal that is supported"),
        ("(f x)", "`f` wants 2 arguments, not 1"),
        ("(f e e)", "argument 1 of `f` is of sort U, not Int"),
        ("f", "`f` wants arguments"),
        ("(p q)", "`p` is no function"),
        ("w", "`w` is not declared"),
        ("(w p)", "`w` is not declared"),
        ("x", "this is no formula"),
        ("(forall ((k Int)) k)", "what is quantified is no formula"),
        ("(forall ((k V)) true)", "the sort `V` is not declared"),
        ("(forall ((k (_ BitVec 0))) true)", "the width of a bit-vector"),
        ("(forall (k) true)", "a name and what it is bound to are expected here"),
        ("(let (k) true)", "a name and what it is bound to are expected here"),
        (
            "(forall ((k Int)) (and (! p :named inside) (> k 0)))",
            "a term inside a quantifier cannot be named",
        ),
        ("(! p :named x)", "`x` is already declared"),
        ("(! p :named and)", "`and` is a function of the theories"),
        ("\"text\"", "strings are not supported"),
        ("()", "an empty list is no term"),
        ("(1 2)", "this is applied but is no function"),
        ("((lambda ((k Int)) true) 1)", "this is applied but is no function"),
        ("(as x Bool)", "`x` has another sort"),
        ("((as const (Array Int Bool)) 1)", "`const` wants an array sort and one element of it"),
    ];
    for (text, message) in cases {
        let mut terms = Terms::new();
        let error = assertion(&mut terms, text).expect_err(text);
        assert!(error.contains(message), "{text}: {error}");
        assert!(error.starts_with("8:"), "{error}");
    }
}

#[test]
fn scripts_are_read_command_by_command() {
    let mut terms = Terms::new();
    let text = "(set-info :status sat) (set-logic QF_LIA) ; a comment
        (declare-fun x () Int) (define-fun twice ((n Int)) Int (+ n n)) (define-fun four () Int (twice 2))
        (define-sort Number () Int) (declare-fun h (Number) Number)
        (push 1) (declare-const y Number) (assert (! (< (twice y) four) :named small)) (check-sat) (pop 1)
        (push) (declare-const y Bool) (assert y) (pop)
        (check-sat-assuming ((> x four) (= (h x) x))) (get-value (x (h x))) (get-model) (exit)";
    let script = parse::script(&mut terms, text).expect("well-formed");
    let assertions: Vec<String> = script.assertions().map(|formula| print::term(&terms, formula)).collect();
    assert_eq!(assertions, ["(<= y 1)", "y!0"], "a declaration ends with its level");
    assert_eq!(script.commands.len(), 17);
    for (text, message) in [
        ("(assert)", "1:1: this form of `assert` is not supported"),
        ("(declare-const x Int) (declare-const x Int)", "1:38: `x` is already declared"),
        ("(declare-const and Bool)", "1:16: `and` is a function of the theories"),
        ("(declare-sort L 1)", "1:1: this form of `declare-sort` is not supported"),
        ("(declare-sort Int 0)", "1:15: the sort `Int` is already declared"),
        ("(define-fun f () Int true)", "1:22: the body has another sort"),
        ("(define-fun-rec f () Int 1)", "1:1: this form of `define-fun-rec` is not supported"),
        ("(pop 1)", "1:1: there is no `push` for this"),
        ("(push 99999999999)", "1:7: a small number is expected here"),
        ("check-sat", "1:1: a command is expected here"),
    ] {
        let error = parse::script(&mut Terms::new(), text).expect_err(text);
        assert_eq!(error.to_string(), message);
    }
}

#[test]
fn terms_are_written_with_lets_quotes_and_patterns() {
    let mut terms = Terms::new();
    let formula = assertion(
        &mut terms,
        "(and (= (f (- x 3) e) (f (* 2 x) e)) (= (+ (* (- 2) u) (/ 1 3)) (g (g v)))
              (= (store a x (- 1)) ((as const (Array Int Int)) x))
              (forall ((x Int) (y Int)) (! (or (> (select a (+ x y)) (* x y)) (< (* x y) z)) :pattern ((select a x) (select a y))))
              (bvult b ((_ zero_extend 4) d)))",
    )
    .expect("well-formed");
    expect!["(and (= (f (+ x (- 3)) e) (f (* 2 x) e)) (= (+ u (* (/ 1.0 2.0) (g (g v)))) (/ 1.0 6.0)) (= (store a x (- 1)) ((as const (Array Int Int)) x)) (forall ((x!0 Int) (y Int)) (! (let ((?0 (* y x!0))) (or (not (<= (+ z (* (- 1) ?0)) 0)) (<= (+ ?0 (* (- 1) (select a (+ y x!0)))) (- 1)))) :pattern ((select a x!0) (select a y)))) (not (bvule ((_ zero_extend 4) d) b)))"].assert_eq(&print::term(&terms, formula));
    let odd = terms.sort(SortData::Uninterpreted("odd sort".into()));
    let symbol = terms.symbol("not", odd);
    let [symbol, bar, start] = [terms.constant(symbol), terms.named("a|b", odd), terms.named("?0", odd)];
    let (left, right) = (terms.eq(symbol, bar), terms.eq(bar, start));
    let both = terms.and([left, right]);
    let either = terms.eq(both, left);
    expect![[r#"
        (set-logic ALL)
        (declare-sort |odd sort| 0)
        (declare-const %not |odd sort|)
        (declare-const %a%7cb |odd sort|)
        (declare-const ?0 |odd sort|)
        (assert (let ((??0 (= %not %a%7cb))) (= ??0 (and ??0 (= %a%7cb ?0)))))
        (check-sat)
    "#]]
    .assert_eq(&print::script(&terms, &[either]));
}

#[test]
fn bound_variables_are_renamed_where_a_name_is_taken() {
    let mut terms = Terms::new();
    let [x, y] = ["x", "y"].map(|name| terms.symbol(name, Sort::INT));
    let [tx, ty] = [x, y].map(|symbol| terms.constant(symbol));
    let less = terms.lt(tx, ty);
    let inner = terms.quantify(Quantifier::Exists, &[y], less, &[]);
    let outer = terms.quantify(Quantifier::Forall, &[x], inner, &[]);
    let free = terms.le(tx, ty);
    let both = terms.and([outer, free]);
    let text = print::term(&terms, both);
    expect!["(and (forall ((x!0 Int)) (exists ((y!0 Int)) (not (<= (+ y!0 (* (- 1) x!0)) 0)))) (<= (+ x (* (- 1) y)) 0))"].assert_eq(&text);
    assert_eq!(parse::term(&mut terms, &text), Ok(both));
}

#[test]
fn a_let_stands_inside_of_the_quantifiers_that_its_term_needs() {
    let mut terms = Terms::new();
    terms.function("h", &[Sort::INT, Sort::INT], Sort::INT);
    let text = "(forall ((i Int)) (exists ((j Int)) (let ((?0 (h i j))) (= (h ?0 ?0) 0))))";
    let formula = parse::term(&mut terms, text).expect("well-formed");
    assert_eq!(print::term(&terms, formula), text);
}

#[test]
fn shared_terms_are_written_in_the_size_of_their_graph() {
    let mut terms = Terms::new();
    let function = terms.function("h", &[Sort::INT, Sort::INT], Sort::INT);
    let mut term = terms.named("x", Sort::INT);
    for _ in 0..10_000 {
        term = terms.apply(function, &[term, term]);
    }
    let text = print::term(&terms, term);
    assert!(text.len() < 10_000 * 40, "{} bytes", text.len());
    assert_eq!(parse::term(&mut terms, &text), Ok(term));
}

#[test]
fn deep_terms_are_read_and_written_without_recursion() {
    let mut terms = Terms::new();
    let depth = 100_000;
    let text = format!("{}{}{}", "(h ".repeat(depth), "0", ")".repeat(depth));
    terms.function("h", &[Sort::INT], Sort::INT);
    let term = parse::term(&mut terms, &text).expect("well-formed");
    assert_eq!(print::term(&terms, term), text);
}

#[test]
fn macros_do_not_capture_bound_variables() {
    let mut terms = Terms::new();
    let text = "(define-fun above ((n Bool)) Bool (exists ((k Bool)) (and (not (= n k)) k)))
                (assert (forall ((k Bool)) (above k)))";
    let script = parse::script(&mut terms, text).expect("well-formed");
    let formula = script.assertions().next().expect("there is an assertion");
    assert_eq!(holds(&mut terms, &Model::new(), formula), Ok(false));
}

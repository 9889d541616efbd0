//! Broken texts for everybody who reads: no reader may panic, whatever it is given.

use super::{files, generate, mutate, report, seeds, support, words_of_panic};
use base::Random;
use certify::{Subject, format};
use logic::Terms;
use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Duration;
use unreach::view::{BitOperations, NoView, View};
use unreach::{Answer, Budget, Failure, Limits, Plan, Problem, Silent, verify};

/// Texts of one kind, and who reads them. What is said about a text tells which part of the reader it has reached.
struct Reader {
    name: &'static str,
    samples: Vec<String>,
    read: Box<dyn Fn(&str) -> String>,
}

const SAFE: &str = "procedure main(n: int)\n{\n  var i: int;\n  i := 0;\n  while (i < n) { i := i + 1; }\n  assert n < 0 || i >= n;\n}\n";

const WITNESSES: &[&str] = &[
    include_str!("samples/correctness.yml"),
    include_str!("samples/violation.yml"),
    include_str!("samples/violation.graphml"),
];

const PROPERTIES: &[&str] = &[
    "CHECK( init(main()), LTL(G ! call(reach_error())) )\n",
    "CHECK( init(main()), LTL(G valid-free) )\nCHECK( init(main()), LTL(G valid-deref) )\nCHECK( init(main()), LTL(G valid-memtrack) )\n",
    "CHECK( init(f()), LTL(G (AP(x > 0) -> F AP(y == 0))) )\n",
];

const DEFINITIONS: &[&str] = &[
    "format_version: '2.0'\ninput_files: ['a.c', 'b.c']\nproperties:\n  - property_file: p.prp\n    expected_verdict: false\noptions:\n  data_model: ILP32\n",
];

/// Certificates of a small program.
fn certificates() -> Vec<String> {
    let engines = ["trace-abstraction", "bounded"];
    let certificate = |name: &str| {
        let engine = unreach::engine(name)?;
        let plan = Plan { certificate: true, ..Plan::only(engine, unreach::Inlining::Never).with_rounds(6) };
        let problem = Problem::boogie(
            "soak.bpl",
            if name == "bounded" { "procedure main(n: int) { assert n * 0 == 0; }\n" } else { SAFE },
        );
        let decision = verify(&problem, &plan, &Budget::unlimited(), Arc::new(Silent)).ok()?;
        let Answer::Safe(safe) = decision.answer else { return None };
        safe.certificate
    };
    engines.into_iter().filter_map(certificate).collect()
}

/// How large a number is, roughly.
fn magnitude(number: usize) -> u32 {
    usize::BITS - number.leading_zeros()
}

fn view(problem: &Problem) -> String {
    match View::new(problem, BitOperations::Marked) {
        Ok(view) => format!("{} expressions", magnitude(view.program.expressions.len())),
        Err(NoView::Failure(Failure::Mistakes(_, mistakes))) => {
            mistakes.first().map(|first| first.message.clone()).unwrap_or_default()
        }
        Err(other) => format!("{other:?}"),
    }
}

/// Errors in words; a text that is right is described by its length.
fn said<T, E: std::fmt::Debug>(read: Result<T, E>, text: &str) -> String {
    read.err().map_or_else(|| format!("{} characters", magnitude(text.len())), |error| format!("{error:?}"))
}

fn automata(text: &str) -> String {
    let budget = Budget::unlimited();
    let limits = Limits { time: Some(Duration::from_secs(1)), memory: None };
    let _watchdog = budget.watch(limits, Duration::from_secs(3600), |_| {});
    let mut out = Vec::new();
    let environment = ats::Environment {
        load: &mut |_, _| Err("there are no other files".to_owned()),
        out: &mut out,
        format: ats::Format::Script,
        budget: &budget,
    };
    let report = ats::run("soak.ats", text, environment);
    let wrong = report.diagnostics.first().map(|first| first.message.clone());
    let missing = report.unsupported.first().map(|(what, _)| what.clone());
    let held = magnitude(report.assertions.len());
    wrong.or(missing).unwrap_or_else(|| format!("{held} assertions, {:?}", report.interrupted))
}

fn certificate(text: &str) -> String {
    let program = support::compile(SAFE).expect("it is a program");
    let mut terms = Terms::new();
    let subject = Subject::new(&program, &mut terms).expect("logic can express it");
    let parts = [
        said(format::made(text), text),
        said(format::read(&program, &subject, text, &mut terms), text),
        said(certify::unwinding::read(&program, text), text),
    ];
    parts.join("; ")
}

fn readers() -> Vec<Reader> {
    let own = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>();
    let mut boogie = files("tests/programs", "bpl");
    boogie.extend((0..20).map(generate::program));
    boogie.retain(|text| text.len() < 3000);
    let mut c = files("tests/c", "c");
    c.retain(|text| text.len() < 3000);
    let scripts = files("../ats/tests/scripts/passing", "ats");

    let reader = |name, samples, read: Box<dyn Fn(&str) -> String>| Reader { name, samples, read };
    vec![
        reader("boogie", boogie, Box::new(|text| view(&Problem::boogie("soak.bpl", text)))),
        reader("c", c, Box::new(|text| view(&Problem::c("soak.c", text)))),
        reader(
            "svlib",
            files("tests/svlib", "svlib"),
            Box::new(|text| view(&Problem::svlib("soak.svlib", text))),
        ),
        reader("automata", scripts, Box::new(automata)),
        reader("certificate", certificates(), Box::new(certificate)),
        reader("witness", own(WITNESSES), Box::new(|text| said(evidence::witness::read(text), text))),
        reader("property", own(PROPERTIES), Box::new(|text| said(unreach::property::parse(text), text))),
        reader("yaml", own(DEFINITIONS), Box::new(|text| said(evidence::yaml::read(text), text))),
        reader(
            "smtlib",
            own(&[
                "(set-logic ALL)(declare-fun x () Int)(assert (forall ((y Int)) (> (+ x y) (* 2 (ite (< x 0) 1 y)))))(check-sat)",
            ]),
            Box::new(|text| said(logic::smtlib::parse::script(&mut Terms::new(), text), text)),
        ),
    ]
}

/// Cheap readers get more texts: they are asked so often for each text of a front end.
const CHEAP: u64 = 4;

#[test]
fn readers_do_not_panic() {
    let readers = readers();
    for reader in &readers {
        assert!(!reader.samples.is_empty(), "there are samples of {}", reader.name);
    }
    let (mut made, mut found) = (0, Vec::new());
    for seed in seeds(3000) {
        let mut random = Random::new(seed ^ 0x0bad);
        let dear = seed.is_multiple_of(CHEAP);
        let (first, until) = if dear { (0, 4) } else { (4, readers.len()) };
        let reader = &readers[first + random.below(until - first)];
        let sample = &reader.samples[random.below(reader.samples.len())];
        let other = &reader.samples[random.below(reader.samples.len())];
        let text = mutate::broken(sample, other, &mut random);
        let panics = |text: &str| catch_unwind(AssertUnwindSafe(|| (reader.read)(text))).err();
        made += 1;
        if let Some(panic) = panics(&text) {
            let small = super::reduce::reduce(&text, |text| panics(text).is_some());
            found.push(format!("seed {seed}, {}: {}\n{small}", reader.name, words_of_panic(panic.as_ref())));
        }
    }
    report("readers", made, &found);
}

/// The words of an answer without what they are about: names and numbers.
fn shape(answer: &str) -> String {
    let mut shape = String::new();
    for (index, part) in answer.split(['`', '"', '\'']).enumerate() {
        if index % 2 == 0 {
            shape.extend(part.chars().filter(|letter| !letter.is_ascii_digit()));
        }
    }
    shape.chars().take(200).collect()
}

/// The most texts of one kind that are bred from.
const MOST_BRED: usize = 2000;

/// Texts are bred: whoever gets an answer that no text got before is broken again later. So readers are reached where texts that
/// are broken once do not come.
#[test]
fn readers_do_not_panic_at_bred_texts() {
    let mut readers = readers();
    let mut known: BTreeSet<(usize, String)> = BTreeSet::new();
    let (mut made, mut found) = (0, Vec::new());
    for seed in seeds(3000) {
        let mut random = Random::new(seed ^ 0xb4ed);
        let dear = seed.is_multiple_of(CHEAP);
        let (first, until) = if dear { (0, 4) } else { (4, readers.len()) };
        let number = first + random.below(until - first);
        let samples = &readers[number].samples;
        let text = mutate::broken(
            &samples[random.below(samples.len())],
            &samples[random.below(samples.len())],
            &mut random,
        );
        made += 1;
        match catch_unwind(AssertUnwindSafe(|| (readers[number].read)(&text))) {
            Ok(answer) => {
                let is_new = known.insert((number, shape(&answer)));
                if is_new && samples.len() < MOST_BRED && text.len() < 20_000 {
                    readers[number].samples.push(text);
                }
            }
            Err(panic) => {
                let panics =
                    |text: &str| catch_unwind(AssertUnwindSafe(|| (readers[number].read)(text))).is_err();
                let small = super::reduce::reduce(&text, panics);
                let name = readers[number].name;
                found.push(format!("seed {seed}, {name}: {}\n{small}", words_of_panic(panic.as_ref())));
            }
        }
    }
    report("bred", made, &found);
    eprintln!("{} kinds of answers", known.len());
}

/// What was found before stays mended. The name of a file is `KIND-what.txt`.
#[test]
fn what_was_found_stays_mended() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/soak/corpus");
    let readers = readers();
    for entry in std::fs::read_dir(folder).expect("the corpus is there") {
        let path = entry.expect("a file").path();
        let name = path.file_name().and_then(|name| name.to_str()).expect("a name").to_owned();
        let kind = name.split('-').next().unwrap_or_default();
        let Some(reader) = readers.iter().find(|reader| reader.name == kind) else { continue };
        (reader.read)(&std::fs::read_to_string(&path).expect("it can be read"));
    }
}

//! Broken texts for everybody who reads: no reader may panic, whatever it is given.

use super::read::{KINDS, Kind, PROVEN};
use super::{files, generate, mutate, report, seeds, words_of_panic};
use base::Random;
use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use unreach::{Answer, Budget, Plan, Problem, Silent, verify};

/// Who reads texts of a kind, and some of them.
struct Reader {
    kind: &'static Kind,
    samples: Vec<String>,
}

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
            if name == "bounded" { "procedure main(n: int) { assert n * 0 == 0; }\n" } else { PROVEN },
        );
        let decision = verify(&problem, &plan, &Budget::unlimited(), Arc::new(Silent)).ok()?;
        let Answer::Safe(safe) = decision.answer else { return None };
        safe.certificate
    };
    engines.into_iter().filter_map(certificate).collect()
}

fn samples(kind: &str) -> Vec<String> {
    let own = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>();
    match kind {
        "boogie" => {
            let mut texts = files("tests/programs", "bpl");
            texts.extend((0..20).map(generate::program));
            texts.retain(|text| text.len() < 3000);
            texts
        }
        "c" => {
            let mut texts = files("tests/c", "c");
            texts.retain(|text| text.len() < 3000);
            texts
        }
        "svlib" => files("tests/svlib", "svlib"),
        "automata" => files("../ats/tests/scripts/passing", "ats"),
        "certificate" => certificates(),
        "witness" => own(WITNESSES),
        "property" => own(PROPERTIES),
        "observer" => files("../../examples/observers", "obs"),
        "yaml" => own(DEFINITIONS),
        "smtlib" => own(&[
            "(set-logic ALL)(declare-fun x () Int)(assert (forall ((y Int)) (> (+ x y) (* 2 (ite (< x 0) 1 y)))))(check-sat)",
        ]),
        other => panic!("there are no samples of {other}"),
    }
}

fn readers() -> Vec<Reader> {
    KINDS.iter().map(|kind| Reader { kind, samples: samples(kind.name) }).collect()
}

/// Cheap readers get more texts: they are asked so often for each text of a front end.
const CHEAP: u64 = 4;

#[test]
fn readers_do_not_panic() {
    let readers = readers();
    for reader in &readers {
        assert!(!reader.samples.is_empty(), "there are samples of {}", reader.kind.name);
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
        let panics = |text: &str| catch_unwind(AssertUnwindSafe(|| (reader.kind.read)(text))).err();
        made += 1;
        if let Some(panic) = panics(&text) {
            let small = super::reduce::reduce(&text, |text| panics(text).is_some());
            found.push(format!(
                "seed {seed}, {}: {}\n{small}",
                reader.kind.name,
                words_of_panic(panic.as_ref())
            ));
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
        match catch_unwind(AssertUnwindSafe(|| (readers[number].kind.read)(&text))) {
            Ok(answer) => {
                let is_new = known.insert((number, shape(&answer)));
                if is_new && samples.len() < MOST_BRED && text.len() < 20_000 {
                    readers[number].samples.push(text);
                }
            }
            Err(panic) => {
                let panics = |text: &str| {
                    catch_unwind(AssertUnwindSafe(|| (readers[number].kind.read)(text))).is_err()
                };
                let small = super::reduce::reduce(&text, panics);
                let name = readers[number].kind.name;
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
        let Some(reader) = readers.iter().find(|reader| reader.kind.name == kind) else { continue };
        (reader.kind.read)(&std::fs::read_to_string(&path).expect("it can be read"));
    }
}

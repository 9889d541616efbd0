//! The page that `--report` writes: what is in it, and, where there is a browser, how it behaves.

#![allow(clippy::disallowed_methods, reason = "the test writes pages and looks for a browser")]

mod browser;

use browser::Browser;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A program with everything that could be taken for markup, in comments, texts and names.
const ODD: &str = "// </script><script>document.title = 'owned'</script> <!-- {facts} {script} \u{202e}turned\u{202c} 𝒳\n\
var g: int;\n\
procedure main(n: int) modifies g;\n\
{\n\
  var x', i: int;\n\
  x' := 0; g := n; i := 0;\n\
  while (i < 3) {\n\
    call x' := step(x');\n\
    i := i + 1;\n\
  }\n\
  assert g != 7 || x' < 3; /* </script> */\n\
}\n\
procedure step(y: int) returns (z: int)\n\
{\n\
  z := y + 1;\n\
}\n";

fn path(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(name)
}

fn unreach(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_unreach")).args(arguments).output().expect("the binary runs")
}

/// The page about a program.
fn page(name: &str, text: &str, options: &[&str]) -> PathBuf {
    let (source, page) = (path(name), path(&format!("{name}.html")));
    std::fs::write(&source, text).expect("the folder of the test is writable");
    let [source, file] = [&source, &page].map(|path| path.display().to_string());
    let output = unreach(&[&["verify", "--report", &file], options, &[&source]].concat());
    assert!(output.status.code().is_some_and(|code| code < 3), "{output:?}");
    page
}

fn facts(page: &Path) -> Value {
    let text = std::fs::read_to_string(page).expect("the page was written");
    let (_, rest) = text.split_once("<script type=\"application/json\" id=\"facts\">").expect("facts");
    serde_json::from_str(rest.split_once("</script>").expect("an end").0).expect("JSON")
}

#[test]
fn a_page_has_the_facts_of_the_answer() {
    let page = page("facts.bpl", ODD, &[]);
    let text = std::fs::read_to_string(&page).expect("the page was written");
    assert_eq!(text.matches("</script>").count(), 2, "the program ends no script");
    assert!(text.contains("default-src 'none'") && !text.contains("src=\"http"), "nothing is loaded");
    let facts = facts(&page);
    assert_eq!((&facts["verdict"], &facts["kind"]), (&json!("FALSE(assert)"), &json!("false")));
    assert_eq!(facts["files"][0]["text"], ODD);
    let steps = facts["steps"].as_array().expect("steps");
    assert_eq!(steps.last().expect("a step")["kind"], "fails");
    assert_eq!(steps.last().expect("a step")["place"][1], 11);
    // Every step that the answer for machines has is there, and the failure.
    let object: Value =
        serde_json::from_str(facts["downloads"][0]["text"].as_str().expect("text")).expect("JSON");
    assert_eq!(object["counterexample"]["steps"].as_array().expect("steps").len() + 1, steps.len());
    assert_eq!(
        facts["checks"],
        json!([{
            "place": [0, 11, 1, 11, 25], "condition": [0, 11, 8, 11, 24], "what": "assertion: g != 7 || x' < 3", "procedure": "main", "status": "fails",
        }])
    );
}

#[test]
fn a_page_about_a_proof_has_invariants_and_the_certificate() {
    let text = "procedure main(n: int) { var i: int; i := 0;\n while (i < n) { i := i + 1; }\n assert n < 0 || i == n; }";
    let facts = facts(&page("proof.bpl", text, &["--engine", "trace-abstraction"]));
    assert_eq!(facts["kind"], "true");
    assert_eq!(facts["invariants"][0]["place"][1], 2);
    assert_eq!(facts["checks"][0]["status"], "proven");
    assert_eq!(facts["downloads"][1]["name"], "certificate.json");
    let graph = &facts["automaton"]["procedures"][0];
    assert!(
        graph["nodes"].as_array().is_some_and(|nodes| nodes.iter().any(|node| node["kind"] == "loop")),
        "{graph}"
    );
    assert!(
        graph["edges"]
            .as_array()
            .is_some_and(|edges| edges.iter().any(|edge| edge["label"] == "i := i + 1;"))
    );
}

/// A proof that needs some lines, and an assertion that no execution comes to.
const WHY: &str = "procedure main(n: int)\n\
  requires n >= 0;\n\
{\n\
  var i, s, junk: int;\n\
  i := 0;\n\
  s := 0;\n\
  junk := n * n;\n\
  while (i < n) {\n\
    i := i + 1;\n\
    s := s + 2;\n\
    junk := junk + s;\n\
  }\n\
  assert s == 2 * n;\n\
  if (n < 0) {\n\
    assert s == 17;\n\
  }\n\
}\n";

fn lines(places: &Value) -> Vec<u64> {
    places.as_array().expect("places").iter().filter_map(|place| place[1].as_u64()).collect()
}

#[test]
fn a_page_about_a_proof_says_why_it_is_one() {
    let facts = facts(&page("why.bpl", WHY, &["--engine", "trace-abstraction"]));
    let reasons = &facts["reasons"];
    assert_eq!(reasons["by"], "automata");
    // The product that goes into `junk` is needed by nothing.
    assert_eq!(lines(&reasons["lines"]["unneeded"]), [7, 11], "{reasons:#}");
    let needed = lines(&reasons["lines"]["needed"]);
    assert!([5, 6, 9, 10].iter().all(|line| needed.contains(line)), "{needed:?}");
    let vacuous: Vec<bool> =
        facts["checks"].as_array().expect("checks").iter().map(|check| check["vacuous"] == true).collect();
    assert_eq!(vacuous, [false, true]);
    // The loop is entered, gone round, and left to two checks.
    let triples = reasons["triples"].as_array().expect("triples");
    let ends: Vec<[&str; 2]> = triples
        .iter()
        .map(|triple| ["from", "to"].map(|end| triple[end]["kind"].as_str().unwrap_or_default()))
        .collect();
    for pair in [["begin", "loop"], ["loop", "loop"], ["loop", "error"]] {
        assert!(ends.contains(&pair), "{ends:?}");
    }
    let entered = ends.iter().position(|pair| *pair == ["begin", "loop"]).expect("it is entered");
    assert_eq!(triples[entered]["before"], "true");
    let automaton = &reasons["automata"][0];
    let labels = automaton["labels"].as_array().expect("labels");
    assert!(labels.contains(&json!("true")) && labels.contains(&json!("false")), "{labels:?}");
    assert_eq!(
        automaton["nodes"].as_array().map(Vec::len),
        automaton["states"].as_u64().map(|it| it as usize)
    );
}

/// A statement that is shown as unneeded can be replaced by one that does anything, all of them at once.
#[test]
fn what_a_proof_does_not_need_can_do_anything() {
    let facts = facts(&page("unneeded.bpl", WHY, &["--engine", "trace-abstraction"]));
    let mut text: Vec<String> = WHY.lines().map(str::to_owned).collect();
    for line in lines(&facts["reasons"]["lines"]["unneeded"]) {
        let line = &mut text[line as usize - 1];
        let (name, _) = line.split_once(":=").expect("an assignment");
        *line = format!("havoc {};", name.trim());
    }
    assert!(text.join("\n").contains("havoc junk;"));
    let source = path("unneeded-havoc.bpl");
    std::fs::write(&source, text.join("\n")).expect("the folder of the test is writable");
    assert_eq!(unreach(&["verify", &source.display().to_string()]).status.code(), Some(0));
}

#[test]
fn assertions_that_are_reached_are_not_called_vacuous() {
    let text = "#include <assert.h>\nextern int nondet_int(void);\n\
        int main(void) {\n int n = nondet_int();\n if (n < 0 || n > 5) return 0;\n\
        assert(n <= 10 && n >= 0);\n if (n > 20) assert(n == 3);\n return 0; }\n";
    // By unwinding, and by automata.
    for options in [&["--engine", "bounded"], &["--engine", "trace-abstraction"]] {
        let facts = facts(&page("vacuous.c", text, options));
        let checks = facts["checks"].as_array().expect("checks");
        let vacuous: Vec<(u64, bool)> = checks
            .iter()
            .map(|check| (check["place"][1].as_u64().unwrap_or_default(), check["vacuous"] == true))
            .collect();
        assert_eq!(vacuous, [(6, false), (7, true)], "{options:?}");
    }
}

#[test]
fn a_page_about_nothing_found_out_says_what_is_open() {
    let text = "procedure main(n: int) { var x: int; x := n; while (*) { x := x * x; } assert x != 7; }";
    let facts = facts(&page("open.bpl", text, &["--engine", "abstract-interpretation"]));
    assert_eq!(facts["kind"], "unknown");
    assert_eq!(facts["checks"][0]["status"], "open");
    assert!(
        facts["advice"][0].as_str().is_some_and(|text| text.contains("assertion: x != 7")),
        "{}",
        facts["advice"]
    );
}

#[test]
fn leaps_are_steps_with_their_numbers() {
    let text =
        "procedure main() { var i: int; i := 0;\n while (i < 100000000000) { i := i + 1; }\n assert false; }";
    let facts = facts(&page("leaps.bpl", text, &["--engine", "leaping"]));
    let steps = facts["steps"].as_array().expect("steps");
    let leap = steps.iter().find(|step| step["kind"] == "leap").expect("a leap");
    assert!(leap["note"].as_str().is_some_and(|note| note.starts_with("leap × 100,000,000,000")), "{leap}");
}

#[test]
fn a_page_that_cannot_be_written_is_told() {
    let source = path("unwritable.bpl");
    std::fs::write(&source, "procedure main() { assert true; }").expect("the folder of the test is writable");
    let output = unreach(&["verify", "--report", "no/such/folder/page.html", &source.display().to_string()]);
    let message = String::from_utf8(output.stderr).expect("UTF-8");
    assert_eq!(message, "unreach: no/such/folder/page.html: cannot be written: no such file\n");
    assert_eq!(output.status.code(), Some(3));
}

#[test]
fn a_folder_of_pages_about_functions() {
    let (source, folder) = (path("functions.c"), path("functions-pages"));
    let text = "int good(int x) { return x / 2; }\nint bad(int x) { return 10 / x; }\n";
    std::fs::write(&source, text).expect("the folder of the test is writable");
    let [source, pages] = [&source, &folder].map(|path| path.display().to_string());
    let output = unreach(&["check", "--report", &pages, &source]);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let index = std::fs::read_to_string(folder.join("index.html")).expect("the index was written");
    assert!(
        index.contains("<a href=\"0001.html\">good</a>") && index.contains("badge false\">fails"),
        "{index}"
    );
    assert_eq!(facts(&folder.join("0002.html"))["kind"], "false");
}

#[test]
fn stepping_in_a_browser() {
    let Some(mut browser) = Browser::start("stepping") else { return };
    let page = page("stepping.bpl", ODD, &[]);
    browser.open(&page, "");
    let count =
        browser.value("JSON.parse(document.getElementById('facts').textContent).steps.length").as_u64();
    let count = count.expect("a number");
    // A page opens with the failure; nothing of the program has become markup.
    assert_eq!(
        browser.value("document.getElementById('position').textContent"),
        format!("step {count} of {count}")
    );
    assert_eq!(browser.value("document.querySelector('.row.now').dataset.at"), "0:11");
    assert!(
        browser.value("document.title").as_str().is_some_and(|title| title.starts_with("FALSE(assert) · "))
    );
    assert_eq!(browser.value("document.querySelectorAll('script').length"), 2);
    assert_eq!(
        browser.value("[...document.querySelectorAll('.odd')].map(it => it.textContent).join()"),
        "U+202E,U+202C"
    );
    // Keys.
    browser.press("Home");
    assert_eq!(browser.value("location.hash"), "#step=1");
    browser.press("ArrowRight");
    assert_eq!(browser.value("location.hash"), "#step=2");
    assert_eq!(browser.value("document.querySelector('tr.changed').dataset.name"), "x'");
    browser.press("ArrowLeft");
    assert_eq!(
        browser.value("document.querySelector('.step[aria-current]').getAttribute('href')"),
        "#step=1"
    );
    // Over a call: from its entry to where it comes back is one step less deep.
    let entry = browser.value(
        "JSON.parse(document.getElementById('facts').textContent).steps.findIndex(it => it.depth === 1) + 1",
    );
    browser.open(&page, &format!("#step={entry}"));
    assert_eq!(browser.value("document.querySelector('#values h2').textContent"), "In step");
    browser.press("u");
    assert_eq!(browser.value("document.querySelector('.row.now').dataset.at"), "0:8");
    // Buttons, slider, links.
    browser.value("document.getElementById('go-first').click()");
    assert_eq!(browser.value("document.getElementById('slider').value"), "1");
    browser.value(
        "(s => { s.value = 4; s.dispatchEvent(new Event('input')); })(document.getElementById('slider'))",
    );
    assert_eq!(browser.value("location.hash"), "#step=4");
    browser.value("location.hash = '#step=3'; new Promise(done => setTimeout(done, 50))");
    assert_eq!(browser.value("document.getElementById('slider').value"), "3");
    // The last change of a variable.
    browser.press("End");
    let jump = "document.querySelector('tr[data-name=\"g\"] button')";
    let to = browser.value(&format!("{jump}.dataset.jump"));
    browser.value(&format!("{jump}.click()"));
    assert_eq!(browser.value("location.hash"), format!("#step={}", to.as_str().expect("a number")));
    assert_eq!(browser.value("document.querySelector('tr.changed').dataset.name"), "g");
    // A click on a line leads to its next step, and the automaton follows.
    browser.press("Home");
    browser.value("document.querySelector('.row[data-at=\"0:9\"] .mark').click()");
    assert_eq!(browser.value("document.querySelector('.row.now').dataset.at"), "0:9");
    browser.value("document.querySelectorAll('#below > details').forEach(it => it.open = true); new Promise(done => setTimeout(done, 50))");
    assert_eq!(browser.value("document.querySelector('.edge.now title').textContent"), "i := i + 1;");
}

#[test]
fn a_proof_in_a_browser() {
    let Some(mut browser) = Browser::start("proof") else { return };
    let page = page("proof-shown.bpl", WHY, &["--engine", "trace-abstraction"]);
    browser.open(&page, "");
    let class =
        |line: u64| format!("document.querySelector('.row[data-at=\"0:{line}\"]').classList.contains");
    assert_eq!(browser.value(&format!("{}('needed')", class(9))), true);
    assert_eq!(browser.value(&format!("{}('unneeded')", class(11))), true);
    assert_eq!(browser.value("document.querySelector('.row[data-at=\"0:15\"] .mark').textContent"), "∅");
    assert_eq!(browser.value("document.querySelector('.says .why summary').textContent"), "why this holds");
    assert!(browser.value("document.querySelectorAll('.says .why .triple').length").as_u64() >= Some(3));
    // The lines of a triple are links, and everything follows: the line, and the letters of the automata.
    browser.value("document.querySelectorAll('#below > details').forEach(it => it.open = true); new Promise(done => setTimeout(done, 50))");
    browser.value(
        "document.querySelectorAll('.proof-automaton').forEach(it => it.open = true); new Promise(done => setTimeout(done, 50))",
    );
    browser.value(
        "document.querySelector('.says .triple a').click(); new Promise(done => setTimeout(done, 50))",
    );
    let line = browser.value("location.hash").as_str().expect("an address").replace("#line=", "");
    assert_eq!(browser.value("document.querySelector('.row.chosen').dataset.at"), line);
    browser.value("location.hash = '#line=0:10'; new Promise(done => setTimeout(done, 50))");
    assert!(
        browser.value("document.querySelectorAll('.proof-automaton .edge.now').length").as_u64() >= Some(1)
    );
    assert!(
        browser
            .value("[...document.querySelectorAll('.edge.now title')].map(it => it.textContent).join()")
            .as_str()
            .is_some_and(|letters| letters.contains("s := s + 2;"))
    );
    // On a narrow screen nothing but source and drawings is wider than the screen.
    browser.call(
        "Emulation.setDeviceMetricsOverride",
        json!({ "width": 380, "height": 800, "deviceScaleFactor": 1, "mobile": true }),
    );
    browser.open(&page, "");
    assert_eq!(browser.value("document.documentElement.scrollWidth <= 380"), true);
}

#[test]
fn ten_thousand_steps_without_lag() {
    let Some(mut browser) = Browser::start("many") else { return };
    let text = "procedure main() { var i: int; i := 0;\n while (i < 6000) { i := i + 1; }\n assert false; }";
    let page = page("many.bpl", text, &["--engine", "search"]);
    let count = facts(&page)["steps"].as_array().expect("steps").len();
    assert!(count > 10_000, "{count} steps");
    browser.open(&page, "");
    assert!(
        browser.value("document.querySelectorAll('.step').length").as_u64() < Some(200),
        "only what is seen is there"
    );
    // Work is counted and not time: how many elements are made for a hundred steps.
    let made = "(() => { let made = 0; const create = document.createElement.bind(document);\n\
                document.createElement = (tag) => { made++; return create(tag); };\n\
                for (let step = 1; step <= 100; step++) location.hash, document.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowLeft' }));\n\
                return made; })()";
    assert!(browser.value(made).as_u64() < Some(60_000));
    assert_eq!(browser.value("location.hash"), format!("#step={}", count - 100));
}

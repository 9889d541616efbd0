//! Changes of a generated program that keep its meaning: other names, code that is never reached, statements that do nothing,
//! the first round of a loop in front of it, independent statements in the other order, and a procedure's body in the place of a
//! call.
//!
//! They work on the text as the generator writes it: a statement in a line, blocks by indentation.

use base::Random;

/// The program after a few changes.
pub fn changed(text: &str, random: &mut Random) -> String {
    let mut text = text.to_owned();
    for _ in 0..=random.below(3) {
        text = match random.below(6) {
            0 => renamed(&text),
            1 => with_line(&text, random, "if (false) {\n  assert false;\n}"),
            2 => with_line(&text, random, "x := x;"),
            3 => peeled(&text, random),
            4 => inlined(&text, random),
            _ => swapped(&text, random),
        };
    }
    text
}

/// All variables and procedures have other names.
fn renamed(text: &str) -> String {
    const NAMES: [(&str, &str); 4] = [("g", "zebra"), ("h", "apple"), ("y", "ox"), ("n", "in#put")];
    with_words(text, |word| {
        NAMES.iter().find(|(old, _)| *old == word).map_or(word.to_owned(), |(_, new)| (*new).to_owned())
    })
}

/// The text with another word for each of its words.
fn with_words(text: &str, new: impl Fn(&str) -> String) -> String {
    let mut changed = String::new();
    let mut word = String::new();
    for character in text.chars().chain(['\n']) {
        if character.is_ascii_alphanumeric() || matches!(character, '_' | '.' | '#') {
            word.push(character);
            continue;
        }
        changed.push_str(&new(&word));
        changed.push(character);
        word.clear();
    }
    changed.pop();
    changed
}

/// The lines before which a statement may stand: statements of a body, behind the first assignment to its variables.
fn statements(lines: &[&str]) -> Vec<usize> {
    let mut found = Vec::new();
    let mut started = false;
    for (number, line) in lines.iter().enumerate() {
        let statement = line.trim();
        if line.starts_with("procedure") {
            started = false;
        }
        let is_plain = !statement.is_empty() && !statement.starts_with('}') && line.starts_with("  ");
        if started
            && is_plain
            && statement.ends_with([';', '{'])
            && !lines[number - 1].trim().starts_with("havoc")
        {
            found.push(number);
        }
        started |= statement == "x, y := 0, 1;" || statement == "x, ox := 0, 1;";
    }
    found
}

fn with_line(text: &str, random: &mut Random, line: &str) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let places = statements(&lines);
    let Some(&place) = places.get(random.below(places.len())) else { return text.to_owned() };
    let mut all = lines[..place].to_vec();
    all.extend(line.lines());
    all.extend(&lines[place..]);
    all.join("\n") + "\n"
}

/// `while (c) { B }` becomes `if (c) { B while (c) { B } }`.
fn peeled(text: &str, random: &mut Random) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let heads: Vec<usize> =
        (0..lines.len()).filter(|&number| lines[number].trim_start().starts_with("while (")).collect();
    let Some(&head) = heads.get(random.below(heads.len())) else { return text.to_owned() };
    let indent = lines[head].len() - lines[head].trim_start().len();
    let closes = |line: &&str| line.len() - line.trim_start().len() == indent && line.trim() == "}";
    let Some(end) = lines[head + 1..].iter().position(closes).map(|place| place + head + 1) else {
        return text.to_owned();
    };
    let mut all: Vec<String> = lines[..head].iter().map(|line| (*line).to_owned()).collect();
    all.push(lines[head].replacen("while", "if", 1));
    all.extend(lines[head + 1..end].iter().map(|line| (*line).to_owned()));
    all.extend(lines[head..=end].iter().map(|line| (*line).to_owned()));
    all.push("}".to_owned());
    all.extend(lines[end + 1..].iter().map(|line| (*line).to_owned()));
    all.join("\n") + "\n"
}

/// The body of a procedure stands where it was called, with variables of its own. Calls in it stay calls, so a recursive
/// procedure is unfolded once.
fn inlined(text: &str, random: &mut Random) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let calls: Vec<usize> =
        (0..lines.len()).filter(|&number| lines[number].trim_start().starts_with("call ")).collect();
    let Some(&call) = calls.get(random.below(calls.len())) else { return text.to_owned() };
    body_for_call(&lines, call).unwrap_or_else(|| text.to_owned())
}

fn body_for_call(lines: &[&str], call: usize) -> Option<String> {
    // `call x := p1((g + y) mod 4, fuel - 1);`
    let (target, called) = lines[call].trim().strip_prefix("call ")?.split_once(" := ")?;
    let (name, arguments) = called.strip_suffix(");")?.split_once('(')?;
    // `procedure p1(n: int, fuel: int) returns (r: int)`
    let head = lines.iter().position(|line| line.starts_with(&format!("procedure {name}(")))?;
    let (parameters, results) = lines[head].split_once('(')?.1.split_once(") returns (")?;
    let names =
        |list: &str| list.split(", ").filter_map(|part| Some(part.split_once(':')?.0.to_owned())).collect();
    let parameters: Vec<String> = names(parameters);
    let results: Vec<String> = names(results);
    let [result] = results.as_slice() else { return None };
    let body = body(lines, head)?;
    let declared = |line: &&str| line.trim().starts_with("var ");
    let locals = lines[body.clone()].iter().copied().filter(declared).filter_map(|line| {
        Some(line.trim().strip_prefix("var ")?.strip_suffix(": int;")?.split(", ").map(str::to_owned))
    });
    let mut own: Vec<String> = locals.flatten().collect();
    own.extend(parameters.iter().chain(&results).cloned());
    // There are more lines after each change, so nothing has this name yet.
    let renamed = |text: &str| {
        with_words(text, |word| match own.iter().any(|name| name == word) {
            true => format!("{word}_{}", lines.len()),
            false => word.to_owned(),
        })
    };
    let declaration = (0..call).rev().find(|&number| lines[number].starts_with("  var "))?;
    let indent = lines[call].len() - lines[call].trim_start().len();

    let mut all: Vec<String> = lines[..=declaration].iter().map(|line| (*line).to_owned()).collect();
    all.push(format!("  var {}: int;", renamed(&own.join(", "))));
    all.extend(lines[declaration + 1..call].iter().map(|line| (*line).to_owned()));
    let inside = |line: &str| format!("{}{line}", " ".repeat(indent));
    all.push(inside(&format!("{} := {arguments};", renamed(&parameters.join(", ")))));
    for line in lines[body].iter().filter(|line| !declared(line)) {
        // A line that another change has put at the margin stays there: nobody takes it for the end of a loop.
        let deeper = if line.starts_with("  ") { indent - 2 } else { 0 };
        all.push(format!("{}{}", " ".repeat(deeper), renamed(line)));
    }
    all.push(inside(&format!("{target} := {};", renamed(result))));
    all.extend(lines[call + 1..].iter().map(|line| (*line).to_owned()));
    Some(all.join("\n") + "\n")
}

/// The lines between the braces of a procedure.
fn body(lines: &[&str], head: usize) -> Option<std::ops::Range<usize>> {
    let first = head + 1 + lines[head..].iter().position(|line| *line == "{")?;
    let mut depth = 1;
    for (number, line) in lines.iter().enumerate().skip(first) {
        depth += line.matches('{').count();
        depth -= line.matches('}').count();
        if depth == 0 {
            return Some(first..number);
        }
    }
    None
}

/// Two assignments beside each other, neither of which uses what the other changes.
fn swapped(text: &str, random: &mut Random) -> String {
    let mut lines: Vec<&str> = text.lines().collect();
    let places: Vec<usize> =
        (1..lines.len()).filter(|&number| independent(lines[number - 1], lines[number])).collect();
    if let Some(&place) = places.get(random.below(places.len())) {
        lines.swap(place - 1, place);
    }
    lines.join("\n") + "\n"
}

fn independent(first: &str, second: &str) -> bool {
    let parts = |line: &str| -> Option<(String, String)> {
        let (target, value) = line.trim().strip_suffix(';')?.split_once(" := ")?;
        let simple = !target.contains([',', ' ']) && !value.contains("call");
        simple.then(|| (target.to_owned(), value.to_owned()))
    };
    let uses = |value: &str, name: &str| {
        value.split(|c: char| !c.is_ascii_alphanumeric() && c != '_' && c != '#').any(|word| word == name)
    };
    let (Some((a, of_a)), Some((b, of_b))) = (parts(first), parts(second)) else { return false };
    let same_block = first.len() - first.trim_start().len() == second.len() - second.trim_start().len();
    same_block && a != b && !uses(&of_b, &a) && !uses(&of_a, &b)
}

#[test]
fn a_body_takes_the_place_of_its_call() {
    let program = "var g: int;\n\nprocedure main()\n{\n  var x, y: int;\n  x, y := 0, 1;\n  if (*) {\n    call g := p1(x, 2);\n  }\n}\n
procedure p1(n: int, fuel: int) returns (r: int)\n{\n  var x, y: int;\n  x, y := n, 1;\n  r := x;\n}\n";
    let inlined = inlined(program, &mut Random::new(1));
    let expected = "  if (*) {\n    n_17, fuel_17 := x, 2;\n    x_17, y_17 := n_17, 1;\n    r_17 := x_17;\n    g := r_17;\n  }\n";
    assert!(inlined.contains(expected), "{inlined}");
    assert!(inlined.contains("  var x, y: int;\n  var x_17, y_17, n_17, fuel_17, r_17: int;\n"), "{inlined}");
}

//! Changes of a generated program that keep its meaning: other names, code that is never reached, statements that do nothing,
//! the first round of a loop in front of it, and independent statements in the other order.
//!
//! They work on the text as the generator writes it: a statement in a line, blocks by indentation.

use base::Random;

/// The program after a few changes.
pub fn changed(text: &str, random: &mut Random) -> String {
    let mut text = text.to_owned();
    for _ in 0..=random.below(3) {
        text = match random.below(5) {
            0 => renamed(&text),
            1 => with_line(&text, random, "if (false) {\n  assert false;\n}"),
            2 => with_line(&text, random, "x := x;"),
            3 => peeled(&text, random),
            _ => swapped(&text, random),
        };
    }
    text
}

/// All variables and procedures have other names.
fn renamed(text: &str) -> String {
    const NAMES: [(&str, &str); 4] = [("g", "zebra"), ("h", "apple"), ("y", "ox"), ("n", "in#put")];
    let mut renamed = String::new();
    let mut word = String::new();
    for character in text.chars().chain(['\n']) {
        if character.is_ascii_alphanumeric() || matches!(character, '_' | '.' | '#') {
            word.push(character);
            continue;
        }
        let new = NAMES.iter().find(|(old, _)| *old == word).map_or(word.as_str(), |(_, new)| new);
        renamed.push_str(new);
        renamed.push(character);
        word.clear();
    }
    renamed.pop();
    renamed
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

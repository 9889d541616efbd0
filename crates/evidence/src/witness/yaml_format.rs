//! Witnesses in YAML.

use super::{Kind, Witness, data_model};
use crate::Malformed;
use crate::yaml::{self, Node, Value};
use c::{Claim, Event, Ghost, Place, Race, Segment, Update, Waypoint, When};

/// The words that types of ghost variables are made of.
const INTEGER_WORDS: &[&str] = &["int", "unsigned", "signed", "long", "short", "char", "_Bool"];

type Read<T> = Result<T, Malformed>;

pub(super) fn read(text: &str) -> Read<Witness> {
    let root = yaml::read(text)?;
    let entries = root.list()?;
    let Some(first) = entries.first() else {
        return Err(root.malformed("a witness has at least one entry"));
    };
    let version = first.require("metadata")?.require("format_version")?;
    let kind = match first.require("entry_type")?.text()? {
        "violation_sequence" => Kind::Violation,
        _ => Kind::Correctness,
    };
    let mut reader = Reader { witness: Witness::new(kind, version.text()?), count: 0 };
    for entry in entries {
        reader.entry(entry, kind)?;
    }
    if kind == Kind::Violation && entries.len() > 1 {
        return Err(entries[1].malformed("a violation witness has one entry"));
    }
    Ok(reader.witness)
}

struct Reader {
    witness: Witness,
    /// How many invariants and waypoints there were.
    count: u32,
}

impl Reader {
    fn entry(&mut self, entry: &Node, kind: Kind) -> Read<()> {
        let entry_type = entry.require("entry_type")?;
        let metadata = entry.require("metadata")?;
        let version = metadata.require("format_version")?;
        if version.text()? != self.witness.version {
            return Err(version.malformed("all entries must have one format version"));
        }
        if !matches!(self.witness.version.as_str(), "0.1" | "2.0" | "2.1" | "2.2") {
            self.witness.gaps.push(format!("format version {}", self.witness.version));
        }
        for key in ["uuid", "creation_time", "producer"] {
            self.witness.omissions.extend(metadata.require(key).err());
        }
        self.task(metadata.require("task")?)?;
        match (entry_type.text()?, kind) {
            ("invariant_set", Kind::Correctness) => {
                for item in entry.require("content")?.list()? {
                    self.invariant(item)?;
                }
            }
            ("ghost_instrumentation", Kind::Correctness) => self.ghosts(entry.require("content")?)?,
            ("violation_sequence", Kind::Violation) => self.segments(entry.require("content")?)?,
            (old @ ("loop_invariant" | "location_invariant"), Kind::Correctness) => {
                self.old_invariant(entry, old)?;
            }
            ("violation_sequence", _) | (_, Kind::Violation) => {
                return Err(entry_type.malformed("entries for correctness and for violation in one witness"));
            }
            (other, _) => self.witness.gaps.push(format!("an entry of type `{other}`")),
        }
        Ok(())
    }

    fn task(&mut self, task: &Node) -> Read<()> {
        for key in ["input_files", "input_file_hashes", "specification", "data_model", "language"] {
            self.witness.omissions.extend(task.require(key).err());
        }
        if let Some(specification) = task.get("specification")? {
            self.witness.specification = Some(specification.text()?.to_owned());
        }
        if let Some(model) = task.get("data_model")? {
            self.witness.data_model = data_model(model.text()?);
        }
        match task.get("language")?.map(|language| (language, language.text())) {
            Some((language, text)) if text.clone()? != "C" => {
                Err(language.malformed("witnesses are read for the language `C` only"))
            }
            _ => Ok(()),
        }
    }

    fn next(&mut self) -> u32 {
        self.count += 1;
        self.count
    }

    /// An invariant or a contract.
    fn invariant(&mut self, item: &Node) -> Read<()> {
        let entry = self.next();
        let body = match (item.get("invariant")?, item.get("contract")?) {
            (Some(body), None) | (None, Some(body)) => body,
            _ => return Err(item.malformed("expected either `invariant` or `contract`")),
        };
        let kind = body.require("type")?;
        let when = match kind.text()? {
            "loop_invariant" | "loop_transition_invariant" => When::LoopCondition,
            "location_invariant" => When::Statement,
            "function_contract" => return self.contract(entry, body),
            other @ ("location_transition_invariant" | "flow_insensitive_invariant") => {
                self.witness.gaps.push(format!("entry {entry}: an invariant of type `{other}`"));
                return Ok(());
            }
            other => return Err(kind.malformed(format!("unknown type of invariant `{other}`"))),
        };
        format_of(body.require("format")?)?;
        let place = place(body.require("location")?)?;
        let text = body.require("value")?.text()?.to_owned();
        self.witness.monitor.claims.push(Claim { entry, when, place, text });
        Ok(())
    }

    fn contract(&mut self, entry: u32, body: &Node) -> Read<()> {
        format_of(body.require("format")?)?;
        let at = place(body.require("location")?)?;
        for (key, when) in [("requires", When::FunctionEntry), ("ensures", When::FunctionExit)] {
            if let Some(text) = body.get(key)? {
                let text = text.text()?.to_owned();
                let place = at.clone();
                self.witness.monitor.claims.push(Claim { entry, when, place, text });
            }
        }
        Ok(())
    }

    /// Variables of the witness and what is assigned to them.
    fn ghosts(&mut self, content: &Node) -> Read<()> {
        for variable in content.require("ghost_variables")?.list()? {
            let entry = self.next();
            let initial = variable.require("initial")?;
            format_of(initial.require("format")?)?;
            let text = |node: &Node| node.text().map(|text| text.trim().to_owned());
            let name = text(variable.require("name")?)?;
            let (ty, initial) = (text(variable.require("type")?)?, text(initial.require("value")?)?);
            let is_global = variable.require("scope")?.text()? == "global";
            let is_word = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
            let is_name =
                name.chars().all(is_word) && name.starts_with(|letter: char| !letter.is_ascii_digit());
            let is_number =
                |text: &str| !text.is_empty() && text.chars().all(|letter| letter.is_ascii_digit());
            let is_simple = ty.split_whitespace().all(|word| INTEGER_WORDS.contains(&word))
                && is_number(initial.trim_start_matches('-'));
            match (is_global && is_simple, is_name) {
                (_, false) => return Err(variable.malformed(format!("`{name}` is no name"))),
                (false, _) => {
                    let what = format!("entry {entry}: a ghost variable that is no global integer");
                    self.witness.gaps.push(what);
                }
                (true, true) => self.witness.monitor.ghosts.push(Ghost { entry, name, ty, initial }),
            }
        }
        for item in content.require("ghost_updates")?.list()? {
            let place = place(item.require("location")?)?;
            for update in item.require("updates")?.list()? {
                let entry = self.next();
                format_of(update.require("format")?)?;
                let (name, value) =
                    (update.require("variable")?, update.require("value")?.text()?.to_owned());
                let variable = name.text()?.to_owned();
                if !self.witness.monitor.ghosts.iter().any(|ghost| ghost.name == variable) {
                    return Err(name.malformed(format!("`{variable}` is no ghost variable")));
                }
                let place = place.clone();
                self.witness.monitor.updates.push(Update { entry, place, variable, value });
            }
        }
        Ok(())
    }

    /// An invariant of version 0.1, an entry of its own. Columns count from 0 or 1 there, so lines must do.
    fn old_invariant(&mut self, entry: &Node, kind: &str) -> Read<()> {
        let number = self.next();
        let when = if kind == "loop_invariant" { When::LoopOrStatement } else { When::Statement };
        let place = Place { column: None, ..place(entry.require("location")?)? };
        let text = entry.require(kind)?.require("string")?.text()?.to_owned();
        self.witness.monitor.claims.push(Claim { entry: number, when, place, text });
        Ok(())
    }

    fn segments(&mut self, content: &Node) -> Read<()> {
        let segments = content.list()?;
        let mut last: Option<Waypoint> = None;
        for (index, segment) in segments.iter().enumerate() {
            let is_last = index + 1 == segments.len();
            let Some((segment, cycles)) = self.segment(segment.require("segment")?, is_last)? else {
                continue;
            };
            let twice = |last: &Waypoint| {
                matches!(last.event, Event::Assumption(_))
                    && matches!(segment.follow.event, Event::Assumption(_))
                    && last.place == segment.follow.place
                    && last.thread == segment.follow.thread
            };
            if last.as_ref().is_some_and(twice) {
                self.witness.doubt = Some(format!(
                    "entries {} and {} may describe one visit of their place",
                    segment.follow.entry - 1,
                    segment.follow.entry
                ));
            }
            last = Some(segment.follow.clone());
            let monitor = &mut self.witness.monitor;
            if cycles {
                monitor.cycle.get_or_insert(monitor.segments.len());
            }
            monitor.segments.push(segment);
        }
        match segments.is_empty() {
            true => Err(content.malformed("a violation witness has at least one segment")),
            false => Ok(()),
        }
    }

    /// A segment, and whether it belongs to the cycle; none if nothing ends it.
    fn segment(&mut self, node: &Node, is_last: bool) -> Read<Option<(Segment, bool)>> {
        let waypoints = node.list()?;
        let (mut avoid, mut follow) = (Vec::new(), None);
        let mut cycles = false;
        let mut targets = 0;
        for (index, item) in waypoints.iter().enumerate() {
            let body = item.require("waypoint")?;
            let action = body.require("action")?;
            let entry = self.next();
            let is_target = body.require("type")?.text()? == "target";
            targets += u32::from(is_target);
            if targets > 2 {
                return Err(body.malformed("a segment has at most two targets, which race"));
            }
            let closes = index + 1 == waypoints.len();
            match action.text()? {
                "avoid" if closes => {
                    return Err(action.malformed("the last waypoint of a segment has the action `follow`"));
                }
                "avoid" if is_target => return Err(action.malformed("a target cannot be avoided")),
                "avoid" => avoid.push(self.waypoint(entry, body)?),
                "follow" if !closes && !is_target => {
                    return Err(action.malformed("`follow` stands at the end of a segment only"));
                }
                "follow" if is_target && !is_last => {
                    return Err(action.malformed("only the last segment has a target"));
                }
                "follow" if is_last && !is_target => {
                    return Err(action.malformed("the last segment ends with a target"));
                }
                "cycle" if !closes || is_target => {
                    return Err(
                        action.malformed("`cycle` stands at the end of a segment only, and is no target")
                    );
                }
                "follow" if self.witness.monitor.cycle.is_some() => {
                    return Err(action.malformed("behind a segment of the cycle all segments belong to it"));
                }
                "follow" if targets == 2 => {
                    let other = self.waypoint(entry, body)?;
                    self.witness.monitor.race = Some(Race::Between(other));
                }
                "follow" => follow = Some(self.waypoint(entry, body)?),
                "cycle" => {
                    cycles = true;
                    follow = Some(self.waypoint(entry, body)?);
                }
                other => return Err(action.malformed(format!("unknown action `{other}`"))),
            }
        }
        if waypoints.is_empty() {
            return Err(node.malformed("a segment has at least one waypoint"));
        }
        Ok(follow.map(|follow| (Segment { avoid, follow }, cycles)))
    }

    fn waypoint(&mut self, entry: u32, body: &Node) -> Read<Waypoint> {
        let place = place(body.require("location")?)?;
        let kind = body.require("type")?;
        let constraint = body.get("constraint")?;
        let value = || match constraint {
            Some(constraint) => constraint.require("value")?.text(),
            None => Err(body.malformed("the key `constraint` is missing")),
        };
        if let Some(format) = constraint.map(|constraint| constraint.get("format")).transpose()?.flatten() {
            format_of(format)?;
        }
        let event = match kind.text()? {
            "assumption" => Event::Assumption(value()?.to_owned()),
            "branching" => match value()? {
                "true" => Event::Branching(true),
                "false" => Event::Branching(false),
                "default" => Event::Switch(None),
                number => match number.parse() {
                    Ok(number) => Event::Switch(Some(number)),
                    Err(_) => return Err(body.malformed(format!("`{number}` is no branch"))),
                },
            },
            "function_enter" => Event::Enter,
            "function_return" => Event::Return(constraint.map(|_| value()).transpose()?.map(str::to_owned)),
            "target" => Event::Target,
            other => return Err(kind.malformed(format!("unknown type of waypoint `{other}`"))),
        };
        // From version 2.2 on, waypoints without the key are those of the first thread.
        let first = (self.witness.version == "2.2").then_some(0);
        let thread = body.get("thread_id")?.map(Node::number).transpose()?.or(first);
        Ok(Waypoint { entry, place, event, thread })
    }
}

fn place(location: &Node) -> Read<Place> {
    if let Value::Scalar(_) = location.value {
        return Err(location.malformed("expected a location"));
    }
    let line = location.require("line")?;
    let column = location.get("column")?;
    for number in [Some(line), column].into_iter().flatten() {
        if number.number()? == 0 {
            return Err(number.malformed("lines and columns count from 1"));
        }
    }
    Ok(Place { line: line.number()?, column: column.map(Node::number).transpose()? })
}

fn format_of(format: &Node) -> Read<()> {
    match format.text()? {
        "c_expression" | "ext_c_expression" | "acsl_expression" | "C" => Ok(()),
        other => Err(format.malformed(format!("unknown format `{other}`"))),
    }
}

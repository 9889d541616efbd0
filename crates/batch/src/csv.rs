//! Tables as text (RFC 4180): fields with commas, quotes or line breaks stand in quotes.

/// A field as it is written.
pub(crate) fn field(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}

/// A line of fields.
pub(crate) fn line<'a>(fields: impl IntoIterator<Item = &'a str>) -> String {
    let mut line = fields.into_iter().map(field).collect::<Vec<_>>().join(",");
    line.push('\n');
    line
}

/// A row, and the line that it begins in, from 1.
pub(crate) struct Row {
    pub(crate) line: usize,
    pub(crate) fields: Vec<String>,
}

/// The rows of a text; empty lines are left out.
pub(crate) fn rows(text: &str) -> Vec<Row> {
    let mut rows = Vec::new();
    let mut row = Row { line: 1, fields: Vec::new() };
    let mut field = String::new();
    let (mut quoted, mut line) = (false, 1);
    let mut rest = text.chars().peekable();
    while let Some(next) = rest.next() {
        if next == '\n' {
            line += 1;
        }
        match next {
            '"' if quoted && rest.peek() == Some(&'"') => {
                rest.next();
                field.push('"');
            }
            '"' => quoted = !quoted,
            _ if quoted => field.push(next),
            ',' => row.fields.push(std::mem::take(&mut field)),
            '\r' => {}
            '\n' => {
                row.fields.push(std::mem::take(&mut field));
                finish(&mut rows, &mut row, line);
            }
            _ => field.push(next),
        }
    }
    row.fields.push(field);
    finish(&mut rows, &mut row, line);
    rows
}

fn finish(rows: &mut Vec<Row>, row: &mut Row, next_line: usize) {
    let done = std::mem::replace(row, Row { line: next_line, fields: Vec::new() });
    if done.fields.iter().any(|field| !field.is_empty()) {
        rows.push(done);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let fields = ["a", "b,c", "say \"x\"", "two\nlines", ""];
        let text = format!("{}{}", line(fields), line(["1", "2"]));
        let read = rows(&text);
        assert_eq!(read[0].fields, fields);
        assert_eq!((read[1].line, &read[1].fields), (3, &vec!["1".to_owned(), "2".to_owned()]));
    }

    #[test]
    fn empty_lines_are_no_rows() {
        assert_eq!(rows("\n\na,b\r\n\n").len(), 1);
        assert!(rows("").is_empty());
    }
}

//! The playground: over a socket, and, where there is a browser, as people see it.

#![allow(clippy::disallowed_methods, reason = "the test starts the server and looks for a browser")]

#[path = "../page/browser.rs"]
#[allow(dead_code, reason = "another test uses the rest")]
mod browser;

use browser::Browser;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};

/// A server that ends with its value.
struct Server {
    child: Child,
    address: String,
}

impl Server {
    fn start(options: &[&str]) -> Server {
        let mut child = Command::new(env!("CARGO_BIN_EXE_unreach"))
            .args(["serve", "--port", "0"])
            .args(options)
            .stdout(Stdio::piped())
            .spawn()
            .expect("the binary runs");
        let mut line = String::new();
        BufReader::new(child.stdout.take().expect("a pipe")).read_line(&mut line).expect("a line");
        let address = line.split("http://").nth(1).and_then(|rest| rest.split('/').next());
        Server { child, address: address.unwrap_or_else(|| panic!("no address: {line}")).to_owned() }
    }

    /// Sends a request: the number of the answer, its head and its body.
    fn send(&self, head: &str, body: &str) -> (u16, String, String) {
        let mut stream = TcpStream::connect(&self.address).expect("the server listens");
        let length = body.len();
        // A server that has seen enough may close the connection before everything is sent.
        let _ = write!(stream, "{head}\r\nContent-Length: {length}\r\n\r\n{body}");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("an answer");
        let (head, body) = answer.split_once("\r\n\r\n").expect("a head");
        let code = head.split(' ').nth(1).and_then(|code| code.parse().ok()).expect("a number");
        (code, head.to_owned(), body.to_owned())
    }

    fn get(&self, path: &str) -> (u16, String) {
        let (code, _, body) = self.send(&format!("GET {path} HTTP/1.1\r\nHost: {}", self.address), "");
        (code, body)
    }

    fn post(&self, path: &str, body: &Value) -> (u16, Value) {
        let head = format!(
            "POST {path} HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\nOrigin: http://{}",
            self.address, self.address
        );
        let (code, _, body) = self.send(&head, &body.to_string());
        (code, serde_json::from_str(&body).expect("JSON"))
    }

    /// Begins a run; its number.
    fn begin(&self, question: &Value) -> u64 {
        let (code, answer) = self.post("/runs", question);
        assert_eq!(code, 200, "{answer}");
        answer["run"].as_u64().expect("a number")
    }

    /// The end of a run.
    fn ended(&self, run: u64) -> Value {
        loop {
            let (code, body) = self.get(&format!("/runs/{run}"));
            assert_eq!(code, 200, "{body}");
            let state: Value = serde_json::from_str(&body).expect("JSON");
            if state["state"] == "ended" {
                return state;
            }
            std::thread::sleep(std::time::Duration::from_millis(10));
        }
    }

    fn answer(&self, question: &Value) -> Value {
        self.ended(self.begin(question))
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // Ctrl-C, so that it ends its runs and removes their files.
        let id = rustix::process::Pid::from_child(&self.child);
        let _ = rustix::process::kill_process(id, rustix::process::Signal::INT);
        let _ = self.child.wait();
    }
}

const SAFE: &str =
    "procedure main(n: int) { var i: int; i := 0; while (i < n) { i := i + 1; } assert n < 0 || i == n; }";
/// Nobody decides this one quickly.
const HARD: &str = "procedure main(a: int, b: int, c: int) { assume a > 0 && b > 0 && c > 0; assert a*a*a*a*a + b*b*b*b*b != c*c*c*c*c; }";

#[test]
fn questions_are_answered_with_reports() {
    let server = Server::start(&[]);
    let safe = server.answer(&json!({ "language": "boogie", "text": SAFE }));
    assert_eq!((&safe["code"], &safe["verdict"]), (&json!(0), &json!("TRUE")), "{safe:#}");
    assert!(safe["progress"].as_array().is_some_and(|lines| !lines.is_empty()), "{safe:#}");
    let bug = json!({ "language": "c", "text": "#include <assert.h>\nint main(void) { int x = 7; assert(x != 7); return 0; }" });
    let run = server.begin(&bug);
    assert_eq!(server.ended(run)["verdict"], "FALSE(assert)");
    let request = format!("GET /runs/{run}/report HTTP/1.1\r\nHost: {}", server.address);
    let (code, head, report) = server.send(&request, "");
    assert_eq!(code, 200);
    assert!(head.contains("Content-Security-Policy: sandbox allow-scripts"), "{head}");
    assert!(report.contains("x != 7"), "the program is in the report");
    let overflow = json!({ "language": "c", "text": "int main(void) { int x = 2147483647; x++; return 0; }", "checks": ["overflow"] });
    assert_eq!(server.answer(&overflow)["code"], 1);
    let endless = json!({ "language": "c", "text": "int main(void) { while (1) { } return 0; }", "property": "termination" });
    assert_eq!(server.answer(&endless)["code"], 1);
    let broken = server.answer(&json!({ "language": "boogie", "text": "procedure" }));
    assert_eq!((&broken["code"], &broken["report"]), (&json!(3), &json!(false)), "{broken:#}");
}

#[test]
fn nothing_but_the_text_is_read() {
    let server = Server::start(&[]);
    for include in
        ["\"/etc/hostname\"", "\"../../../../../etc/hostname\"", "\"property.prp\"", "\"/proc/self/environ\""]
    {
        let text = format!("#include {include}\nint main(void) {{ return 0; }}");
        let answer = server.answer(&json!({ "language": "c", "text": text }));
        assert_eq!(answer["code"], 3, "{include}: {answer:#}");
    }
    for path in
        ["/etc/hostname", "/../etc/hostname", "/runs/1/../../x", "/runs/1/program.c", "/runs/x", "/runs/99"]
    {
        assert_eq!(server.get(path).0, 404, "{path}");
    }
}

#[test]
fn limits_hold() {
    let server = Server::start(&["--timeout", "600", "--runs", "1", "--size", "4"]);
    let run = server.begin(&json!({ "language": "boogie", "text": HARD, "seconds": 100_000 }));
    let (code, busy) = server.post("/runs", &json!({ "language": "boogie", "text": SAFE }));
    assert_eq!(code, 429, "{busy}");
    assert_eq!(server.post(&format!("/runs/{run}/stop"), &json!({})).1["stopped"], true);
    assert_eq!(server.ended(run)["code"], Value::Null);
    let large = json!({ "language": "boogie", "text": "x".repeat(10_000) });
    assert_eq!(server.post("/runs", &large).0, 413);
    let short = server.answer(&json!({ "language": "boogie", "text": HARD, "seconds": 1 }));
    assert_eq!(short["verdict"], "UNKNOWN (timeout)", "{short:#}");
}

#[test]
fn other_pages_are_refused() {
    let server = Server::start(&[]);
    let question = json!({ "language": "boogie", "text": SAFE }).to_string();
    let (own, json) = (format!("Host: {}", server.address), "Content-Type: application/json");
    for headers in [
        // A name that somebody else lets point here.
        format!("Host: evil.example\r\n{json}"),
        json.to_owned(),
        // A form of another page.
        format!("{own}\r\nContent-Type: text/plain"),
        format!("{own}\r\n{json}\r\nOrigin: http://evil.example"),
        format!("{own}\r\n{json}\r\nSec-Fetch-Site: cross-site"),
    ] {
        assert_eq!(server.send(&format!("POST /runs HTTP/1.1\r\n{headers}"), &question).0, 403, "{headers}");
    }
    assert_eq!(server.send("GET /examples HTTP/1.1\r\nHost: evil.example", "").0, 403);
    assert_eq!(server.send(&format!("POST /runs HTTP/1.1\r\n{own}\r\n{json}"), &question).0, 200);
    assert_eq!(server.send("rubbish", "").0, 400);
}

#[test]
fn a_server_says_why_it_cannot_listen() {
    let server = Server::start(&[]);
    let (_, port) = server.address.rsplit_once(':').expect("a port");
    let second = Command::new(env!("CARGO_BIN_EXE_unreach")).args(["serve", "--port", port]).output();
    let second = second.expect("the binary runs");
    assert_eq!(second.status.code(), Some(3), "{second:?}");
    assert!(String::from_utf8_lossy(&second.stderr).contains(port), "{second:?}");
}

#[test]
fn people_see_the_answer_beside_the_program() {
    let Some(mut browser) = Browser::start("serve") else { return };
    let server = Server::start(&[]);
    browser.open_address(&format!("http://{}/", server.address));
    while browser.value("document.querySelectorAll('#example option').length > 10") != true {}
    assert_eq!(browser.value("document.getElementById('lines').textContent.split('\\n').length >= 14"), true);
    // The program that is there at first.
    browser.value("document.getElementById('run').click()");
    while browser.value(
        "['true', 'false', 'error', 'unknown'].includes(document.getElementById('verdict').dataset.kind)",
    ) != true
    {}
    let verdict = browser.value("document.getElementById('verdict').textContent");
    assert!(verdict.as_str().is_some_and(|text| text.starts_with("TRUE")), "{verdict}");
    assert_eq!(browser.value("document.getElementById('report').hidden"), false);
    // An example, with markup in it that must stay text, by the keyboard.
    let change = "const select = document.getElementById('example');
        select.value = [...select.options].find((it) => it.textContent === 'two_errors.bpl').value;
        select.dispatchEvent(new Event('change'));
        const text = document.getElementById('text');
        text.value = '// </textarea><script>document.title = \"owned\"</script>\\n' + text.value;
        text.dispatchEvent(new Event('input'));
        text.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', ctrlKey: true }));
        document.getElementById('language').value";
    assert_eq!(browser.value(change), "boogie");
    while browser.value("document.getElementById('run').disabled") != false {}
    let kind = browser.value("document.getElementById('verdict').dataset.kind");
    assert!(kind == "true" || kind == "false", "{kind}");
    assert_eq!(browser.value("document.title"), "Unreach");
}

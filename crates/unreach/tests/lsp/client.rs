//! An editor, as far as the server can tell: messages over standard input and output.

use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

/// A server that says nothing for so long has failed; even a busy machine is faster.
const PATIENCE: Duration = Duration::from_secs(120);

/// A client with its server.
pub struct Client {
    child: Child,
    to: Option<ChildStdin>,
    from: Receiver<Value>,
    next: u64,
    /// What has arrived and was not waited for.
    kept: Vec<Value>,
}

impl Client {
    /// Starts a server with some wishes.
    pub fn start(options: Value) -> Client {
        let mut child = Command::new(env!("CARGO_BIN_EXE_unreach"))
            // Editors that are built on the client of VS Code add the second word.
            .args(["lsp", "--stdio"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the binary runs");
        let (sender, from) = channel();
        let output = child.stdout.take().expect("a pipe");
        std::thread::spawn(move || {
            let mut reader = BufReader::new(output);
            while let Some(message) = read(&mut reader) {
                if sender.send(message).is_err() {
                    return;
                }
            }
        });
        let to = child.stdin.take();
        let mut client = Client { child, to, from, next: 0, kept: Vec::new() };
        let refresh = json!({ "refreshSupport": true });
        let capabilities = json!({ "workspace": { "codeLens": refresh, "inlayHint": refresh } });
        let about = client
            .request("initialize", json!({ "capabilities": capabilities, "initializationOptions": options }));
        assert_eq!(about["serverInfo"]["name"], "unreach");
        client.notify("initialized", json!({}));
        client
    }

    fn send(&mut self, mut message: Value) {
        message["jsonrpc"] = json!("2.0");
        let text = message.to_string();
        let to = self.to.as_mut().expect("the client has not ended");
        write!(to, "Content-Length: {}\r\n\r\n{text}", text.len()).expect("the server reads");
    }

    pub fn notify(&mut self, method: &str, parameters: Value) {
        self.send(json!({ "method": method, "params": parameters }));
    }

    /// Sends a request and waits for its answer.
    pub fn request(&mut self, method: &str, parameters: Value) -> Value {
        self.next += 1;
        let id = self.next;
        self.send(json!({ "id": id, "method": method, "params": parameters }));
        let answer = self.wait(|message| message["id"] == id && message["method"].is_null());
        assert!(answer["error"].is_null(), "{method}: {answer:#}");
        answer["result"].clone()
    }

    /// The next message of a kind.
    pub fn wait(&mut self, wanted: impl Fn(&Value) -> bool) -> Value {
        if let Some(position) = self.kept.iter().position(&wanted) {
            return self.kept.remove(position);
        }
        loop {
            let message = self.from.recv_timeout(PATIENCE).expect("the server says something");
            // The server asks for something: a client that can do nothing answers so.
            if message["method"].is_string() && !message["id"].is_null() {
                self.send(json!({ "id": message["id"], "result": null }));
            }
            if wanted(&message) {
                return message;
            }
            self.kept.push(message);
        }
    }

    pub fn open(&mut self, uri: &str, text: &str) {
        let document = json!({ "uri": uri, "languageId": "boogie", "version": 1, "text": text });
        self.notify("textDocument/didOpen", json!({ "textDocument": document }));
    }

    pub fn change(&mut self, uri: &str, version: u64, text: &str) {
        let document = json!({ "uri": uri, "version": version });
        self.notify(
            "textDocument/didChange",
            json!({ "textDocument": document, "contentChanges": [{ "text": text }] }),
        );
    }

    pub fn save(&mut self, uri: &str) {
        self.notify("textDocument/didSave", json!({ "textDocument": { "uri": uri } }));
    }

    /// The diagnostics of a version of a text, as soon as they are as wanted.
    pub fn diagnostics(&mut self, uri: &str, wanted: impl Fn(&[Value]) -> bool) -> Vec<Value> {
        let list = |message: &Value| message["params"]["diagnostics"].as_array().cloned().unwrap_or_default();
        let message = self.wait(|message| {
            message["method"] == "textDocument/publishDiagnostics"
                && message["params"]["uri"] == uri
                && wanted(&list(message))
        });
        list(&message)
    }

    /// The state of a version of a text, when a run about it has ended.
    pub fn ended(&mut self, uri: &str, version: u64) -> String {
        self.status(uri, version)["state"].as_str().unwrap_or_default().to_owned()
    }

    /// What is told about a version of a text for the margin, when it is in a state: the lines and states of marks.
    pub fn marks(&mut self, uri: &str, version: u64, state: &str) -> Vec<(u64, String)> {
        let message = self.wait(|message| {
            let about = &message["params"];
            message["method"] == "unreach/status"
                && about["uri"] == uri
                && about["version"] == version
                && about["state"] == state
        });
        let marks = message["params"]["marks"].as_array().cloned().unwrap_or_default();
        let line = |mark: &Value| mark["range"]["start"]["line"].as_u64().unwrap_or_default();
        let state = |mark: &Value| mark["state"].as_str().unwrap_or_default().to_owned();
        marks.iter().map(|mark| (line(mark), state(mark))).collect()
    }

    fn status(&mut self, uri: &str, version: u64) -> Value {
        let status = self.wait(|message| {
            let about = &message["params"];
            message["method"] == "unreach/status"
                && about["uri"] == uri
                && about["version"] == version
                && !["new", "running", "stale"].map(|state| about["state"] == state).contains(&true)
        });
        status["params"].clone()
    }

    /// Ends the server as an editor does; its exit code.
    pub fn end(mut self) -> Option<i32> {
        self.request("shutdown", Value::Null);
        self.notify("exit", Value::Null);
        self.to = None;
        self.child.wait().expect("the server ends").code()
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        // It has ended if the test was successful.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn read(reader: &mut BufReader<ChildStdout>) -> Option<Value> {
    let mut length = 0;
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line).ok()? == 0 {
            return None;
        }
        match line.trim() {
            "" => break,
            header => {
                if let Some(number) = header.strip_prefix("Content-Length: ") {
                    length = number.parse().ok()?;
                }
            }
        }
    }
    let mut bytes = vec![0; length];
    reader.read_exact(&mut bytes).ok()?;
    serde_json::from_slice(&bytes).ok()
}

//! The server itself: messages in, answers out.

use super::document::{Document, State, When, Wishes, path};
use super::features::{self, SHOW_REPORT, VERIFY};
use super::found::Found;
use super::runs::{Judge, Runs, STACK, judge, reasons};
use super::text::Position;
use crate::assertions::Status;
use crate::report::page::{self, About};
use lsp_server::{Connection, Message, Notification, Request, RequestId, Response};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::Duration;

/// After so long without an edit a text counts as typed.
const PAUSE: Duration = Duration::from_millis(400);

/// How long a run may take to stop when the server ends.
const TIME_TO_STOP: Duration = Duration::from_millis(500);

/// What happens to the server.
pub(super) enum Event {
    /// A message of the client; none when the client has gone.
    Message(Option<Box<Message>>),
    /// A run knows more.
    Found(u64, Box<Found>),
    /// A run has ended, or does not come back.
    Ended(u64),
    /// A page that a request has asked for was made.
    Page(RequestId, String, String),
}

/// Serves a client until it says that it has done, or has gone. A run stops when the process uses so many bytes.
pub fn serve(connection: Connection, memory: Option<u64>) -> Result<(), String> {
    serve_with(connection, memory, judge)
}

/// Serves a client with somebody who judges programs.
pub(super) fn serve_with(connection: Connection, memory: Option<u64>, judge: Judge) -> Result<(), String> {
    let (id, parameters) = connection.initialize_start().map_err(|error| error.to_string())?;
    let wishes = Wishes::of_json(&parameters["initializationOptions"], memory);
    let about = json!({
        "capabilities": capabilities(),
        "serverInfo": { "name": "unreach", "version": env!("CARGO_PKG_VERSION") },
    });
    connection.initialize_finish(id, about).map_err(|error| error.to_string())?;
    let (sender, events) = channel();
    let messages = connection.receiver.clone();
    let forward = sender.clone();
    std::thread::spawn(move || {
        for message in messages {
            if forward.send(Event::Message(Some(Box::new(message)))).is_err() {
                return;
            }
        }
        // The server has ended if nobody hears it.
        _ = forward.send(Event::Message(None));
    });
    let workspace = &parameters["capabilities"]["workspace"];
    let refreshes =
        ["codeLens", "inlayHint"].into_iter().filter(|it| workspace[it]["refreshSupport"] == true);
    let mut server = Server {
        connection,
        wishes,
        documents: BTreeMap::new(),
        events: sender.clone(),
        runs: Runs::new(sender, judge),
        refreshes: refreshes.collect(),
        requests: 0,
        changed: Vec::new(),
        pages: 0,
    };
    server.run(&events);
    server.runs.stop();
    // A solver does not like a process that ends under it.
    while server.runs.is_busy() {
        match events.recv_timeout(TIME_TO_STOP) {
            Ok(Event::Ended(_)) | Err(_) => break,
            Ok(_) => {}
        }
    }
    Ok(())
}

fn capabilities() -> Value {
    json!({
        "positionEncoding": "utf-16",
        "textDocumentSync": { "openClose": true, "change": 1, "save": true },
        "codeLensProvider": { "resolveProvider": false },
        "inlayHintProvider": true,
        "hoverProvider": true,
        "definitionProvider": true,
        "documentSymbolProvider": true,
        "foldingRangeProvider": true,
        "codeActionProvider": { "codeActionKinds": ["refactor.rewrite"] },
        "executeCommandProvider": { "commands": [SHOW_REPORT, VERIFY] },
    })
}

struct Server {
    connection: Connection,
    wishes: Wishes,
    documents: BTreeMap<String, Document>,
    runs: Runs,
    events: Sender<Event>,
    /// What the client can be asked to ask for again.
    refreshes: Vec<&'static str>,
    requests: i32,
    /// The texts that have changed since the front end was asked.
    changed: Vec<String>,
    pages: u32,
}

impl Server {
    fn run(&mut self, events: &Receiver<Event>) {
        loop {
            // Edits that have arrived already are taken together, before the front end is asked.
            let event = match events.try_recv() {
                Ok(event) => Some(event),
                Err(_) => {
                    self.analyse_changed();
                    let types = self.wishes.verify == When::Type && self.has_stale();
                    match types {
                        true => match events.recv_timeout(PAUSE) {
                            Ok(event) => Some(event),
                            Err(RecvTimeoutError::Timeout) => None,
                            Err(RecvTimeoutError::Disconnected) => return,
                        },
                        false => match events.recv() {
                            Ok(event) => Some(event),
                            Err(_) => return,
                        },
                    }
                }
            };
            match event {
                None => self.verify_stale(),
                Some(Event::Message(None)) => return,
                Some(Event::Message(Some(message))) => match *message {
                    Message::Request(request) => self.request(request),
                    Message::Notification(notification) if notification.method == "exit" => return,
                    Message::Notification(notification) => self.notification(&notification),
                    Message::Response(_) => {}
                },
                Some(Event::Found(number, found)) => self.found(number, found),
                Some(Event::Ended(number)) => self.ended(number),
                Some(Event::Page(request, stem, page)) => self.answer_with_page(request, &stem, &page),
            }
        }
    }

    fn send(&self, message: impl Into<Message>) {
        // A client that does not listen any more has gone, which the other direction tells.
        _ = self.connection.sender.send(message.into());
    }

    fn notify(&self, method: &str, parameters: Value) {
        self.send(Notification::new(method.to_owned(), parameters));
    }

    fn ask(&mut self, method: &str, parameters: Value) {
        self.requests += 1;
        self.send(Request::new(self.requests.into(), method.to_owned(), parameters));
    }

    fn notification(&mut self, notification: &Notification) {
        let parameters = &notification.params;
        let uri = parameters["textDocument"]["uri"].as_str().unwrap_or_default().to_owned();
        let version = parameters["textDocument"]["version"].as_i64().unwrap_or(0);
        match notification.method.as_str() {
            "textDocument/didOpen" => {
                let text = parameters["textDocument"]["text"].as_str().unwrap_or_default().to_owned();
                if let Some(document) = Document::new(uri.clone(), version, text) {
                    self.documents.insert(uri.clone(), document);
                    self.changed.push(uri.clone());
                    if self.wishes.verify != When::Never {
                        self.verify(&uri);
                    }
                }
            }
            "textDocument/didChange" => {
                let changes = parameters["contentChanges"].as_array();
                let text = changes.and_then(|changes| changes.last()?["text"].as_str());
                if let (Some(document), Some(text)) = (self.documents.get_mut(&uri), text) {
                    document.change(version, text.to_owned());
                    self.runs.cancel(&uri);
                    self.changed.push(uri);
                }
            }
            "textDocument/didSave" if self.wishes.verify != When::Never => self.verify(&uri),
            "textDocument/didClose" => {
                self.documents.remove(&uri);
                self.runs.cancel(&uri);
                self.notify("textDocument/publishDiagnostics", json!({ "uri": uri, "diagnostics": [] }));
            }
            _ => {}
        }
    }

    /// Asks the front end about the texts that have changed.
    fn analyse_changed(&mut self) {
        let mut changed = std::mem::take(&mut self.changed);
        changed.sort();
        changed.dedup();
        for uri in changed {
            if let Some(document) = self.documents.get_mut(&uri) {
                document.front(&self.wishes);
                self.publish(&uri);
                self.status(&uri);
                self.refresh();
            }
        }
    }

    fn has_stale(&self) -> bool {
        self.documents.values().any(|document| matches!(document.state, State::Stale))
    }

    fn verify_stale(&mut self) {
        let stale = self.documents.values().filter(|document| matches!(document.state, State::Stale));
        let stale: Vec<String> = stale.map(|document| document.uri.clone()).collect();
        for uri in stale {
            self.verify(&uri);
        }
    }

    fn verify(&mut self, uri: &str) {
        let Some(document) = self.documents.get_mut(uri) else { return };
        if !document.front(&self.wishes).is_program {
            document.state = State::New;
            return;
        }
        if matches!(document.state, State::Known(_)) {
            return;
        }
        document.state = State::Running;
        self.runs.add(document, &self.wishes);
        self.status(uri);
        self.refresh();
    }

    fn found(&mut self, number: u64, found: Box<Found>) {
        let Some(uri) = self.runs.is_running(number).map(str::to_owned) else { return };
        let Some(document) = self.documents.get_mut(&uri) else { return };
        document.state = State::Known(found);
        self.publish(&uri);
        self.status(&uri);
        self.refresh();
    }

    fn ended(&mut self, number: u64) {
        let Some(uri) = self.runs.ended(number) else { return };
        let Some(document) = self.documents.get_mut(&uri) else { return };
        // A run that ends without a word was too slow to stop.
        if matches!(document.state, State::Running) {
            let mut found = Found::default();
            found.open.push("UNKNOWN (timeout)".to_owned());
            found.verdicts.push((String::new(), "UNKNOWN (timeout)".to_owned()));
            document.state = State::Known(Box::new(found));
            self.publish(&uri);
            self.refresh();
        }
        self.status(&uri);
    }

    fn publish(&self, uri: &str) {
        let Some(document) = self.documents.get(uri) else { return };
        let diagnostics = features::diagnostics(document);
        let parameters = json!({ "uri": uri, "version": document.version, "diagnostics": diagnostics });
        self.notify("textDocument/publishDiagnostics", parameters);
    }

    /// Tells a client that wishes so what is known about a text.
    fn status(&self, uri: &str) {
        let Some(document) = self.documents.get(uri).filter(|_| self.wishes.status) else { return };
        let (state, verdict) = match &document.state {
            State::New => ("new", String::new()),
            State::Running => ("running", String::new()),
            State::Stale => ("stale", String::new()),
            State::Known(found) => {
                let fails = found.failing.iter().map(|_| Status::Fails).next();
                let worst = fails.or_else(|| found.assertions.iter().map(|it| it.assertion.status).max());
                let state = match worst {
                    Some(Status::Fails) => "fails",
                    Some(Status::Open) => "open",
                    _ if !found.open.is_empty() => "open",
                    _ => "proven",
                };
                let words: Vec<&str> = found.verdicts.iter().map(|(_, word)| word.as_str()).collect();
                (state, words.join(", "))
            }
        };
        let version = document.version;
        self.notify(
            "unreach/status",
            json!({
                "uri": uri, "version": version, "state": state, "verdict": verdict,
                "marks": features::marks(document),
            }),
        );
    }

    fn refresh(&mut self) {
        for what in self.refreshes.clone() {
            self.ask(&format!("workspace/{what}/refresh"), Value::Null);
        }
    }

    fn request(&mut self, request: Request) {
        self.analyse_changed();
        let parameters = &request.params;
        let document = parameters["textDocument"]["uri"].as_str().and_then(|uri| self.documents.get(uri));
        let at = Position::of_json(&parameters["position"]);
        let answer = match (request.method.as_str(), document) {
            ("shutdown", _) => Value::Null,
            ("workspace/executeCommand", _) => match self.execute(&request.id, parameters) {
                Ok(Some(answer)) => answer,
                // The answer takes its time, and comes with an event.
                Ok(None) => return,
                Err(why) => return self.send(Response::new_err(request.id, INVALID_PARAMETERS, why)),
            },
            ("textDocument/codeLens", Some(document)) => json!(features::lenses(document)),
            ("textDocument/inlayHint", Some(document)) => json!(features::hints(document)),
            ("textDocument/documentSymbol", Some(document)) => json!(features::symbols(document)),
            ("textDocument/foldingRange", Some(document)) => json!(features::folding(document)),
            ("textDocument/codeAction", Some(document)) => {
                json!(features::actions(document, &parameters["range"], &self.wishes))
            }
            ("textDocument/hover", Some(document)) => json!(at.and_then(|at| features::hover(document, at))),
            ("textDocument/definition", Some(document)) => {
                json!(at.and_then(|at| features::definition(document, at)))
            }
            (method, None) if method.starts_with("textDocument/") => Value::Null,
            (method, _) => {
                let why = format!("`{method}` is not served");
                return self.send(Response::new_err(request.id, METHOD_NOT_FOUND, why));
            }
        };
        self.send(Response::new_ok(request.id, answer));
    }

    fn execute(&mut self, request: &RequestId, parameters: &Value) -> Result<Option<Value>, String> {
        let uri = parameters["arguments"][0].as_str().ok_or("expected the address of a text")?.to_owned();
        match parameters["command"].as_str() {
            Some(VERIFY) => {
                self.verify(&uri);
                Ok(Some(Value::Null))
            }
            Some(SHOW_REPORT) => self.report(request, &uri).map(|()| None),
            _ => Err("there is no such command".to_owned()),
        }
    }

    /// Has the report about a text made, in the background: why a proof is one is found out only now.
    fn report(&mut self, request: &RequestId, uri: &str) -> Result<(), String> {
        let found = self.documents.get(uri).and_then(Document::found);
        let decision =
            found.and_then(|found| found.decision.clone()).ok_or("nothing is known about the text")?;
        let stem = path(uri).file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
        let (events, request, reuse) = (self.events.clone(), request.clone(), self.runs.reuse());
        let memory = self.wishes.memory;
        let make = move || {
            let (problem, first) = &*decision;
            let with_reasons = reasons(problem, first, reuse, memory);
            let decision = with_reasons.as_ref().unwrap_or(first);
            let about = About { problem, decision, survey: None, seconds: None, downloads: &[] };
            // The receiver lives as long as the server; without it nobody wants to know.
            _ = events.send(Event::Page(request, stem, page::html(&about)));
        };
        let thread = std::thread::Builder::new().name("report".to_owned()).stack_size(STACK).spawn(make);
        thread.map(|_| ()).map_err(|error| error.to_string())
    }

    /// Writes a page and has it shown.
    fn answer_with_page(&mut self, request: RequestId, stem: &str, page: &str) {
        self.pages += 1;
        let name = format!("unreach-{}-{}-{stem}.html", std::process::id(), self.pages);
        let file = std::env::temp_dir().join(name);
        if let Err(error) = base::files::replace(&file, page) {
            let why = format!("{}: {error}", file.display());
            return self.send(Response::new_err(request, REQUEST_FAILED, why));
        }
        let address = format!("file://{}", file.display().to_string().replace(' ', "%20"));
        self.ask("window/showDocument", json!({ "uri": address, "external": true }));
        self.send(Response::new_ok(request, json!({ "uri": address })));
    }
}

/// Numbers of mistakes, as JSON-RPC has them.
const METHOD_NOT_FOUND: i32 = -32601;
const INVALID_PARAMETERS: i32 = -32602;
const REQUEST_FAILED: i32 = -32803;

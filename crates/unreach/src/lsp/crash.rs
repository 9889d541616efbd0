//! A fault on purpose: somebody who judges programs and fails. The server goes on.

use super::found::Found;
use super::runs::judge;
use super::server::serve_with;
use crate::problem::Problem;
use crate::reuse::Reuse;
use base::Budget;
use lsp_server::{Connection, Message, Notification, Request};
use serde_json::{Value, json};
use std::time::Duration;

/// A server that says nothing for so long has failed.
const PATIENCE: Duration = Duration::from_secs(120);

fn fails_if_asked(problem: &Problem, reuse: Reuse, budget: &Budget, tell: &dyn Fn(Found)) {
    assert!(!problem.text().contains("crash"), "a fault on purpose");
    judge(problem, reuse, budget, tell);
}

fn notify(client: &Connection, method: &str, parameters: Value) {
    let message = Notification::new(method.to_owned(), parameters);
    client.sender.send(message.into()).expect("the server listens");
}

fn request(client: &Connection, number: i32, method: &str, parameters: Value) {
    let message = Request::new(number.into(), method.to_owned(), parameters);
    client.sender.send(message.into()).expect("the server listens");
}

/// The state and the verdict of a version of a text, when it is known.
fn known(client: &Connection, version: i64) -> (String, String) {
    loop {
        let message = client.receiver.recv_timeout(PATIENCE).expect("the server says something");
        let Message::Notification(notification) = message else { continue };
        let about = notification.params;
        let text = |key: &str| about[key].as_str().unwrap_or_default().to_owned();
        let is_known = !["new", "stale", "running"].contains(&text("state").as_str());
        if notification.method == "unreach/status" && about["version"] == version && is_known {
            return (text("state"), text("verdict"));
        }
    }
}

#[test]
fn an_engine_that_crashes_is_told_and_the_next_edit_is_verified() {
    let (server, client) = Connection::memory();
    let thread = std::thread::spawn(move || serve_with(server, None, fails_if_asked));
    let options = json!({ "status": true });
    request(&client, 1, "initialize", json!({ "capabilities": {}, "initializationOptions": options }));
    notify(&client, "initialized", json!({}));
    let uri = "file:///crash.bpl";
    let text = "procedure main() { assert 1 < 2; } // crash";
    let document = json!({ "uri": uri, "languageId": "boogie", "version": 1, "text": text });
    notify(&client, "textDocument/didOpen", json!({ "textDocument": document }));
    let told = known(&client, 1);
    assert_eq!((told.0.as_str(), told.1.as_str()), ("open", "internal error: a run failed"));
    let document = json!({ "uri": uri, "version": 2 });
    let changes = json!([{ "text": "procedure main() { assert 1 < 2; }" }]);
    notify(&client, "textDocument/didChange", json!({ "textDocument": document, "contentChanges": changes }));
    notify(&client, "textDocument/didSave", json!({ "textDocument": { "uri": uri } }));
    assert_eq!(known(&client, 2).0, "proven");
    request(&client, 2, "shutdown", Value::Null);
    notify(&client, "exit", Value::Null);
    thread.join().expect("the server does not fail").expect("it ends as it should");
}

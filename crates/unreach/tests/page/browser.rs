//! A headless browser, driven by the Chrome DevTools Protocol over a pipe.

use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// The names under which systems have the browser.
const NAMES: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/// A page in a browser; both end when it is dropped.
pub struct Browser {
    child: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
    session: Option<String>,
    next: u64,
    folder: PathBuf,
}

fn find() -> Option<PathBuf> {
    let folders = std::env::var_os("PATH")?;
    let names = |folder: PathBuf| NAMES.iter().map(move |name| folder.join(name));
    std::env::split_paths(&folders).flat_map(names).find(|path| path.is_file())
}

/// Whether a program starts: some systems have a script of that name which only says how to install it.
fn answers(program: &Path) -> bool {
    Command::new(program).arg("--version").output().is_ok_and(|output| output.status.success())
}

impl Browser {
    /// A browser with an empty page; none, with a message, if the machine has no browser.
    #[allow(clippy::print_stderr, reason = "a test that is skipped says so")]
    pub fn start(name: &str) -> Option<Browser> {
        let Some(program) = find().filter(|program| answers(program)) else {
            eprintln!("skipped: there is no Chromium on this machine, or it does not start");
            return None;
        };
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("browser-{name}"));
        // The browser reads commands from file 3 and writes answers to file 4.
        let script = "exec \"$0\" \"$@\" 3<&0 4>&1 </dev/null >/dev/null 2>&1";
        let options = [
            "--headless=new",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-dev-shm-usage",
            "--no-first-run",
            "--disable-extensions",
            "--disable-background-networking",
            "--window-size=1400,1000",
            "--remote-debugging-pipe",
        ];
        let mut child = Command::new("sh")
            .args(["-c", script])
            .arg(program)
            .args(options)
            .arg(format!("--user-data-dir={}", folder.display()))
            .arg("about:blank")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("a shell");
        let to = child.stdin.take().expect("a pipe");
        let from = BufReader::new(child.stdout.take().expect("a pipe"));
        let mut browser = Browser { child, to, from, session: None, next: 0, folder };
        let target = browser.call("Target.createTarget", json!({ "url": "about:blank" }));
        let attached =
            browser.call("Target.attachToTarget", json!({ "targetId": target["targetId"], "flatten": true }));
        browser.session = attached["sessionId"].as_str().map(str::to_owned);
        browser.call("Page.enable", json!({}));
        browser.call("Runtime.enable", json!({}));
        Some(browser)
    }

    /// Sends a command and waits for its answer.
    pub fn call(&mut self, method: &str, parameters: Value) -> Value {
        self.next += 1;
        let mut message = json!({ "id": self.next, "method": method, "params": parameters });
        if let Some(session) = &self.session {
            message["sessionId"] = json!(session);
        }
        let mut bytes = message.to_string().into_bytes();
        bytes.push(0);
        self.to.write_all(&bytes).expect("the browser reads");
        loop {
            let answer = self.message();
            if answer["id"] == self.next {
                assert!(answer["error"].is_null(), "{method}: {answer:#}");
                return answer["result"].clone();
            }
        }
    }

    fn message(&mut self) -> Value {
        let mut bytes = Vec::new();
        self.from.read_until(0, &mut bytes).expect("the browser writes");
        assert_eq!(bytes.pop(), Some(0), "the browser has ended");
        serde_json::from_slice(&bytes).expect("JSON")
    }

    /// Loads a page.
    pub fn open(&mut self, path: &Path, fragment: &str) {
        // The same page with another fragment would not be loaded again.
        self.call("Page.navigate", json!({ "url": "about:blank" }));
        self.call("Page.navigate", json!({ "url": format!("file://{}{fragment}", path.display()) }));
        while self.value("document.readyState === 'complete' && location.protocol === 'file:'") != true {}
    }

    /// Loads a page of a server.
    #[allow(dead_code, reason = "the test of reports has no server")]
    pub fn open_address(&mut self, address: &str) {
        self.call("Page.navigate", json!({ "url": address }));
        while self.value("document.readyState === 'complete' && location.protocol === 'http:'") != true {}
    }

    /// The value of an expression in the page.
    pub fn value(&mut self, expression: &str) -> Value {
        let parameters = json!({ "expression": expression, "returnByValue": true, "awaitPromise": true });
        let answer = self.call("Runtime.evaluate", parameters);
        assert!(answer["exceptionDetails"].is_null(), "{expression}: {answer:#}");
        answer["result"]["value"].clone()
    }

    /// Presses a key.
    pub fn press(&mut self, key: &str) {
        let text = if key.chars().count() == 1 { key } else { "" };
        for kind in ["keyDown", "keyUp"] {
            self.call(
                "Input.dispatchKeyEvent",
                json!({ "type": kind, "key": key, "code": key, "text": text }),
            );
        }
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // A browser that has ended by itself is no mistake of the page.
        let _ = self.child.kill();
        let _ = self.child.wait();
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

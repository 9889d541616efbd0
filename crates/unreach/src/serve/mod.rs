//! The playground: a page in the browser in which programs are written, verified and looked at.
//!
//! A server for one machine, on the loopback address if nothing else is said. A question becomes a run of this program in a process
//! and a folder of its own ([`runs`]), with limits on time, memory and how many there are at once; of what a page sends only
//! the text and choices from lists get there ([`question`]), and the run reads no other file. Requests of pages of
//! other sites are refused ([`http`]). The report of a run is the page of `--report`, in a frame that may do nothing else.
//!
//! Paths: `GET /`, `/page.js`, `/page.css`, `/examples`; `POST /runs` with a question gives the number of a run; `GET /runs/N` says how far
//! it is, `GET /runs/N/report` is its report, `POST /runs/N/stop` ends it.

mod examples;
mod http;
mod question;
mod runs;

use http::{Request, Response};
use question::Question;
use runs::{Refused, Runs};
use serde_json::json;
use std::io;
use std::net::{IpAddr, SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// So many connections are served at once; others wait.
const MOST_CONNECTIONS: usize = 32;

/// What a run may use.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// The longest time that a question may ask for, in seconds.
    pub seconds: u64,
    /// The memory of a run, in megabytes.
    pub megabytes: u64,
    /// How many runs there are at once.
    pub runs: usize,
    /// The size of a question, in bytes.
    pub bytes: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { seconds: 60, megabytes: 2048, runs: 2, bytes: 1 << 20 }
    }
}

/// A server that listens.
pub struct Server {
    listener: TcpListener,
    runs: Arc<Runs>,
    limits: Limits,
    names: Vec<String>,
}

/// Ends the runs of a server.
#[derive(Clone)]
pub struct Closer(Arc<Runs>);

impl Closer {
    /// Ends all runs and removes their files.
    pub fn close(&self) {
        self.0.close();
    }
}

fn unusable(what: &str, error: &io::Error) -> String {
    format!("{what}: {error}")
}

impl Server {
    /// Listens at an address. `names` are the names under which browsers may reach it, besides addresses and
    /// `localhost`.
    pub fn bind(address: IpAddr, port: u16, limits: Limits, names: Vec<String>) -> Result<Server, String> {
        let address = SocketAddr::new(address, port);
        let listener = TcpListener::bind(address).map_err(|error| unusable(&address.to_string(), &error))?;
        let runs = Runs::new(runs::folder()?, limits);
        Ok(Server { listener, runs, limits, names })
    }

    /// Where it listens.
    pub fn address(&self) -> Option<SocketAddr> {
        self.listener.local_addr().ok()
    }

    /// Ends its runs.
    pub fn closer(&self) -> Closer {
        Closer(Arc::clone(&self.runs))
    }

    /// Answers requests, until the process ends.
    pub fn serve(self) {
        let server = Arc::new(self);
        let open = Arc::new(AtomicUsize::new(0));
        for stream in server.listener.incoming() {
            // A connection that fails is its client's business.
            let Ok(stream) = stream else { continue };
            if open.load(Ordering::Relaxed) >= MOST_CONNECTIONS {
                Response::error("503 Service Unavailable", "too many connections").send(&stream);
                continue;
            }
            open.fetch_add(1, Ordering::Relaxed);
            let (serving, ended) = (Arc::clone(&server), Arc::clone(&open));
            let spawned = std::thread::Builder::new().spawn(move || {
                serving.connection(&stream);
                ended.fetch_sub(1, Ordering::Relaxed);
            });
            if spawned.is_err() {
                open.fetch_sub(1, Ordering::Relaxed);
            }
        }
    }

    fn connection(&self, stream: &TcpStream) {
        match http::read(stream, self.limits.bytes) {
            Ok(request) => self.answer(&request).send(stream),
            Err(response) => {
                response.send(stream);
                http::drain(stream);
            }
        }
    }

    fn answer(&self, request: &Request) -> Response {
        if !http::is_own(request, &self.names) {
            return Response::error("403 Forbidden", "the request comes from another page");
        }
        let nothing = || Response::error("404 Not Found", "there is no such thing");
        let path: Vec<&str> = request.path.trim_start_matches('/').split('/').collect();
        let number = |text: &str| text.parse::<u64>().ok();
        match (request.method.as_str(), &path[..]) {
            ("GET", [""]) => Response::new("text/html; charset=utf-8", include_str!("page.html")),
            ("GET", ["page.js"]) => Response::new("text/javascript; charset=utf-8", include_str!("page.js")),
            ("GET", ["page.css"]) => Response::new("text/css; charset=utf-8", include_str!("page.css")),
            ("GET", ["examples"]) => Response::json(&json!({
                "examples": examples::json(),
                "engines": crate::ENGINES.iter().map(|engine| engine.name).collect::<Vec<_>>(),
                "seconds": self.limits.seconds,
            })),
            ("POST", ["runs"]) => self.begin(request),
            ("GET", ["runs", run]) => {
                number(run).and_then(|run| self.runs.json(run)).map_or_else(nothing, |it| Response::json(&it))
            }
            ("GET", ["runs", run, "report"]) => {
                number(run).and_then(|run| self.runs.report(run)).map_or_else(nothing, Response::report)
            }
            ("POST", ["runs", run, "stop"]) => match number(run) {
                Some(run) => Response::json(&json!({ "stopped": self.runs.stop(run) })),
                None => nothing(),
            },
            _ => nothing(),
        }
    }

    fn begin(&self, request: &Request) -> Response {
        let question = match Question::of_json(&request.body) {
            Ok(question) => question,
            Err(why) => return Response::error("400 Bad Request", &why),
        };
        match self.runs.begin(&question) {
            Ok(number) => Response::json(&json!({ "run": number })),
            Err(Refused::Busy) => Response::error(
                "429 Too Many Requests",
                "other runs are under way; try again when they have ended",
            ),
            Err(Refused::Broken(error)) => Response::error(
                "500 Internal Server Error",
                &format!("the run could not be started: {error}"),
            ),
        }
    }
}

//! As much of HTTP/1.1 as a page on the same machine needs: one request for each connection, with bounds on everything
//! that is read.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{IpAddr, Shutdown, TcpStream};
use std::time::Duration;

/// The lines before the body are no longer than this altogether.
const MOST_HEAD: u64 = 16 << 10;
/// A client that is slower does not get an answer.
const PATIENCE: Duration = Duration::from_secs(10);

/// How long more is awaited of a client whose request was refused.
const SHORT_PATIENCE: Duration = Duration::from_millis(500);
/// How many times something is read of it.
const MOST_DRAINED: usize = 2_000;

/// A request.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Request {
    pub(super) method: String,
    pub(super) path: String,
    headers: Vec<(String, String)>,
    pub(super) body: String,
}

impl Request {
    /// The value of a header; its name is written in lower case.
    pub(super) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }
}

/// An answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Response {
    status: &'static str,
    media: &'static str,
    /// What the page may do.
    policy: &'static str,
    body: String,
}

/// A page of this server: it loads nothing from elsewhere and nobody else may show it in a frame.
const OWN: &str = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; frame-src 'self'; \
                   base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
/// A report: it has all it needs, and may do nothing but run.
const REPORT: &str = "sandbox allow-scripts allow-downloads; default-src 'none'; script-src 'unsafe-inline'; \
                      style-src 'unsafe-inline'; img-src data:; frame-ancestors 'self'";

impl Response {
    pub(super) fn new(media: &'static str, body: impl Into<String>) -> Response {
        Response { status: "200 OK", media, policy: OWN, body: body.into() }
    }

    pub(super) fn json(value: &serde_json::Value) -> Response {
        Response::new("application/json", value.to_string())
    }

    pub(super) fn report(page: String) -> Response {
        Response { policy: REPORT, ..Response::new("text/html; charset=utf-8", page) }
    }

    pub(super) fn error(status: &'static str, why: &str) -> Response {
        Response { status, ..Response::json(&serde_json::json!({ "error": why })) }
    }

    /// Sends the answer. A client that has gone does not want it.
    pub(super) fn send(&self, mut stream: &TcpStream) {
        let Response { status, media, policy, body } = self;
        let head = format!(
            "HTTP/1.1 {status}\r\nContent-Type: {media}\r\nContent-Length: {}\r\nContent-Security-Policy: {policy}\r\n\
             X-Content-Type-Options: nosniff\r\nReferrer-Policy: no-referrer\r\nCache-Control: no-store\r\n\
             Cross-Origin-Resource-Policy: same-origin\r\nConnection: close\r\n\r\n",
            body.len()
        );
        let _ = stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(body.as_bytes()));
    }
}

/// The request of a client, or what to answer to something else.
pub(super) fn read(stream: &TcpStream, most_body: usize) -> Result<Request, Response> {
    let set = stream.set_read_timeout(Some(PATIENCE)).and_then(|()| stream.set_write_timeout(Some(PATIENCE)));
    let wrong = |error: io::Error| Response::error("400 Bad Request", &error.to_string());
    set.map_err(wrong)?;
    parse(stream, most_body).map_err(|why| match why {
        Wrong::Io(error) => wrong(error),
        Wrong::Malformed(what) => Response::error("400 Bad Request", what),
        Wrong::TooLarge(what) => Response::error("413 Content Too Large", what),
    })
}

/// Reads what a client still sends, up to a bound: a connection that is closed before takes the answer with it.
pub(super) fn drain(mut stream: &TcpStream) {
    let closed =
        stream.shutdown(Shutdown::Write).and_then(|()| stream.set_read_timeout(Some(SHORT_PATIENCE)));
    let mut buffer = [0; 4096];
    for _ in 0..MOST_DRAINED {
        match (&closed, stream.read(&mut buffer)) {
            (Ok(()), Ok(1..)) => {}
            _ => return,
        }
    }
}

/// Why something is no request.
#[derive(Debug)]
enum Wrong {
    Io(io::Error),
    Malformed(&'static str),
    TooLarge(&'static str),
}

fn parse(stream: impl Read, most_body: usize) -> Result<Request, Wrong> {
    let mut reader = BufReader::new(stream);
    let mut head = (&mut reader).take(MOST_HEAD);
    let mut line = || {
        let mut line = String::new();
        head.read_line(&mut line).map_err(Wrong::Io)?;
        match line.strip_suffix('\n') {
            Some(line) => Ok(line.strip_suffix('\r').unwrap_or(line).to_owned()),
            None => Err(Wrong::TooLarge("the head of the request is too long or incomplete")),
        }
    };
    let first = line()?;
    let mut words = first.split(' ');
    let (Some(method), Some(path), Some("HTTP/1.1" | "HTTP/1.0"), None) =
        (words.next(), words.next(), words.next(), words.next())
    else {
        return Err(Wrong::Malformed("no request of HTTP/1.1"));
    };
    let mut headers = Vec::new();
    loop {
        let line = line()?;
        if line.is_empty() {
            break;
        }
        let Some((name, value)) = line.split_once(':') else { return Err(Wrong::Malformed("no header")) };
        headers.push((name.to_ascii_lowercase(), value.trim().to_owned()));
    }
    let mut request =
        Request { method: method.to_owned(), path: path.to_owned(), headers, body: String::new() };
    if request.header("transfer-encoding").is_some() {
        return Err(Wrong::Malformed("a body without a length"));
    }
    let length = match request.header("content-length").map(str::parse::<usize>) {
        None => 0,
        Some(Ok(length)) => length,
        Some(Err(_)) => return Err(Wrong::Malformed("no length")),
    };
    if length > most_body {
        return Err(Wrong::TooLarge("the program is too large"));
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).map_err(Wrong::Io)?;
    request.body = String::from_utf8(body).map_err(|_| Wrong::Malformed("the body is no text"))?;
    Ok(request)
}

/// Whether a request comes from a page of this server, or from somebody who is no browser.
///
/// A page of another site can make a browser send requests here. It cannot choose the header `Host`, which is the name that the
/// browser believes to talk to: with a name that anybody can let point here (DNS rebinding), it is refused; an address or
/// `localhost` cannot be made to. Requests that change something carry the site of their page (`Origin`), and a content type that
/// a browser does not send to other sites without asking.
pub(super) fn is_own(request: &Request, names: &[String]) -> bool {
    let Some(host) = request.header("host") else { return false };
    let name = match host.rsplit_once(':') {
        Some((name, port)) if !port.contains(']') => name,
        _ => host,
    };
    let address = name.trim_start_matches('[').trim_end_matches(']');
    let is_ours = address.parse::<IpAddr>().is_ok()
        || name.eq_ignore_ascii_case("localhost")
        || names.iter().any(|known| known.eq_ignore_ascii_case(name));
    let same_site =
        request.header("sec-fetch-site").is_none_or(|site| matches!(site, "same-origin" | "none"));
    let same_origin = request.header("origin").is_none_or(|origin| {
        ["http://", "https://"].iter().any(|scheme| origin.strip_prefix(scheme) == Some(host))
    });
    let changes = request.method != "GET";
    let as_json = request.header("content-type").is_some_and(|media| media.starts_with("application/json"));
    // The report in its frame has an origin of its own, and asks for nothing.
    is_ours && (!changes || (same_site && same_origin && as_json))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(text: &str) -> Result<Request, Wrong> {
        parse(text.as_bytes(), 100)
    }

    #[test]
    fn requests_are_read() {
        let found =
            request("POST /runs HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nok more").expect("a request");
        assert_eq!(
            (found.method.as_str(), found.path.as_str(), found.body.as_str()),
            ("POST", "/runs", "ok")
        );
        assert_eq!(found.header("host"), Some("a"));
    }

    #[test]
    fn what_is_no_request_is_refused() {
        let long = format!("GET / HTTP/1.1\r\nX: {}\r\n\r\n", "x".repeat(20_000));
        for text in [
            "",
            "GET /\r\n\r\n",
            "GET / HTTP/2\r\n\r\n",
            "GET / x HTTP/1.1\r\n\r\n",
            "GET / HTTP/1.1\r\nno header\r\n\r\n",
            "GET / HTTP/1.1\r\nContent-Length: -1\r\n\r\n",
            "GET / HTTP/1.1\r\nContent-Length: 101\r\n\r\n",
            "GET / HTTP/1.1\r\nContent-Length: 5\r\n\r\nabc",
            "GET / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n",
            &long,
        ] {
            assert!(request(text).is_err(), "{text}");
        }
    }

    #[test]
    fn requests_of_other_pages_are_refused() {
        let own = |method: &str, headers: &str| {
            let text = format!("{method} / HTTP/1.1\r\n{headers}\r\n\r\n");
            is_own(&request(&text).expect("a request"), &["tool.example".to_owned()])
        };
        for host in [
            "localhost:8080",
            "127.0.0.1:8080",
            "[::1]:8080",
            "127.0.0.1",
            "[::1]",
            "tool.example:80",
            "10.0.0.7:1",
        ] {
            assert!(own("GET", &format!("Host: {host}")), "{host}");
        }
        for host in ["evil.example:8080", "localhost.evil.example", "127.0.0.1.evil.example:8080", ""] {
            assert!(!own("GET", &format!("Host: {host}")), "{host}");
        }
        let json = "Host: localhost:8080\r\nContent-Type: application/json";
        assert!(own("POST", json));
        assert!(own("POST", &format!("{json}\r\nOrigin: http://localhost:8080")));
        assert!(!own("POST", "Host: localhost:8080\r\nContent-Type: text/plain"));
        for origin in
            ["http://evil.example", "null", "http://localhost:9999", "http://localhost:8080.evil.example"]
        {
            assert!(!own("POST", &format!("{json}\r\nOrigin: {origin}")), "{origin}");
        }
        assert!(!own("POST", &format!("{json}\r\nSec-Fetch-Site: cross-site")));
    }
}

//! What a solver process has said so far, shared with the threads that listen to it.
//!
//! One thread per pipe reads without pause, so the solver never waits for us. What it says is cut into
//! replies at once and kept up to a limit; beyond it, the thread stops listening and the output
//! counts as endless. The asking side waits for a *marker*: the reply to an `echo` that follows its commands.

use super::replies::ReplyCutter;
use std::io::Read;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// What keeping a reply costs besides its bytes, so that many short ones cannot take much memory either.
const REPLY_OVERHEAD: usize = 48;

/// How much of the error stream is kept for messages.
const COMPLAINT_LIMIT: usize = 2048;

/// What a solver process has said.
pub struct Output {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    marker: Vec<u8>,
    /// Complete replies before the marker.
    replies: Vec<Vec<u8>>,
    /// What they cost.
    size: usize,
    /// The replies before the marker, once it has come.
    answer: Option<Vec<Vec<u8>>>,
    end: Option<End>,
    complaints: Vec<u8>,
    complaints_closed: bool,
}

/// Why there is no answer, and will be none.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum End {
    /// The solver closed its output.
    Closed,
    /// The output is not a sequence of S-expressions; this is what came since the last marker.
    Garbage(Vec<u8>),
    /// More than the allowed number of bytes.
    TooMuch,
    /// [`Output::interrupt`] was called.
    Interrupted,
    /// The time is over.
    TimedOut,
}

impl Output {
    /// Starts to listen to both streams; replies together may take `limit` bytes between two markers.
    pub fn listen(
        replies: impl Read + Send + 'static,
        complaints: impl Read + Send + 'static,
        limit: usize,
    ) -> Arc<Output> {
        let output = Arc::new(Output { state: Mutex::default(), changed: Condvar::new() });
        let listener = Arc::clone(&output);
        std::thread::spawn(move || listener.read_replies(replies, limit));
        let listener = Arc::clone(&output);
        std::thread::spawn(move || listener.read_complaints(complaints));
        output
    }

    /// From now on `marker` is what [`wait`](Output::wait) waits for. Call it before sending the `echo`.
    pub fn await_marker(&self, marker: &str) {
        self.lock().marker = marker.as_bytes().to_vec();
    }

    /// Waits for the marker and gives the replies before it.
    pub fn wait(&self, time: Option<Duration>) -> Result<Vec<Vec<u8>>, End> {
        let waiting = |state: &mut State| state.answer.is_none() && state.end.is_none();
        let mut state = match time {
            Some(time) => {
                let waited = self.changed.wait_timeout_while(self.lock(), time, waiting);
                waited.unwrap_or_else(PoisonError::into_inner).0
            }
            None => self.changed.wait_while(self.lock(), waiting).unwrap_or_else(PoisonError::into_inner),
        };
        let answer = state.answer.take();
        answer.ok_or_else(|| state.end.clone().unwrap_or(End::TimedOut))
    }

    /// Ends the waiting of another thread, now and in future.
    pub fn interrupt(&self) {
        self.close(End::Interrupted);
    }

    fn close(&self, end: End) {
        self.lock().end.get_or_insert(end);
        self.changed.notify_all();
    }

    /// The end of the error stream, once it is closed or `time` is over.
    pub fn complaints(&self, time: Duration) -> String {
        let closed = |state: &mut State| !state.complaints_closed;
        let waited = self.changed.wait_timeout_while(self.lock(), time, closed);
        let (state, _) = waited.unwrap_or_else(PoisonError::into_inner);
        String::from_utf8_lossy(&state.complaints).trim().to_owned()
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // Nothing that is done under the lock leaves the state in pieces, so a poisoned lock is still good.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn read_replies(&self, mut stream: impl Read, limit: usize) {
        let mut buffer = vec![0; 1 << 16];
        let mut cutter = ReplyCutter::new();
        let mut found = Vec::new();
        let end = loop {
            let bytes = match read(&mut stream, &mut buffer) {
                0 => break End::Closed,
                length => &buffer[..length],
            };
            let fed = cutter.feed(bytes, &mut found);
            let mut state = self.lock();
            for reply in found.drain(..) {
                if is_marker(&reply, &state.marker) {
                    state.marker.clear();
                    state.size = 0;
                    state.answer = Some(std::mem::take(&mut state.replies));
                    self.changed.notify_all();
                } else {
                    state.size += reply.len() + REPLY_OVERHEAD;
                    state.replies.push(reply);
                }
            }
            if fed.is_err() {
                let mut said = state.replies.join(&b' ');
                said.extend_from_slice(cutter.unfinished());
                break End::Garbage(said);
            }
            if state.size + cutter.pending() > limit {
                break End::TooMuch;
            }
        };
        self.close(end);
    }

    fn read_complaints(&self, mut stream: impl Read) {
        let mut buffer = [0; 1024];
        loop {
            let length = read(&mut stream, &mut buffer);
            let mut state = self.lock();
            if length == 0 {
                state.complaints_closed = true;
                self.changed.notify_all();
                return;
            }
            state.complaints.extend_from_slice(&buffer[..length]);
            let excess = state.complaints.len().saturating_sub(COMPLAINT_LIMIT);
            state.complaints.drain(..excess);
        }
    }
}

/// Reads some bytes; a broken stream counts as closed.
fn read(stream: &mut impl Read, buffer: &mut [u8]) -> usize {
    loop {
        match stream.read(buffer) {
            Ok(length) => return length,
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
            Err(_) => return 0,
        }
    }
}

/// Solvers disagree whether `echo` keeps the quotes.
fn is_marker(reply: &[u8], marker: &[u8]) -> bool {
    let bare = reply.strip_prefix(b"\"").and_then(|rest| rest.strip_suffix(b"\""));
    !marker.is_empty() && bare.unwrap_or(reply) == marker
}

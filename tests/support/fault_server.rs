//! A small HTTP server that misbehaves on purpose, for the tests of the HTTP engine.
//!
//! The server listens on loopback, on a port that the system chooses. It has one thread for each connection, at most [`MOST_CONNECTIONS`]
//! of them, and no connection lives longer than [`LIFE`]. A function of the request returns the answer as a list of [`Step`]s; the
//! functions below make the usual faults.

#![allow(dead_code, reason = "each test binary uses a part")]

use std::collections::BTreeMap;
use std::io::{ErrorKind, Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// The longest that a connection lives.
pub const LIFE: Duration = Duration::from_secs(5);
/// The most connections that a server takes.
pub const MOST_CONNECTIONS: usize = 256;

/// A request as it arrived.
#[derive(Debug, Clone, Default)]
pub struct Seen {
    /// Request line and headers.
    pub head: String,
    /// The body.
    pub body: String,
}

impl Seen {
    /// A header's value, by its name in lower case.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.head.lines().skip(1).find_map(|line| {
            let (key, value) = line.split_once(':')?;
            key.eq_ignore_ascii_case(name).then(|| value.trim())
        })
    }
}

/// One thing that the server does.
#[derive(Debug, Clone)]
pub enum Step {
    /// Sends these bytes at once.
    Send(Vec<u8>),
    /// Sends these bytes one by one.
    Trickle(Vec<u8>),
    /// Sends these bytes again and again, until the client leaves or its time is over.
    Endless(Vec<u8>),
    /// Sends nothing for this long.
    Pause(Duration),
    /// Sends nothing until the client leaves or its time is over.
    Hang,
    /// Keeps the connection, and closes it when the client sends another request on it.
    Deaf,
}

#[derive(Default)]
struct Shared {
    seen: Mutex<Vec<Seen>>,
    gets: Mutex<BTreeMap<String, (u16, String)>>,
    left: AtomicUsize,
    stop: AtomicBool,
}

/// A running server. Dropping it stops it.
pub struct FaultServer {
    address: SocketAddr,
    shared: Arc<Shared>,
    acceptor: Option<JoinHandle<()>>,
}

impl FaultServer {
    /// Starts a server that answers each request with the steps that `answer` makes of it.
    pub fn start(answer: impl Fn(&Seen) -> Vec<Step> + Send + Sync + 'static) -> Self {
        Self::start_on(0, answer)
    }

    /// The same on this port; 0 means that the system chooses one.
    pub fn start_on(
        port: u16,
        answer: impl Fn(&Seen) -> Vec<Step> + Send + Sync + 'static,
    ) -> Self {
        Self::start_on_for(port, MOST_CONNECTIONS, answer)
    }

    /// The same for at most this many connections. If it is more than [`MOST_CONNECTIONS`], the server does not record requests.
    pub fn start_on_for(
        port: u16,
        most: usize,
        answer: impl Fn(&Seen) -> Vec<Step> + Send + Sync + 'static,
    ) -> Self {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).expect("a free port");
        listener
            .set_nonblocking(true)
            .expect("a listener that can be stopped");
        let address = listener.local_addr().expect("an address");
        let shared = Arc::new(Shared::default());
        let (inner, answer) = (shared.clone(), Arc::new(answer));
        let acceptor = std::thread::spawn(move || {
            let mut connections = 0;
            while !inner.stop.load(Ordering::Acquire) && connections < most {
                let Ok((stream, _)) = listener.accept() else {
                    std::thread::sleep(Duration::from_millis(1));
                    continue;
                };
                connections += 1;
                let (inner, answer) = (inner.clone(), answer.clone());
                std::thread::spawn(move || serve(stream, &inner, &*answer));
            }
        });
        Self {
            address,
            shared,
            acceptor: Some(acceptor),
        }
    }

    /// The base URL.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Answers a GET of this path like this from now on; others get 404. The recorded requests contain none of them.
    pub fn answer_get(&self, path: &str, status: u16, body: &str) {
        let mut gets = self.shared.gets.lock().expect("the bodies");
        gets.insert(path.to_owned(), (status, body.to_owned()));
    }

    /// The requests so far, except for GETs.
    pub fn seen(&self) -> Vec<Seen> {
        self.shared.seen.lock().expect("the log").clone()
    }

    /// How many clients left before the server was done with them.
    pub fn left(&self) -> usize {
        self.shared.left.load(Ordering::Acquire)
    }
}

impl Drop for FaultServer {
    fn drop(&mut self) {
        self.shared.stop.store(true, Ordering::Release);
        if let Some(acceptor) = self.acceptor.take() {
            let _ = acceptor.join();
        }
    }
}

/// The base URL of a server that does not exist.
pub fn refused_url() -> String {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a free port");
    format!("http://{}", listener.local_addr().expect("an address"))
}

fn serve(mut stream: TcpStream, shared: &Shared, answer: &dyn Fn(&Seen) -> Vec<Step>) {
    let end = Instant::now() + LIFE;
    let prepared = stream
        .set_nonblocking(false)
        .and_then(|()| stream.set_nodelay(true))
        .and_then(|()| stream.set_read_timeout(Some(Duration::from_millis(5))))
        .and_then(|()| stream.set_write_timeout(Some(Duration::from_secs(2))));
    if prepared.is_err() {
        return;
    }
    let Some(seen) = read_request(&mut stream, end) else {
        return;
    };
    if let Some(rest) = seen.head.strip_prefix("GET ") {
        let path = rest.split(' ').next().unwrap_or_default();
        let gets = shared.gets.lock().expect("the bodies").clone();
        let (status, body) = gets.get(path).cloned().unwrap_or((404, String::new()));
        let length = body.len();
        let answer = format!(
            "HTTP/1.1 {status} X\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{body}"
        );
        let _ = stream.write_all(answer.as_bytes());
        return;
    }
    let mut log = shared.seen.lock().expect("the log");
    if log.len() < MOST_CONNECTIONS {
        log.push(seen.clone());
    }
    drop(log);
    let go_on = || Instant::now() < end && !shared.stop.load(Ordering::Acquire);
    for step in answer(&seen) {
        let stays = match step {
            Step::Send(bytes) => stream.write_all(&bytes).is_ok(),
            Step::Trickle(bytes) => bytes.iter().all(|&byte| {
                std::thread::sleep(Duration::from_micros(200));
                go_on() && stream.write_all(&[byte]).is_ok()
            }),
            Step::Endless(bytes) => {
                let mut stays = true;
                while stays && go_on() {
                    stays = stream.write_all(&bytes).is_ok();
                }
                stays
            }
            Step::Pause(time) => {
                std::thread::sleep(time.min(LIFE));
                true
            }
            Step::Hang => {
                let mut stays = true;
                while stays && go_on() {
                    stays = !has_left(&mut stream);
                }
                stays
            }
            Step::Deaf => {
                while go_on() && is_quiet(&mut stream) {}
                true
            }
        };
        if !stays {
            shared.left.fetch_add(1, Ordering::AcqRel);
            return;
        }
    }
}

fn is_quiet(stream: &mut TcpStream) -> bool {
    stream
        .read(&mut [0; 16])
        .is_err_and(|error| is_wait(&error))
}

fn has_left(stream: &mut TcpStream) -> bool {
    match stream.read(&mut [0; 16]) {
        Ok(n) => n == 0,
        Err(error) => !is_wait(&error),
    }
}

/// Whether nothing came within the read timeout.
fn is_wait(error: &std::io::Error) -> bool {
    matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut)
}

fn read_request(stream: &mut TcpStream, end: Instant) -> Option<Seen> {
    let mut bytes = Vec::new();
    let mut part = [0; 4096];
    while Instant::now() < end && bytes.len() < 4 << 20 {
        if let Some(split) = bytes.windows(4).position(|four| four == b"\r\n\r\n") {
            let mut seen = Seen {
                head: String::from_utf8_lossy(&bytes[..split]).into_owned(),
                body: String::new(),
            };
            let length = seen.header("content-length").unwrap_or("0");
            let length: usize = length.parse().ok()?;
            if let Some(body) = bytes.get(split + 4..split + 4 + length) {
                seen.body = String::from_utf8_lossy(body).into_owned();
                return Some(seen);
            }
        }
        match stream.read(&mut part) {
            Ok(0) => return None,
            Ok(n) => bytes.extend_from_slice(&part[..n]),
            Err(error) if is_wait(&error) => {}
            Err(_) => return None,
        }
    }
    None
}

/// A response's head. The body ends with the connection.
pub fn head(status: u16, content_type: &str) -> Vec<u8> {
    format!("HTTP/1.1 {status} X\r\nContent-Type: {content_type}\r\nConnection: close\r\n\r\n")
        .into()
}

/// The head of an event stream.
pub fn sse_head() -> Vec<u8> {
    head(200, "text/event-stream")
}

/// One event with a part of the reply.
pub fn delta(text: &str) -> String {
    let text = serde_json::Value::from(text);
    format!(
        "data: {{\"choices\":[{{\"index\":0,\"delta\":{{\"content\":{text}}},\"finish_reason\":null}}]}}\n\n"
    )
}

/// The event that ends a reply.
pub fn finish(reason: &str) -> String {
    format!(
        "data: {{\"choices\":[{{\"index\":0,\"delta\":{{}},\"finish_reason\":\"{reason}\"}}]}}\n\n"
    )
}

/// The events of a good reply, as llama.cpp sends them: null content first, usage without choices last.
pub fn good_events() -> String {
    let first = "{\"choices\":[{\"finish_reason\":null,\"index\":0,\"delta\":{\"role\":\"assistant\",\"content\":null}}]}";
    let usage = "{\"choices\":[],\"usage\":{\"completion_tokens\":3,\"prompt_tokens\":20,\"prompt_tokens_details\":{\"cached_tokens\":5}}}";
    let (hello, traveller) = (delta("Well met, "), delta("træveller ☕."));
    let stop = finish("stop");
    format!(":\n\ndata: {first}\n\n{hello}{traveller}{stop}data: {usage}\n\ndata: [DONE]\n\n")
}

/// The text of [`good_events`].
pub const GOOD_TEXT: &str = "Well met, træveller ☕.";

/// A good reply in llama.cpp's framing: it promises to keep the connection, and closes it with the next request.
pub fn good(_: &Seen) -> Vec<Step> {
    let mut bytes = b"HTTP/1.1 200 OK\r\nServer: llama.cpp\r\nContent-Type: text/event-stream\r\n\
        Transfer-Encoding: chunked\r\nKeep-Alive: timeout=5, max=100\r\n\r\n"
        .to_vec();
    for event in good_events().split_inclusive("\n\n") {
        bytes.extend(format!("{:x}\r\n{event}\r\n", event.len()).bytes());
    }
    bytes.extend(b"0\r\n\r\n");
    vec![Step::Send(bytes), Step::Deaf]
}

/// Any event stream, whose body ends with the connection.
pub fn events(events: impl Into<String>) -> Vec<Step> {
    vec![
        Step::Send(sse_head()),
        Step::Send(events.into().into_bytes()),
    ]
}

/// A good reply, byte by byte: there is a border inside a character, inside `data:` and inside a line ending.
pub fn trickle(_: &Seen) -> Vec<Step> {
    vec![
        Step::Send(sse_head()),
        Step::Trickle(good_events().into_bytes()),
    ]
}

/// Begins a chunked stream and closes it in the middle of an event.
pub fn cut(_: &Seen) -> Vec<Step> {
    let event = delta("Well met, ");
    let body = format!("{:x}\r\n{event}\r\nff\r\ndata: {{\"choi", event.len());
    let head =
        "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n";
    vec![Step::Send(format!("{head}{body}").into_bytes())]
}

/// Bytes that are not HTTP.
pub fn garbage(_: &Seen) -> Vec<Step> {
    vec![Step::Send(
        (0..2_000u32).map(|n| (n * 7 % 251) as u8).collect(),
    )]
}

/// Accepts a connection, reads, and sends nothing.
pub fn hang(_: &Seen) -> Vec<Step> {
    vec![Step::Hang]
}

/// Sends a little, and then nothing.
pub fn hang_in_the_middle(_: &Seen) -> Vec<Step> {
    let mut steps = events(delta("Well met, "));
    steps.push(Step::Hang);
    steps
}

/// Sends `event` forever.
pub fn endless(event: &str) -> Vec<Step> {
    let block = event.repeat(1 + 4_096 / event.len());
    vec![Step::Send(sse_head()), Step::Endless(block.into_bytes())]
}

/// A web page with status 200.
pub fn html(_: &Seen) -> Vec<Step> {
    let page = b"<!doctype html><title>Welcome to nginx!</title>data: {}\n\n".to_vec();
    vec![
        Step::Send(head(200, "text/html; charset=utf-8")),
        Step::Send(page),
    ]
}

/// An error status with a body.
pub fn error(status: u16, content_type: &str, body: impl Into<Vec<u8>>) -> Vec<Step> {
    vec![
        Step::Send(head(status, content_type)),
        Step::Send(body.into()),
    ]
}

/// A redirect to `location`.
pub fn redirect(location: &str) -> Vec<Step> {
    let text = format!("HTTP/1.1 307 X\r\nLocation: {location}\r\nContent-Length: 0\r\n\r\n");
    vec![Step::Send(text.into_bytes())]
}

/// A whole JSON answer, as of a server that does not stream.
pub fn whole(json: &str) -> Vec<Step> {
    vec![
        Step::Send(head(200, "application/json; charset=utf-8")),
        Step::Send(json.into()),
    ]
}

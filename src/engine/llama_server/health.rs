//! Whether a server says that it is ready: `GET /health`, which llama.cpp answers with 503 while it loads its model.

use std::io::{Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpStream};
use std::time::Duration;

/// How long the server may take for the answer. It listens on this machine.
const PATIENCE: Duration = Duration::from_millis(500);

/// How a server is doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Health {
    /// Nothing listens on the port, or no answer comes.
    Silent,
    /// It answers that it is not ready.
    Loading,
    /// It is ready.
    Ready,
}

/// Asks the server on this port of this machine.
pub(super) fn health(port: u16) -> Health {
    match ask(port) {
        Some(status) if status.starts_with(b" 200") => Health::Ready,
        Some(_) => Health::Loading,
        None => Health::Silent,
    }
}

/// What comes after the protocol in the first line of the answer.
fn ask(port: u16) -> Option<[u8; 4]> {
    let address = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
    let mut stream = TcpStream::connect_timeout(&address, PATIENCE).ok()?;
    stream.set_read_timeout(Some(PATIENCE)).ok()?;
    stream.set_write_timeout(Some(PATIENCE)).ok()?;
    let request =
        format!("GET /health HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).ok()?;
    let mut line = [0; 12];
    stream.read_exact(&mut line).ok()?;
    let [b'H', b'T', b'T', b'P', b'/', b'1', b'.', _, status @ ..] = line else {
        return None;
    };
    Some(status)
}

//! Servers behind HTTPS: the engine checks their certificates.

use rcgen::{CertifiedKey, generate_simple_self_signed};
use rustls::pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer};
use rustls::{ServerConfig, ServerConnection, StreamOwned};
use std::io::{Read, Write};
use std::net::TcpListener;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::thread;

const SCENE: &str =
    r#"Scenario(name: "a gate", npcs: [(id: "odo", name: "Odo", fallbacks: (generic: ["Hm."]))])"#;
const REPLY: &str = r#"{"choices":[{"message":{"role":"assistant","content":"Good evening."},"finish_reason":"stop"}]}"#;

/// A server that answers each call with [`REPLY`]: its address, and its certificate as PEM. It ends with the test program.
fn server() -> (String, String) {
    let CertifiedKey { cert, signing_key } =
        generate_simple_self_signed(["127.0.0.1".to_owned()]).unwrap();
    let key = PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(signing_key.serialize_der()));
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![cert.der().clone()], key)
        .unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("https://{}", listener.local_addr().unwrap());
    let config = Arc::new(config);
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let connection = ServerConnection::new(Arc::clone(&config)).unwrap();
            let mut stream = StreamOwned::new(connection, stream);
            // A client that does not trust the certificate closes the connection.
            let _ = answer(&mut stream);
        }
    });
    (address, cert.pem())
}

/// Reads one request with its body, and answers it.
fn answer(stream: &mut (impl Read + Write)) -> std::io::Result<()> {
    let mut read = Vec::new();
    let mut piece = [0; 4096];
    loop {
        let bytes = stream.read(&mut piece)?;
        read.extend_from_slice(&piece[..bytes]);
        let text = String::from_utf8_lossy(&read);
        let body = text
            .split_once("\r\n\r\n")
            .map(|(head, body)| (head.to_lowercase(), body.len()));
        let Some((head, length)) = body.filter(|_| bytes > 0) else {
            if bytes == 0 {
                return Ok(());
            }
            continue;
        };
        let wanted = head
            .lines()
            .find_map(|line| line.strip_prefix("content-length: ")?.parse().ok());
        if length >= wanted.unwrap_or(0) {
            break;
        }
    }
    write!(
        stream,
        "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: close\r\ncontent-length: {}\r\n\r\n{REPLY}",
        REPLY.len()
    )?;
    stream.flush()
}

/// What `dramatis chat` prints for one line, with these certificates of authorities.
fn chat(url: &str, authorities: &Path) -> String {
    let folder = tempfile::tempdir().unwrap();
    let scene = folder.path().join("gate.scenario.ron");
    std::fs::write(&scene, SCENE).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_dramatis"))
        .arg("chat")
        .arg(scene)
        .env("DRAMATIS_URL", url)
        .env("DRAMATIS_MODEL", "any")
        .env("SSL_CERT_FILE", authorities)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    command
        .stdin
        .take()
        .unwrap()
        .write_all(b"Hello?\n")
        .unwrap();
    String::from_utf8(command.wait_with_output().unwrap().stdout).unwrap()
}

#[test]
fn a_server_is_asked_over_https_when_its_certificate_is_trusted() {
    let (url, certificate) = server();
    let folder = tempfile::tempdir().unwrap();
    let authorities = folder.path().join("authorities.pem");
    std::fs::write(&authorities, certificate).unwrap();
    let said = chat(&url, &authorities);
    assert!(said.contains("Odo: Good evening."), "{said}");
}

#[test]
fn a_certificate_that_no_authority_signed_is_refused() {
    let (url, _) = server();
    let (_, other) = server();
    let folder = tempfile::tempdir().unwrap();
    let authorities = folder.path().join("authorities.pem");
    std::fs::write(&authorities, other).unwrap();
    let said = chat(&url, &authorities);
    assert!(said.contains("certificate"), "{said}");
    assert!(said.contains("Odo: Hm."), "{said}");
}

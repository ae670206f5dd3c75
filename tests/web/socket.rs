//! The server itself, over a real socket.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::ENDLESS;

pub struct Server {
    child: Child,
    pub address: SocketAddr,
}

impl Server {
    pub fn start() -> Server {
        let mut child = Command::new(env!("CARGO_BIN_EXE_saitei"))
            .args(["serve", "--listen", "127.0.0.1:0", "--color", "never"])
            .stdout(Stdio::piped())
            .spawn()
            .expect("a server");
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let address = line.split("http://").nth(1).and_then(|l| l.split('/').next()).expect("an address");
        Server { address: address.parse().expect("an address"), child }
    }

    fn open(&self) -> TcpStream {
        let stream = TcpStream::connect(self.address).expect("a connection");
        stream.set_read_timeout(Some(Duration::from_secs(300))).unwrap();
        stream
    }

    /// Sends exactly this and gives back all that comes.
    fn raw(&self, bytes: &[u8]) -> String {
        let mut stream = self.open();
        // A server that has heard enough may have hung up.
        let _ = stream.write_all(bytes);
        let _ = stream.shutdown(std::net::Shutdown::Write);
        let mut said = Vec::new();
        let _ = stream.read_to_end(&mut said);
        String::from_utf8_lossy(&said).into_owned()
    }

    pub fn get(&self, path: &str) -> String {
        self.raw(format!("GET {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n", self.address).as_bytes())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn status(said: &str) -> u16 {
    said.split(' ').nth(1).and_then(|s| s.parse().ok()).unwrap_or(0)
}

#[test]
fn hostile_clients_are_refused_and_others_served() {
    let server = Server::start();
    let host = server.address;
    assert_eq!(status(&server.get("/zx/905.1")), 200);
    // Slow ones hold on while everything else happens.
    let slow: Vec<TcpStream> = (0..100)
        .map(|_| {
            let mut stream = server.open();
            stream.write_all(b"GET / HTTP/1.1\r\nHost: 127").unwrap();
            stream
        })
        .collect();
    let long = "x".repeat(40_000);
    let many: String = (0..300).map(|n| format!("X-{n}: 1\r\n")).collect();
    let bad: Vec<Vec<u8>> = vec![
        b"\0\0\0\0\0\0".to_vec(),
        b"GET\r\n\r\n".to_vec(),
        b"GET / HTTP/9.9\r\n\r\n".to_vec(),
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03".to_vec(),
        format!("GET /{long} HTTP/1.1\r\nHost: {host}\r\n\r\n").into_bytes(),
        format!("GET / HTTP/1.1\r\nHost: {host}\r\nX: {long}\r\n\r\n").into_bytes(),
        format!("GET / HTTP/1.1\r\nHost: {host}\r\n{many}\r\n").into_bytes(),
        b"GET / HTTP/1.1\r\n\r\n".to_vec(),
        b"GET / HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n".to_vec(),
        format!("GET /../../../../etc/passwd HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n").into_bytes(),
        "GET http://evil.example/ HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n".as_bytes().to_vec(),
        format!("CONNECT evil.example:80 HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n").into_bytes(),
        format!("DELETE /zx HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n").into_bytes(),
        format!("POST /board HTTP/1.1\r\nHost: {host}\r\nContent-Length: 99999999\r\n\r\n{long}").into_bytes(),
        format!("POST /board HTTP/1.1\r\nHost: {host}\r\nContent-Length: -1\r\n\r\n").into_bytes(),
        format!("POST /board HTTP/1.1\r\nHost: {host}\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n").into_bytes(),
        format!("POST /board HTTP/1.1\r\nHost: {host}\r\nContent-Length: 3\r\nConnection: close\r\n\r\n\u{fffd}")
            .into_bytes(),
    ];
    let mut sent = 0;
    for _ in 0..20 {
        for bytes in &bad {
            let said = server.raw(bytes);
            let status = status(&said);
            assert!(
                status == 0 || (400..500).contains(&status),
                "{status} for {:?}",
                String::from_utf8_lossy(&bytes[..bytes.len().min(80)])
            );
            assert!(!said.contains("root:x:0"), "a file of the machine");
            sent += 1;
        }
    }
    assert_eq!(sent, 340);
    let begun = Instant::now();
    assert_eq!(status(&server.get("/zx/905.1")), 200);
    assert!(begun.elapsed() < Duration::from_secs(5), "{:?}", begun.elapsed());
    drop(slow);
}

#[test]
fn a_run_does_not_keep_others_waiting() {
    let server = Server::start();
    let host = server.address;
    server.get("/zx/905.1");
    let body = format!(
        "POST /board HTTP/1.1\r\nHost: {host}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{ENDLESS}",
        ENDLESS.len()
    );
    std::thread::scope(|scope| {
        let runs: Vec<_> = (0..4).map(|_| scope.spawn(|| status(&server.raw(body.as_bytes())))).collect();
        std::thread::sleep(Duration::from_millis(50));
        let begun = Instant::now();
        assert_eq!(status(&server.get("/zx/905.1")), 200);
        assert!(begun.elapsed() < Duration::from_secs(10), "{:?}", begun.elapsed());
        for run in runs {
            let status = run.join().unwrap();
            assert!([200, 503].contains(&status), "{status}");
        }
    });
}

#[cfg(unix)]
#[test]
fn it_stops_when_asked_and_finishes_what_it_does() {
    let mut server = Server::start();
    assert_eq!(status(&server.get("/")), 200);
    let id = server.child.id().to_string();
    assert!(Command::new("kill").args(["-TERM", &id]).status().unwrap().success());
    let begun = Instant::now();
    let ended = loop {
        if let Some(ended) = server.child.try_wait().unwrap() {
            break ended;
        }
        assert!(begun.elapsed() < Duration::from_secs(20), "it does not stop");
        std::thread::sleep(Duration::from_millis(20));
    };
    assert!(ended.success(), "{ended}");
}

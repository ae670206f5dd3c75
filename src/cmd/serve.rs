//! `saitei serve`: the whole tool as pages, for the phones at a venue.
//!
//! hyper speaks HTTP because it is the one maintained server crate that bounds headers, buffers and slow clients by
//! itself and needs no framework; one thread does the waiting, a bounded pool of others makes the pages.

use std::net::{IpAddr, Ipv4Addr, SocketAddr, UdpSocket};
use std::sync::Arc;
use std::time::Duration;

use http_body_util::{BodyExt, Full, Limited};
use hyper::body::{Bytes, Incoming};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;
use tokio::time::timeout;

use crate::web::{BODY, House, PATH, QUERY, Request, Response, qr};

use super::boards::Boards;
use super::print::complain;
use super::screen::{Ink, Screen};
use super::show::Officials;
use super::{Common, Done, Failure, Outcome, open};

/// ブラウザで使う（会場のスマートフォンにも）
///
/// ふだんはこの機械からだけ見られる。--lan で同じネットワークの機械からも見られるようになり、アドレスとQRコードを出す。
/// 止めるには Ctrl-C。
#[derive(clap::Args)]
pub struct Serve {
    /// 待ち受けるアドレス
    #[arg(long, value_name = "アドレス", default_value = "127.0.0.1:8750", hide_default_value = true)]
    listen: String,
    /// 会場のネットワークから見られるようにする
    #[arg(long)]
    lan: bool,
    /// 取り込んだ公式の文を、ほかの機械にも見せる（発行元の許しがあるとき）
    #[arg(long)]
    share_official: bool,
}

/// How many connections are open at once, how many pages are made at once, and how many of them may be runs.
const CONNECTIONS: usize = 512;
const PAGES: usize = 16;
const RUNS: usize = 8;
const STACK: usize = 16 << 20;
/// How long a client may take for its headers, for its body, and for a whole connection.
const HEADERS: Duration = Duration::from_secs(10);
const SENDING: Duration = Duration::from_secs(10);
const WHOLE: Duration = Duration::from_secs(120);
/// How long somebody waits for a run before being told to come back.
const QUEUE: Duration = Duration::from_secs(5);
/// How long a stop waits for what is under way.
const STOPPING: Duration = Duration::from_secs(5);

impl Serve {
    pub fn run(&self, common: &Common, screen: &mut Screen) -> Done {
        let mut house = house(common)?;
        house.official = Box::new(Officials::new());
        house.share = self.share_official;
        let address = self.address()?;
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .max_blocking_threads(PAGES)
            // A deep board needs as much room as it has on the main thread.
            .thread_stack_size(STACK)
            .build()
            .map_err(Failure::from)?;
        let served = runtime.block_on(async {
            let listener = TcpListener::bind(address).await.map_err(|error| {
                Failure(format!("{address} で待ち受けられません（{}）", crate::stock::files::reason(&error)))
            })?;
            let bound = listener.local_addr().map_err(Failure::from)?;
            self.announce(bound, screen)?;
            serve(listener, Arc::new(house)).await;
            Ok(Outcome::Found)
        });
        // What still runs after the wait is given up.
        runtime.shutdown_background();
        served
    }

    fn address(&self) -> Result<SocketAddr, Failure> {
        let wrong = |_| {
            Failure(format!("--listen は 127.0.0.1:8750 の形で書いてください（書かれているのは「{}」）", self.listen))
        };
        let mut address: SocketAddr = self.listen.parse().map_err(wrong)?;
        if self.lan && address.ip().is_loopback() {
            address.set_ip(IpAddr::V4(Ipv4Addr::UNSPECIFIED));
        }
        Ok(address)
    }

    /// Says where it is, with a code for phones where they can come in.
    fn announce(&self, bound: SocketAddr, screen: &mut Screen) -> Result<(), Failure> {
        screen.unpaged();
        let shown = match bound.ip() {
            ip if ip.is_unspecified() => here().unwrap_or(ip),
            ip => ip,
        };
        let address = format!("http://{}/", SocketAddr::new(shown, bound.port()));
        screen.line(0, 2, &[(Ink::Bold, &address), (Ink::Plain, " で見られます（止めるには Ctrl-C）")]);
        if !bound.ip().is_loopback() {
            for line in qr::lines(&address) {
                screen.raw(&format!("{line}\n"));
            }
            screen.line(0, 2, &[(Ink::Warn, "同じネットワークの誰からでも見られます。")]);
        }
        screen.flush()
    }
}

/// What pages look into, kept until the process ends.
fn house(common: &Common) -> Result<House<'static>, Failure> {
    let library: &'static _ = Box::leak(Box::new(open::library(common)?));
    let searcher = open::searcher(common, library)?;
    Ok(House::new(library, searcher, Boards::open(common)?.into_files()))
}

/// A house over what is embedded, without anybody's copies of the documents.
pub fn embedded() -> Result<House<'static>, Failure> {
    house(&Common { data: None, color: super::When::Never, no_pager: true })
}

/// The address of this machine in its network. Nothing is sent: the system only says which way it would send.
fn here() -> Option<IpAddr> {
    let socket = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0)).ok()?;
    socket.connect((Ipv4Addr::new(192, 0, 2, 1), 9)).ok()?;
    socket.local_addr().ok().map(|a| a.ip()).filter(|ip| !ip.is_unspecified())
}

/// What is shared by all connections.
struct Gate {
    house: Arc<House<'static>>,
    runs: Semaphore,
}

async fn serve(listener: TcpListener, house: Arc<House<'static>>) {
    let gate = Arc::new(Gate { house, runs: Semaphore::new(RUNS) });
    let connections = Arc::new(Semaphore::new(CONNECTIONS));
    let graceful = GracefulShutdown::new();
    let mut stop = std::pin::pin!(stopped());
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = &mut stop => break,
        };
        // A connection that was gone before it came, or no file left for it: the next may come.
        let Ok((stream, peer)) = accepted else {
            tokio::time::sleep(Duration::from_millis(20)).await;
            continue;
        };
        // Beyond what is allowed at once it is closed: whoever holds on to many shall not keep others out for long.
        let Ok(permit) = connections.clone().try_acquire_owned() else { continue };
        let _ = stream.set_nodelay(true);
        let gate = gate.clone();
        let service = service_fn(move |request| answer(gate.clone(), peer, request));
        let connection = http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(HEADERS)
            .max_buf_size(16 * 1024)
            .max_headers(64)
            // Whoever has said all there is to say still gets an answer.
            .half_close(true)
            .serve_connection(TokioIo::new(stream), service);
        let connection = graceful.watch(connection);
        tokio::spawn(async move {
            // What goes wrong on a connection is the client's affair.
            let _ = timeout(WHOLE, connection).await;
            drop(permit);
        });
    }
    drop(listener);
    if timeout(STOPPING, graceful.shutdown()).await.is_err() {
        complain("終わらない要求があったので、待たずに止めました");
    }
}

/// Ctrl-C, or being asked to end.
async fn stopped() {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        if let (Ok(mut end), Ok(mut interrupt)) = (signal(SignalKind::terminate()), signal(SignalKind::interrupt())) {
            tokio::select! { _ = end.recv() => {}, _ = interrupt.recv() => {} }
            return;
        }
    }
    let _ = tokio::signal::ctrl_c().await;
}

type Answered = Result<hyper::Response<Full<Bytes>>, hyper::Error>;

async fn answer(gate: Arc<Gate>, peer: SocketAddr, request: hyper::Request<Incoming>) -> Answered {
    let (head, body) = request.into_parts();
    let path = head.uri.path().to_string();
    let query = head.uri.query().unwrap_or_default().to_string();
    if path.len() > PATH || query.len() > QUERY {
        return Ok(plain(414, "アドレスが長すぎます"));
    }
    let body = match timeout(SENDING, Limited::new(body, BODY).collect()).await {
        Ok(Ok(body)) => body.to_bytes(),
        Ok(Err(_)) => return Ok(plain(413, "本文が長すぎるか、途中で切れました")),
        Err(_) => return Ok(plain(408, "本文が届きません")),
    };
    // A run must not keep others from looking things up.
    let runs = ["/run", "/play", "/board", "/coverage"].iter().any(|p| path.starts_with(p));
    let permit = match runs {
        false => None,
        true => match timeout(QUEUE, gate.runs.acquire()).await {
            Ok(Ok(permit)) => Some(permit),
            _ => return Ok(plain(503, "動かす盤面が混んでいます。少し待ってからもう一度開いてください")),
        },
    };
    let house = gate.house.clone();
    let host = head.headers.get("host").and_then(|h| h.to_str().ok()).unwrap_or_default().to_string();
    let method = head.method.as_str().to_string();
    let made = tokio::task::spawn_blocking(move || {
        let own = peer.ip().is_loopback();
        let request = Request { method: &method, path: &path, query: &query, body: &body, host: &host, own };
        house.respond(&request)
    });
    let response = match made.await {
        Ok(response) => sent(response),
        Err(_) => plain(500, "saiteiの不具合で、途中で止まりました"),
    };
    drop(permit);
    Ok(response)
}

fn sent(response: Response) -> hyper::Response<Full<Bytes>> {
    let mut builder = hyper::Response::builder().status(response.status);
    for (name, value) in &response.headers {
        builder = builder.header(*name, value);
    }
    builder.body(Full::new(Bytes::from(response.body))).unwrap_or_else(|_| plain(500, "応答を作れません"))
}

/// What is said where there is no page.
fn plain(status: u16, text: &str) -> hyper::Response<Full<Bytes>> {
    let builder = hyper::Response::builder().status(status).header("Content-Type", "text/plain; charset=utf-8");
    let builder = builder.header("X-Content-Type-Options", "nosniff").header("Connection", "close");
    builder.body(Full::new(Bytes::from(format!("{text}\n")))).unwrap_or_default()
}

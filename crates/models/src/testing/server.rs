//! A model server of its own kind on 127.0.0.1: real HTTP, and every way to do it wrong.

use std::io::{self, BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use serde_json::Value;

use super::reply::Reply;

/// How often a connection that says nothing looks whether the server is going.
const LOOK: Duration = Duration::from_millis(5);

/// A request as it came.
#[derive(Debug, Clone)]
pub struct Seen {
    /// Its path.
    pub path: String,
    /// Its headers, names in lower case.
    pub headers: Vec<(String, String)>,
    /// Its body; `null` where it is no JSON.
    pub body: Value,
}

impl Seen {
    /// A header's value.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(other, _)| other == name).map(|(_, value)| value.as_str())
    }

    /// The text of the last message.
    pub fn question(&self) -> &str {
        let last = self.body["messages"].as_array().and_then(|messages| messages.last());
        last.and_then(|message| message["content"].as_str()).unwrap_or_default()
    }
}

/// A server that is gone when this value is.
pub struct FakeServer {
    address: SocketAddr,
    shared: Arc<Shared>,
    accepting: Option<JoinHandle<()>>,
}

/// What makes a reply of a request's number and the request.
type Say = dyn Fn(usize, &Seen) -> Reply + Send + Sync;

struct Shared {
    stopped: AtomicBool,
    seen: Mutex<Vec<Seen>>,
    say: Box<Say>,
}

impl FakeServer {
    /// A server that gives these replies in order, and the last one again and again.
    pub fn replying(replies: Vec<Reply>) -> Self {
        let last = replies.len().saturating_sub(1);
        Self::saying(move |number, _| replies.get(number.min(last)).cloned().unwrap_or(Reply::Close))
    }

    /// A server that makes its replies of the request and of its number, from 0.
    pub fn saying(say: impl Fn(usize, &Seen) -> Reply + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port of this machine");
        let address = listener.local_addr().expect("an address of its own");
        let shared = Arc::new(Shared { stopped: AtomicBool::new(false), seen: Mutex::default(), say: Box::new(say) });
        let at_work = Arc::clone(&shared);
        let accepting = thread::spawn(move || {
            let mut talks = Vec::new();
            for stream in listener.incoming() {
                if at_work.is_stopped() {
                    break;
                }
                let (Ok(stream), talking) = (stream, Arc::clone(&at_work)) else { continue };
                // Whoever hangs up in between does what tests are for.
                talks.push(thread::spawn(move || talking.talk(stream).unwrap_or_default()));
            }
            for talk in talks {
                talk.join().unwrap_or_default();
            }
        });
        Self { address, shared, accepting: Some(accepting) }
    }

    /// The address of its models, up to and without `/chat/completions`.
    pub fn base_url(&self) -> String {
        format!("http://{}/v1", self.address)
    }

    /// Every request so far.
    pub fn seen(&self) -> Vec<Seen> {
        self.shared.seen.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Drop for FakeServer {
    fn drop(&mut self) {
        self.shared.stopped.store(true, Ordering::SeqCst);
        // The listener waits for somebody to call.
        TcpStream::connect(self.address).ok();
        if let Some(accepting) = self.accepting.take() {
            accepting.join().unwrap_or_default();
        }
    }
}

impl Shared {
    fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::SeqCst)
    }

    /// Waits, unless the server goes first.
    fn wait(&self, time: Duration) {
        let mut left = time;
        while !left.is_zero() && !self.is_stopped() {
            let slice = left.min(LOOK);
            thread::sleep(slice);
            left -= slice;
        }
    }

    fn talk(&self, stream: TcpStream) -> io::Result<()> {
        stream.set_nodelay(true)?;
        let seen = read(&mut BufReader::new(stream.try_clone()?))?;
        let number = {
            let mut all = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
            all.push(seen.clone());
            all.len() - 1
        };
        self.reply((self.say)(number, &seen), stream)
    }

    fn reply(&self, reply: Reply, mut stream: TcpStream) -> io::Result<()> {
        match reply {
            Reply::Whole { status, headers, body } => {
                write!(stream, "HTTP/1.1 {status} Whatever\r\nconnection: close\r\n")?;
                for (name, value) in headers {
                    write!(stream, "{name}: {value}\r\n")?;
                }
                write!(stream, "content-length: {}\r\n\r\n", body.len())?;
                stream.write_all(&body)
            }
            Reply::Chunked { chunks, ends } => {
                let head = "HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n";
                stream.write_all(head.as_bytes())?;
                for chunk in chunks {
                    stream.write_all(format!("{:x}\r\n", chunk.len()).as_bytes())?;
                    stream.write_all(&chunk)?;
                    stream.write_all(b"\r\n")?;
                }
                stream.write_all(if ends { b"0\r\n\r\n" } else { b"" })
            }
            Reply::Short { body, reset } => {
                stream.write_all(announcing(body.len() + 100).as_bytes())?;
                stream.write_all(&body)?;
                if reset {
                    // What was written has to arrive before the reset overtakes it.
                    stream.flush()?;
                    self.wait(Duration::from_millis(50));
                    socket2::SockRef::from(&stream).set_linger(Some(Duration::ZERO))?;
                }
                Ok(())
            }
            Reply::Trickle { body, every } => {
                stream.write_all(announcing(body.len()).as_bytes())?;
                for byte in body {
                    if self.is_stopped() {
                        break;
                    }
                    stream.write_all(&[byte])?;
                    self.wait(every);
                }
                Ok(())
            }
            Reply::Close => Ok(()),
            Reply::Silence => {
                while !self.is_stopped() {
                    self.wait(LOOK);
                }
                Ok(())
            }
        }
    }
}

fn announcing(length: usize) -> String {
    format!(
        "HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-type: application/json\r\ncontent-length: {length}\r\n\r\n"
    )
}

fn read(stream: &mut impl BufRead) -> io::Result<Seen> {
    let mut line = String::new();
    stream.read_line(&mut line)?;
    let path = line.split_whitespace().nth(1).unwrap_or_default().to_owned();
    let mut headers = Vec::new();
    loop {
        line.clear();
        stream.read_line(&mut line)?;
        let Some((name, value)) = line.trim_end().split_once(':') else { break };
        headers.push((name.to_lowercase(), value.trim().to_owned()));
    }
    let length = headers.iter().find(|(name, _)| name == "content-length").and_then(|(_, value)| value.parse().ok());
    let mut body = vec![0; length.unwrap_or(0)];
    stream.read_exact(&mut body)?;
    Ok(Seen { path, headers, body: serde_json::from_slice(&body).unwrap_or_default() })
}

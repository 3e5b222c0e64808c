//! The one thread that owns the connection. What is done with the connection is decided elsewhere.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{self, JoinHandle};
use std::{io, mem};

use rusqlite::Connection;

type Job = Box<dyn FnOnce(&mut Connection) + Send>;

/// Sends work to the thread; dropping it waits until the database is closed.
#[derive(Debug)]
pub(crate) struct Writer {
    jobs: Sender<Job>,
    thread: Option<JoinHandle<()>>,
}

impl Writer {
    pub(crate) fn start(mut connection: Connection) -> io::Result<Self> {
        let (jobs, waiting): (Sender<Job>, Receiver<Job>) = channel();
        let serve = move || waiting.into_iter().for_each(|job| job(&mut connection));
        let thread = thread::Builder::new().name("journal".into()).spawn(serve)?;
        Ok(Self { jobs, thread: Some(thread) })
    }

    /// Does the work on the thread and waits for its result; `None` when the thread has ended.
    pub(crate) fn ask<T: Send + 'static>(&self, work: impl FnOnce(&mut Connection) -> T + Send + 'static) -> Option<T> {
        let (answer, result) = channel();
        let job = Box::new(move |connection: &mut Connection| {
            // A caller that no longer waits cannot be told.
            let _ = answer.send(work(connection));
        });
        self.jobs.send(job).ok()?;
        result.recv().ok()
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        // The thread ends when nobody can send to it any more.
        drop(mem::replace(&mut self.jobs, channel().0));
        if let Some(thread) = self.thread.take() {
            // A panic there was reported when it happened.
            let _ = thread.join();
        }
    }
}

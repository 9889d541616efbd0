//! `unreach serve`: the playground.

use crate::cli::arguments::Serve;
use crate::cli::bad_input::BadInput;
use crate::cli::exit::Exit;
use crate::cli::terminal::line;
use unreach::serve::{Limits, Server};

pub(crate) fn run(job: &Serve) -> Result<Exit, BadInput> {
    let limits = Limits {
        seconds: job.timeout.max(1),
        megabytes: job.memory,
        runs: job.runs.get(),
        bytes: job.size << 10,
    };
    let server = Server::bind(job.address, job.port, limits, job.host.clone()).map_err(BadInput::NoServer)?;
    let closer = server.closer();
    let at_the_end = closer.clone();
    // Without a handler Ctrl-C still ends the process, only the files of runs stay behind.
    let _ = ctrlc::set_handler(move || {
        at_the_end.close();
        std::process::exit(0);
    });
    if let Some(address) = server.address() {
        line(&format!("The playground is at http://{address}/ until Ctrl-C."));
    }
    if !job.address.is_loopback() {
        eprintln!("unreach: everybody who can reach {} can start runs", job.address);
    }
    server.serve();
    closer.close();
    Ok(Exit::Success)
}

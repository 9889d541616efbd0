//! `unreach lsp`: the language server on standard input and output.

use crate::cli::bad_input::BadInput;
use crate::cli::exit::Exit;
use crate::cli::limits;
use lsp_server::Connection;

pub(crate) fn run() -> Result<Exit, BadInput> {
    let (connection, threads) = Connection::stdio();
    if let Err(why) = unreach::lsp::serve(connection, limits::memory(None)) {
        eprintln!("unreach: {why}");
        return Ok(Exit::BadInput);
    }
    match threads.join() {
        Ok(()) => Ok(Exit::Success),
        Err(error) => {
            eprintln!("unreach: {error}");
            Ok(Exit::BadInput)
        }
    }
}

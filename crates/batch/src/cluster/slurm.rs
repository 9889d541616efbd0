//! Slurm: job arrays. A batch is one array for every [`IN_AN_ARRAY`] tasks, because the usual configuration takes no larger
//! ones. Elements whose node dies are put back into the queue (`--requeue`).

use super::{Array, Scheduler};
use crate::BatchError;
use std::process::Command;

/// How many elements an array has: below `MaxArraySize`, which is 1001 if nobody has changed it.
const IN_AN_ARRAY: usize = 1000;

/// The commands `sbatch`, `squeue` and `scancel`.
#[derive(Debug)]
pub struct Slurm {
    /// More options of `sbatch`: partition, account, memory, time.
    options: Vec<String>,
}

impl Slurm {
    /// With more options of `sbatch`.
    pub fn new(options: Vec<String>) -> Slurm {
        Slurm { options }
    }
}

fn output(command: &mut Command) -> Result<std::process::Output, BatchError> {
    let name = command.get_program().display().to_string();
    command.output().map_err(|error| BatchError::Cluster(format!("slurm: {name}: {error}")))
}

/// A word as a shell reads it back.
fn quoted(word: &str) -> String {
    format!("'{}'", word.replace('\'', r"'\''"))
}

impl Scheduler for Slurm {
    fn submit(&mut self, array: &Array<'_>) -> Result<String, BatchError> {
        let words: Vec<String> = array.command.iter().map(|word| quoted(word)).collect();
        let mut jobs = Vec::new();
        for first in (0..array.count).step_by(IN_AN_ARRAY) {
            let last = IN_AN_ARRAY.min(array.count - first) - 1;
            let script = format!("exec {} $(({first} + SLURM_ARRAY_TASK_ID))", words.join(" "));
            let mut command = Command::new("sbatch");
            command.args(["--parsable", "--requeue", "--job-name=unreach-batch", "--output=/dev/null"]);
            command.arg(format!("--array=0-{last}")).arg(format!("--chdir={}", array.folder.display()));
            command.args(&self.options).arg(format!("--wrap={script}"));
            let output = output(&mut command)?;
            let text = String::from_utf8_lossy(&output.stdout);
            // `NUMBER`, or `NUMBER;CLUSTER`.
            let job = text.trim().split(';').next().unwrap_or_default();
            if !output.status.success() || job.parse::<u64>().is_err() {
                let why = String::from_utf8_lossy(&output.stderr);
                jobs.iter().for_each(|job: &String| self.cancel(&format!("slurm {job}")));
                return Err(BatchError::Cluster(format!(
                    "slurm: {}",
                    why.lines().last().unwrap_or("no job")
                )));
            }
            jobs.push(job.to_owned());
        }
        Ok(format!("slurm {}", jobs.join(",")))
    }

    fn is_active(&mut self, job: &str) -> Result<bool, BatchError> {
        let Some(numbers) = job.strip_prefix("slurm ") else { return Ok(false) };
        // Jobs that ended long ago are not known any more, and asking for them fails; so each is asked for.
        for number in numbers.split(',') {
            let answer =
                output(Command::new("squeue").args(["--noheader", "--format=%i", "--jobs", number]))?;
            let said = String::from_utf8_lossy(&answer.stderr);
            if !answer.status.success() && !said.contains("Invalid job id") {
                // The controller may be away for a while.
                return Ok(true);
            }
            if answer.status.success() && !answer.stdout.trim_ascii().is_empty() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn cancel(&mut self, job: &str) {
        let numbers =
            job.strip_prefix("slurm ").unwrap_or_default().split(',').filter(|number| !number.is_empty());
        // What cannot be cancelled ends by itself, as the spool asks it to.
        let _ = output(Command::new("scancel").args(numbers));
    }
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn words_stay_words() {
        assert_eq!(quoted("a b$c"), "'a b$c'");
        assert_eq!(quoted("it's"), r"'it'\''s'");
    }
}

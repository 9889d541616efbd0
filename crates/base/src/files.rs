//! Files that are either there as a whole or not at all.
//!
//! A text is written to a new file in the same folder, brought to the disk, and then given the wanted name, which the system
//! does in one step: whoever reads the file sees the old text or the new one, also when the process is killed or the disk is
//! full. A process that is killed in between may leave a file `.NAME.NUMBER.tmp` behind.
//!
//! Only the outermost crates, the command line and the batch, write files.

#![allow(clippy::disallowed_methods, reason = "this is how the command line writes files")]

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// Whether a file has to outlive a machine that goes down.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Durability {
    OnDisk,
    WhenTheSystemLikes,
}

/// Writes a file, or leaves what was there. Something that is no file, as `/dev/stdout` or a pipe, is written to directly.
pub fn replace(path: &Path, content: impl AsRef<[u8]>) -> io::Result<()> {
    put(path, content.as_ref(), Durability::OnDisk)
}

/// The same for files of which there are many: only a machine that goes down can leave one empty.
pub fn replace_one_of_many(path: &Path, content: impl AsRef<[u8]>) -> io::Result<()> {
    put(path, content.as_ref(), Durability::WhenTheSystemLikes)
}

fn put(path: &Path, content: &[u8], durability: Durability) -> io::Result<()> {
    // A link stays one, and what it leads to is replaced.
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    match fs::metadata(&target) {
        Ok(found) if !found.is_file() => {
            return File::options().write(true).open(&target)?.write_all(content);
        }
        Ok(found) if found.permissions().readonly() => {
            return Err(io::Error::from(io::ErrorKind::PermissionDenied));
        }
        _ => {}
    }
    let beside = beside(&target)?;
    let written = write(&beside, content, &target, durability).and_then(|()| fs::rename(&beside, &target));
    if written.is_err() {
        // It may not even have been made.
        let _ = fs::remove_file(&beside);
    }
    written
}

/// A name in the same folder that nobody else uses.
fn beside(target: &Path) -> io::Result<PathBuf> {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let Some(name) = target.file_name() else { return Err(io::Error::from(io::ErrorKind::InvalidInput)) };
    let number = COUNT.fetch_add(1, Ordering::Relaxed);
    let mut hidden = std::ffi::OsString::from(".");
    hidden.push(name);
    hidden.push(format!(".{}-{number}.tmp", std::process::id()));
    Ok(target.with_file_name(hidden))
}

fn write(path: &Path, content: &[u8], target: &Path, durability: Durability) -> io::Result<()> {
    let mut file = File::create_new(path)?;
    file.write_all(content)?;
    if let Ok(found) = fs::metadata(target) {
        file.set_permissions(found.permissions())?;
    }
    if durability == Durability::OnDisk { file.sync_all() } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Folder(PathBuf);

    impl Folder {
        fn new(name: &str) -> Folder {
            let path = std::env::temp_dir().join(format!("unreach-files-{name}-{}", std::process::id()));
            fs::create_dir_all(&path).expect("a writable folder");
            Folder(path)
        }

        fn names(&self) -> Vec<String> {
            let entries = fs::read_dir(&self.0).expect("a folder").flatten();
            entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect()
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    #[test]
    fn files_are_replaced_and_nothing_else_stays() {
        let folder = Folder::new("replaced");
        let path = folder.0.join("x");
        replace(&path, "one").expect("a new file");
        replace(&path, "two").expect("an old file");
        assert_eq!(fs::read_to_string(&path).expect("it is there"), "two");
        assert_eq!(folder.names(), ["x"]);
    }

    #[test]
    fn what_cannot_be_written_stays_as_it_was() {
        let folder = Folder::new("kept");
        assert!(replace(&folder.0.join("no/such/x"), "one").is_err());
        // A directory in the way.
        fs::create_dir(folder.0.join("d")).expect("a folder");
        assert!(replace(&folder.0.join("d"), "one").is_err());
        assert_eq!(folder.names(), ["d"]);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn devices_are_written_to() {
        assert!(replace(Path::new("/dev/null"), "one").is_ok());
        let error = replace(Path::new("/dev/full"), "one").expect_err("it is always full");
        assert_eq!(error.kind(), io::ErrorKind::StorageFull);
    }

    #[cfg(unix)]
    #[test]
    fn links_stay_links() {
        let folder = Folder::new("links");
        let (file, link) = (folder.0.join("file"), folder.0.join("link"));
        replace(&file, "one").expect("a new file");
        std::os::unix::fs::symlink("file", &link).expect("a link");
        replace(&link, "two").expect("an old file");
        assert_eq!(fs::read_to_string(&file).expect("it is there"), "two");
        assert!(fs::symlink_metadata(&link).expect("it is there").is_symlink());
    }
}

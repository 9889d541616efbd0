//! Gets Z3 and tells the linker and the loader where it is.
//!
//! Z3 comes out of the `z3-solver` wheel of the Python package index: pinned by version and hash, unpacked
//! once into `.z3/` at the workspace root, no network afterwards. A user's own `libz3` is taken instead when
//! `Z3_LIBRARY_PATH_OVERRIDE` names its folder. `docs/decisions/0003-z3.md` says why.
//!
//! The library is found at run time in three ways. `OUT_DIR` holds links to it and is a search path inside the
//! target folder, so Cargo puts it on the loader's path for `cargo test`, `run` and `bench` of every crate. The
//! targets of this package get an absolute rpath. The `rpath` metadata (`DEP_UNREACH_SMT_RPATH`) lets the build
//! script of a binary do the same, so that it can be started directly.

#![allow(clippy::print_stdout, clippy::disallowed_methods, reason = "this is how a build script works")]

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs, io};

const PACKAGE: &str = "z3-solver";
const PACKAGE_VERSION: &str = "5.4.0.0";

/// Target (operating system and architecture), platform tag of the wheel, hash of the wheel.
const WHEELS: &[(&str, &str, &str, &str)] = &[
    (
        "linux",
        "x86_64",
        "manylinux_2_27_x86_64",
        "0549ffad554178a59480ba41b5279cfbb27053ed5a2da269ae1a48214d5db34b",
    ),
    (
        "linux",
        "aarch64",
        "manylinux_2_38_aarch64",
        "fffb36861d4da1f9584d0fd4a80dbf247fdfbebb04b5c31a90b460b14c86cab0",
    ),
    (
        "macos",
        "x86_64",
        "macosx_13_0_x86_64",
        "407522390c4d11696b10d43c76d22d4e60b7f11d75d9defe6f064e073edd904f",
    ),
    (
        "macos",
        "aarch64",
        "macosx_13_0_arm64",
        "a1b36f0dd038c030d88711474c93b95e863c30a22e9def53ad5965c6092c92a7",
    ),
];

/// Takes the wheel and the folder to fill. The library is in the wheel twice, under its plain name for the
/// linker and under its versioned name for the loader; one copy and a link do.
const UNPACK: &str = r#"
import os, re, sys, zipfile
wheel, folder = sys.argv[1:]
os.makedirs(os.path.join(folder, "lib"))
os.makedirs(os.path.join(folder, "bin"))
with zipfile.ZipFile(wheel) as archive:
    def put(member, *place):
        path = os.path.join(folder, *place)
        with open(path, "wb") as file:
            file.write(archive.read(member))
        os.chmod(path, 0o755)
    for member in archive.namelist():
        name = os.path.basename(member)
        if re.fullmatch(r"libz3\.(so\.[0-9.]+|[0-9.]+\.dylib)", name):
            put(member, "lib", name)
            os.symlink(name, os.path.join(folder, "lib", "libz3.so" if ".so" in name else "libz3.dylib"))
        elif member.endswith(".data/data/bin/z3"):
            put(member, "bin", "z3")
        elif name.upper().startswith("LICENSE"):
            put(member, name)
if not os.path.exists(os.path.join(folder, "bin", "z3")) or len(os.listdir(os.path.join(folder, "lib"))) != 2:
    sys.exit("the wheel does not hold libz3 and the z3 executable")
"#;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    for variable in ["Z3_LIBRARY_PATH_OVERRIDE", "Z3_NO_PKG_CONFIG", "Z3_SYS_Z3_VERSION"] {
        println!("cargo::rerun-if-env-changed={variable}");
    }
    if let Err(message) = run() {
        // Cargo ends the build after these lines, and shows nothing else of what is printed here.
        for line in message.lines() {
            println!("cargo::error={line}");
        }
    }
}

fn run() -> Result<(), String> {
    if env::var_os("Z3_NO_PKG_CONFIG").is_none() {
        return Err("`.cargo/config.toml` of the workspace was not read, so a libz3 installed on this machine \
                    could be linked by accident.\nRun cargo inside the workspace, or set Z3_NO_PKG_CONFIG=1 and \
                    Z3_SYS_Z3_VERSION as that file does."
            .to_owned());
    }
    let version = env::var("Z3_SYS_Z3_VERSION").map_err(|_| "Z3_SYS_Z3_VERSION is not set".to_owned())?;
    let home = match env::var_os("Z3_LIBRARY_PATH_OVERRIDE") {
        Some(folder) => own_library(Path::new(&folder))?,
        None => fetched()?,
    };
    let out = PathBuf::from(variable("OUT_DIR")?);
    link_into(&home.library, &out)?;
    println!("cargo::rustc-link-search=native={}", out.display());
    println!("cargo::rustc-link-arg=-Wl,-rpath,{}", home.library.display());
    println!("cargo::metadata=rpath={}", home.library.display());
    if let Some(kept) = kept(&home.library) {
        println!("cargo::metadata=installed={}", kept.display());
    }
    println!("cargo::rustc-env=UNREACH_Z3_VERSION={version}");
    let executable = home.executable.as_deref().unwrap_or(Path::new("z3"));
    println!("cargo::rustc-env=UNREACH_Z3_EXECUTABLE={}", executable.display());
    Ok(())
}

/// A copy of the library in Cargo's own folder. `cargo install` copies a program and nothing else, and the clone that it
/// was built from may be gone when the program runs. Without a place for the copy there is none.
fn kept(library: &Path) -> Option<PathBuf> {
    println!("cargo::rerun-if-env-changed=CARGO_HOME");
    let cargo = match env::var_os("CARGO_HOME") {
        Some(folder) => PathBuf::from(folder),
        None => PathBuf::from(env::var_os("HOME")?).join(".cargo"),
    };
    let name = library.parent().and_then(Path::file_name).filter(|_| library.ends_with("lib"))?;
    let folder = cargo.join("lib").join("unreach").join(name);
    for entry in fs::read_dir(library).ok()?.flatten() {
        // The links are for the linker.
        if !entry.file_type().is_ok_and(|kind| kind.is_file()) {
            continue;
        }
        let place = folder.join(entry.file_name());
        if !place.exists() {
            fs::create_dir_all(&folder).ok()?;
            let scratch = folder.join(format!("unfinished-{}", std::process::id()));
            fs::copy(entry.path(), &scratch).ok()?;
            fs::rename(&scratch, &place).ok()?;
        }
    }
    Some(folder)
}

/// Where Z3 is.
struct Home {
    library: PathBuf,
    executable: Option<PathBuf>,
}

fn variable(name: &str) -> Result<String, String> {
    env::var(name).map_err(|_| format!("Cargo did not set {name}"))
}

/// A file of the library, under any of its names.
fn is_library(name: &OsStr) -> bool {
    name.to_str().is_some_and(|name| {
        name.starts_with("libz3.")
            && (name.contains(".so") || name.ends_with(".dylib") || name.ends_with(".a"))
    })
}

fn own_library(folder: &Path) -> Result<Home, String> {
    let complaint = |why: &dyn std::fmt::Display| {
        format!("Z3_LIBRARY_PATH_OVERRIDE is `{}`, but {why}", folder.display())
    };
    let library = folder.canonicalize().map_err(|error| complaint(&error))?;
    println!("cargo::rerun-if-changed={}", library.display());
    let entries = fs::read_dir(&library).map_err(|error| complaint(&error))?;
    if !entries.flatten().any(|entry| is_library(&entry.file_name())) {
        return Err(complaint(&"there is no libz3 in it"));
    }
    let executable = library.parent().map(|parent| parent.join("bin/z3")).filter(|path| path.exists());
    Ok(Home { library, executable })
}

/// The pinned Z3, from `.z3/` or from the package index.
fn fetched() -> Result<Home, String> {
    let (system, machine) = (variable("CARGO_CFG_TARGET_OS")?, variable("CARGO_CFG_TARGET_ARCH")?);
    let Some(&(_, _, platform, hash)) =
        WHEELS.iter().find(|&&(os, architecture, ..)| os == system && architecture == machine)
    else {
        return Err(cannot_be_had(&format!("No wheel of {PACKAGE} is pinned for {system} on {machine}.")));
    };
    let root = Path::new(&variable("CARGO_MANIFEST_DIR")?).join("../..");
    let root = root.canonicalize().map_err(|error| format!("{}: {error}", root.display()))?;
    // The folder is named after the wheel and is renamed into place when it is complete: if it is there, it is right.
    let home = root.join(".z3").join(format!("{PACKAGE_VERSION}-{}", &hash[..16]));
    println!("cargo::rerun-if-changed={}", home.display());
    if !home.exists() {
        let scratch = root.join(".z3").join(format!("unfinished-{}", std::process::id()));
        let made = fetch(&scratch, platform, hash).and_then(|()| {
            fs::rename(scratch.join("z3"), &home)
                // Another build that ran at the same time was faster; its folder is as good.
                .or_else(
                    |error| if home.exists() { Ok(()) } else { Err(format!("{}: {error}", home.display())) },
                )
        });
        // What is left over is only garbage: not being able to remove it spoils nothing.
        let _ = fs::remove_dir_all(&scratch);
        made.map_err(|why| cannot_be_had(&why))?;
    }
    Ok(Home { library: home.join("lib"), executable: Some(home.join("bin/z3")) })
}

/// Downloads the wheel and unpacks it to `scratch/z3`.
fn fetch(scratch: &Path, platform: &str, hash: &str) -> Result<(), String> {
    let at = |error: io::Error| format!("{}: {error}", scratch.display());
    fs::create_dir_all(scratch).map_err(at)?;
    let requirements = scratch.join("requirements.txt");
    fs::write(&requirements, format!("{PACKAGE}=={PACKAGE_VERSION} --hash=sha256:{hash}\n")).map_err(at)?;
    let mut pip = Command::new("python3");
    pip.args(["-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-input"])
        .args(["--no-deps", "--only-binary", ":all:", "--require-hashes", "--platform", platform, "--dest"])
        .arg(scratch)
        .arg("--requirement")
        .arg(&requirements);
    execute(&mut pip)?;
    let entries = fs::read_dir(scratch).map_err(at)?;
    let wheel =
        entries.flatten().map(|entry| entry.path()).find(|path| path.extension() == Some("whl".as_ref()));
    let wheel = wheel.ok_or("pip reported success, but there is no wheel.")?;
    execute(Command::new("python3").args(["-c", UNPACK]).arg(wheel).arg(scratch.join("z3")))?;
    fs::write(scratch.join("z3/wheel.sha256"), format!("{hash}\n")).map_err(at)
}

fn execute(command: &mut Command) -> Result<(), String> {
    let program = command.get_program().to_string_lossy().into_owned();
    let shown = match command.get_args().nth(1) {
        Some(argument) if argument == "pip" => {
            let arguments: Vec<_> = command.get_args().map(OsStr::to_string_lossy).collect();
            format!("{program} {}", arguments.join(" "))
        }
        _ => format!("{program} (unpacking the wheel)"),
    };
    let output = command.output().map_err(|error| format!("`{program}` could not be started: {error}"))?;
    if output.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&output.stderr);
    Err(format!("This failed: {shown}\n{}", said.trim_end()))
}

fn cannot_be_had(why: &str) -> String {
    format!(
        "Z3 could not be had.\n{why}\n\
         What was tried: downloading the wheel {PACKAGE} {PACKAGE_VERSION} with `python3 -m pip` and unpacking libz3 from it.\n\
         What you can do: install python3 with pip and check the network (pip's own settings, such as a proxy or \
         an index mirror, are respected),\n\
         or point at a libz3 of your own: Z3_LIBRARY_PATH_OVERRIDE=/folder/with/libz3 Z3_SYS_Z3_VERSION=5.4.0 cargo build"
    )
}

/// Makes links in `out` to every file of the library. Stale links are replaced.
fn link_into(library: &Path, out: &Path) -> Result<(), String> {
    let at = |error: io::Error| format!("{}: {error}", out.display());
    for entry in fs::read_dir(out).map_err(at)?.flatten() {
        if is_library(&entry.file_name()) {
            fs::remove_file(entry.path()).map_err(at)?;
        }
    }
    for entry in fs::read_dir(library).map_err(at)?.flatten() {
        if is_library(&entry.file_name()) {
            std::os::unix::fs::symlink(entry.path(), out.join(entry.file_name())).map_err(at)?;
        }
    }
    Ok(())
}

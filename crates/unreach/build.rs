//! Lets the binary find libz3 when it is started directly: beside itself, in `../lib`, where it was built, and in Cargo's
//! own folder, in this order.

#![allow(clippy::print_stdout, clippy::disallowed_methods, reason = "this is how a build script works")]

fn main() {
    println!("cargo::rerun-if-env-changed=DEP_UNREACH_SMT_RPATH");
    let built = std::env::var("DEP_UNREACH_SMT_RPATH").expect("the build script of smt says where libz3 is");
    let origin = if std::env::var("CARGO_CFG_TARGET_OS").as_deref() == Ok("macos") {
        "@loader_path"
    } else {
        "$ORIGIN"
    };
    println!("cargo::rerun-if-env-changed=DEP_UNREACH_SMT_INSTALLED");
    let installed = std::env::var("DEP_UNREACH_SMT_INSTALLED").ok();
    for folder in [origin.to_owned(), format!("{origin}/../lib"), built].into_iter().chain(installed) {
        println!("cargo::rustc-link-arg-bins=-Wl,-rpath,{folder}");
    }
}

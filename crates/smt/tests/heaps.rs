//! Threads share heaps once they are told to. In a process of its own: a heap that was made stays.
#![cfg(all(target_os = "linux", target_env = "gnu"))]
#![allow(clippy::disallowed_methods, reason = "the kernel tells the size of a process through a file")]

use std::sync::{Arc, Barrier};

const THREADS: usize = 8;

/// The address space of this process, in megabytes.
fn megabytes() -> u64 {
    let statm = std::fs::read_to_string("/proc/self/statm").expect("the kernel tells it");
    let pages: u64 =
        statm.split(' ').next().and_then(|pages| pages.parse().ok()).expect("a number comes first");
    pages * 4096 / (1 << 20)
}

/// A heap of a thread begins with 64 MB of address space, and the stack of a thread has two.
#[test]
fn threads_share_heaps() {
    smt::z3::heaps::keep(1);
    let before = megabytes();
    let all_have_allocated = Arc::new(Barrier::new(THREADS + 1));
    let threads: Vec<_> = (0..THREADS)
        .map(|_| {
            let barrier = Arc::clone(&all_have_allocated);
            std::thread::spawn(move || {
                let block = vec![1_u8; 10_000];
                barrier.wait();
                barrier.wait();
                block.len()
            })
        })
        .collect();
    all_have_allocated.wait();
    let grown = megabytes().saturating_sub(before);
    all_have_allocated.wait();
    for thread in threads {
        assert_eq!(thread.join().expect("no thread panics"), 10_000);
    }
    assert!(grown < 100, "{THREADS} threads took {grown} MB of address space");
}

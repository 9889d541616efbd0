fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let mut totals = ats::Counts::default();
    for file in args {
        let text = String::from_utf8_lossy(&std::fs::read(&file).unwrap()).into_owned();
        let budget = base::Budget::unlimited();
        let limits = base::budget::Limits { time: Some(std::time::Duration::from_secs(20)), memory: None };
        let _w = budget.watch(limits, std::time::Duration::from_secs(10), |_| std::process::exit(4));
        let start = std::time::Instant::now();
        let mut load = |from: &str, path: &str| {
            let path = std::path::Path::new(from).parent().unwrap().join(path);
            let text =
                String::from_utf8_lossy(&std::fs::read(&path).map_err(|e| e.to_string())?).into_owned();
            Ok(ats::Loaded { name: path.display().to_string(), text })
        };
        let mut out = std::io::sink();
        let mut err = std::io::stdout();
        let printing = std::env::var("PRINT").is_ok();
        let r = ats::run(
            &file,
            &text,
            ats::Environment {
                load: &mut load,
                out: if printing { &mut err } else { &mut out },
                format: ats::Format::Script,
                budget: &budget,
            },
        );
        totals.add(r.counts());
        println!("{:?} {file} {:?} {:?}", r.outcome(), r.unsupported_names(), start.elapsed());
        for d in &r.diagnostics {
            println!("   {} {}", r.sources.place(d.span), d.message);
        }
        for l in r.remarks().lines().filter(|l| !l.contains(": smaller")) {
            println!("   {l}");
        }
    }
    println!("{totals:?}");
}

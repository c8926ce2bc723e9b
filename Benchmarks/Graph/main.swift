// SPDX-License-Identifier: MIT

// How does a container hold up on a real dependency graph, under load and while it changes?

import BenchmarkSupport

refuseDebugBuild()
let options = Options(
  summary: "Resolves the packages of a dependency graph from all cores while they are overridden.",
  [
    .init("--input", "FILE", help: "lines of package<TAB>dependencies, or 'dpkg': this machine's"),
    .init("--seconds", "S", help: "how long to resolve (10; 2 with --quick)"),
    .init("--overrides", "R", help: "registrations overridden each second (1000)"),
    .init("--exponent", "E", help: "of the Zipf distribution of names (1.0)"),
    .init("--strict", help: "exit with status 1 when validation exceeds its budget"),
    .init("--registrations", "N", help: "instead, only register N keys and find them again"),
  ])
let failures = Failures()

print(Machine.current.text)
if options.contains("--registrations") {
  let run = RegistrationRun(count: options.number("--registrations", default: 0))
  let results = run.run(failures: failures)
  present(results, text: results.text)
} else {
  do {
    let input = try GraphInput(options["--input"])
    let run = GraphRun(
      graph: try input.read(), inputPath: input.path,
      settings: Load.Settings(
        seconds: options.number("--seconds", default: options.isQuick ? 2 : 10),
        overridesPerSecond: options.number("--overrides", default: 1_000),
        threads: Machine.current.cores),
      exponent: options.number("--exponent", default: 1.0), isStrict: options.contains("--strict"))
    let results = try onStack(forLevels: run.graph.packages.count) {
      try run.run(failures: failures)
    }
    present(results, text: results.text)
  } catch {
    fail("\(error)")
  }
}
if let first = failures.first { fail("\(failures.count) errors, the first: \(first)") }

func present<Results: Codable & Sendable>(_ results: Results, text: String) {
  print(text)
  if let path = options.json { Report(benchmark: "graph", results: results).write(to: path) }
}

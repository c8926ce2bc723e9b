// SPDX-License-Identifier: MIT

import BenchmarkSupport
import Foundation

/// Measures the cost of a service in a release build: the registration, and a factory with two
/// dependencies.
@main
enum CompileTimeBenchmark {
  static func main() throws {
    let options = Options(
      summary: "Compiles programs of services, and counts the time and the text for each service.",
      [
        .init(
          "--products", "DIR", help: "the library's folder; that of this tool when left out")
      ])
    let products = options["--products"].map { URL(fileURLWithPath: $0) } ?? ownFolder()
    let compiler = try Compiler(products: products)
    defer { compiler.cleanUp() }

    print(Machine.current.text)
    let measurements = try (options.isQuick ? [50] : [50, 300, 1_000]).map {
      try measure(compiler, count: $0)
    }
    var table = TextTable(Measurement.titles)
    for measurement in measurements { table.add(measurement.cells) }
    print(table.text)
    if let path = options.json {
      Report(benchmark: "compile-time", results: measurements).write(to: path)
    }
    if measurements.contains(where: \.isTooLarge) {
      fail("A service takes more text than its budget allows.")
    }
  }

  /// The fastest of some rounds in which the programs take turns: about as many services for each
  /// count.
  private static func measure(_ compiler: Compiler, count: Int) throws -> Measurement {
    let progress = ProgressLine()
    defer { progress.clear() }
    var fastest: [ServiceProgram: Compiler.Output] = [:]
    for _ in 0..<max(1, 300 / count) {
      for program in ServiceProgram.allCases {
        progress.show("\(count) services, \(program.rawValue)")
        let output = try compiler.compile(program.source(count: count))
        let best = fastest[program].map { min($0.milliseconds, output.milliseconds) }
        fastest[program] = Compiler.Output(
          milliseconds: best ?? output.milliseconds, bytes: output.bytes)
      }
    }
    return Measurement(count: count, outputs: fastest)
  }

  private static func ownFolder() -> URL {
    guard let program = Bundle.main.executableURL else { fail("Cannot find this program's file.") }
    return program.deletingLastPathComponent()
  }
}

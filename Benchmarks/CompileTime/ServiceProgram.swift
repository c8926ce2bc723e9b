// SPDX-License-Identifier: MIT

/// A program of services, which are classes with a protocol and two dependencies, and the code that
/// puts the services together.
enum ServiceProgram: String, CaseIterable, Codable, Sendable {
  case byHand = "by hand"
  case corinth = "Corinth"
  case wired = "Corinth, using:"

  /// The source of a program with `count` services.
  func source(count: Int) -> String {
    let services = (0..<count).map { Service(number: $0) }
    let declarations = services.map(\.declaration)
    let lines =
      switch self {
      case .byHand:
        declarations + services.map(\.function) + [
          "public func makeAll() -> [Any] { [\(services.last?.call ?? "")] }"
        ]
      case .corinth, .wired:
        ["import Corinth"] + declarations
          + ["public func registerAll(in container: Container) throws {"]
          + services.map(self == .wired ? \.wiring : \.registration) + ["}"]
      }
    return lines.joined(separator: "\n") + "\n"
  }
}

/// One service. The first two services depend on nothing, and all further services on the two
/// services before.
private struct Service {
  let number: Int

  private var dependencies: [Service] {
    number < 2 ? [] : [Service(number: number - 1), Service(number: number - 2)]
  }

  var declaration: String {
    let parameters = zip(["first", "second"], dependencies)
    let properties = parameters.map { "let \($0): any P\($1.number); " }.joined()
    let list = parameters.map { "_ \($0): any P\($1.number)" }.joined(separator: ", ")
    let assignments = parameters.map { name, _ in "self.\(name) = \(name); " }.joined()
    return """
      protocol P\(number): Sendable { func use() -> Int }
      final class S\(number): P\(number) { \(properties)init(\(list)) { \(assignments)}; func use() -> Int { \(number) } }
      """
  }

  /// By hand: a function for every service, without a container.
  var function: String {
    let arguments = dependencies.map(\.call).joined(separator: ", ")
    return "@inline(never) func make\(number)() -> any P\(number) { S\(number)(\(arguments)) }"
  }

  var call: String { "make\(number)()" }

  var wiring: String {
    "  try container.wire((any P\(number)).self, using: S\(number).init)"
  }

  var registration: String {
    let arguments = dependencies.map { _ in "try r.resolve()" }.joined(separator: ", ")
    let parameter = dependencies.isEmpty ? "_" : "r"
    return
      "  try container.register((any P\(number)).self) { \(parameter) in S\(number)(\(arguments)) }"
  }
}

// SPDX-License-Identifier: MIT

import Foundation

/// The options that a benchmark was started with.
///
/// Every tool has `--json FILE` and `--help`, and names further options.
public struct Options: Sendable {
  /// An option that a tool understands.
  public struct Declaration: Sendable {
    let name: String
    let valueName: String?
    let help: String?

    /// - Parameters:
    ///   - name: the name with the dashes, such as `--seconds`.
    ///   - valueName: the name of the value, such as `N`; `nil` for a switch.
    ///   - help: a line of help; `nil` keeps the option out of the help.
    public init(_ name: String, _ valueName: String? = nil, help: String?) {
      self.name = name
      self.valueName = valueName
      self.help = help
    }

    var usage: String { valueName.map { "\(name) \($0)" } ?? name }
  }

  private var values: [String: String] = [:]

  /// Where to write the JSON report, if asked for.
  public var json: String? { self["--json"] }

  /// Whether a short run was asked for.
  public var isQuick: Bool { contains("--quick") }

  /// Reads the command line; a wrong one ends the program with a sentence and exit status 2.
  ///
  /// - Parameter hasQuickRun: whether the tool has `--quick`.
  public init(
    summary: String, _ declarations: [Declaration] = [], hasQuickRun: Bool = true,
    arguments: [String] = CommandLine.arguments
  ) {
    let all =
      declarations + (hasQuickRun ? [Declaration("--quick", help: "a short run")] : []) + [
        Declaration("--json", "FILE", help: "also write the results to FILE"),
        Declaration("--help", help: "print this"),
      ]
    var rest = arguments.dropFirst()
    while let argument = rest.popFirst() {
      guard let declaration = all.first(where: { $0.name == argument }) else {
        fail("Unknown option '\(argument)': --help lists the known ones.", status: 2)
      }
      guard let valueName = declaration.valueName else {
        values[argument] = ""
        continue
      }
      guard let value = rest.popFirst() else {
        fail("Option '\(argument)' needs a value: \(argument) \(valueName).", status: 2)
      }
      values[argument] = value
    }
    if contains("--help") {
      print(Self.help(summary, all))
      exit(0)
    }
  }

  /// Whether an option was given.
  public func contains(_ name: String) -> Bool {
    values[name] != nil
  }

  /// The value of an option, `nil` when it was not given.
  public subscript(_ name: String) -> String? {
    values[name]
  }

  /// The value of an option that must be a number above 0; another value ends the program.
  public func number<Number: LosslessStringConvertible & Comparable & Numeric>(
    _ name: String, default defaultValue: Number
  ) -> Number {
    guard let text = values[name] else { return defaultValue }
    guard let number = Number(text), number > .zero else {
      fail("Option '\(name)' needs a number above 0, not '\(text)'.", status: 2)
    }
    return number
  }

  private static func help(_ summary: String, _ declarations: [Declaration]) -> String {
    let shown = declarations.filter { $0.help != nil }
    let width = shown.map(\.usage.count).max() ?? 0
    let lines = shown.map { declaration in
      "  \(declaration.usage.padded(to: width))  \(declaration.help ?? "")"
    }
    return ([summary, ""] + lines).joined(separator: "\n")
  }
}

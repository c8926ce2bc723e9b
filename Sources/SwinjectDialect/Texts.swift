// SPDX-License-Identifier: MIT

internal import Corinth
internal import DialectSupport

extension Container {
  /// The registrations of this container, one on every line, sorted.
  public var description: String {
    "[" + registrations.map { "\n    { \($0.text) }" }.sorted().joined(separator: ",") + "\n]"
  }

  /// Prints the missing registration and the available registrations, if the environment asks for
  /// the log.
  @usableFromInline func logFailure(
    _ service: any Any.Type, _ arguments: any Any.Type, _ name: String?,
    _ option: (any ServiceKeyOption)?
  ) {
    // Looked up for every failure: the variable may be set while the program runs.
    guard Environment.value(of: "SWINJECT_LOGGING_ENABLED") == "1" else { return }
    let lines = [
      "Swinject: Resolution failed. Expected registration:",
      "\t{ \(text(of: service, name, option, arguments, makes: service)) }",
      "Available registrations:",
    ]
    let available = sequence(first: self, next: \.parent).flatMap(\.registrations)
      .filter { $0.entry.serviceType == service }.map { "\t{ \($0.text) }" }
    print((lines + available).joined(separator: "\n"))
  }
}

extension AnyRegistered {
  fileprivate var text: String {
    let settings = entry.settings.value
    let count = settings.completions.count
    return SwinjectDialect.text(
      of: entry.serviceType, name, option, argumentsType, makes: serviceType)
      + ", ObjectScope: \(settings.scope)"
      + (count == 0 ? "" : ", InitCompleted: Specified \(count) closures")
  }
}

private func text(
  of service: any Any.Type, _ name: String?, _ option: (any ServiceKeyOption)?,
  _ arguments: any Any.Type, makes product: any Any.Type
) -> String {
  let name = name.map { ", Name: \"\($0)\"" } ?? ""
  let option = option.map { ", \($0)" } ?? ""
  return "Service: \(service)\(name)\(option), Factory: \(arguments) -> \(product)"
}

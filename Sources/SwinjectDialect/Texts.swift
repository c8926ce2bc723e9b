// SPDX-License-Identifier: MIT

internal import Corinth

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

extension Container {
  /// The registrations of this container, a line each, sorted.
  public var description: String {
    "[" + entries.map { "\n    { \($0.text) }" }.sorted().joined(separator: ",") + "\n]"
  }

  /// Prints what is missing and what there is, if the environment asks for it.
  @usableFromInline func logFailure(
    _ service: any Any.Type, _ arguments: any Any.Type, _ name: String?,
    _ option: (any ServiceKeyOption)?
  ) {
    guard isLoggingEnabled else { return }
    let expected = text(of: service, name, option, arguments, makes: service)
    var lines = [
      "Swinject: Resolution failed. Expected registration:", "\t{ \(expected) }",
      "Available registrations:",
    ]
    var next: Container? = self
    while let container = next {
      lines += container.entries.filter { $0.entry.serviceType == service }
        .map { "\t{ \($0.text) }" }
      next = container.parent
    }
    print(lines.joined(separator: "\n"))
  }
}

extension ListedEntry {
  fileprivate var text: String {
    let settings = entry.settings.load()
    let count = settings.completions.count
    return SwinjectDialect.text(
      of: entry.serviceType, name, option, entry.factory.argumentsType, makes: serviceType)
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

/// Looked up each time: the variable may be set while the program runs.
private var isLoggingEnabled: Bool {
  guard let value = unsafe getenv("SWINJECT_LOGGING_ENABLED") else { return false }
  return unsafe String(cString: value) == "1"
}

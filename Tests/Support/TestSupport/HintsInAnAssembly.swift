// SPDX-License-Identifier: MIT

internal import Corinth

/// The hints at mistakes during an assembly of Corinth that runs `body`. Only debug builds give
/// hints.
public func hintsInAnAssembly(
  _ body: @escaping @Sendable () throws -> Void
) throws -> [String] {
  struct Module: Assembly {
    let body: @Sendable () throws -> Void
    func assemble(container: Container) throws { try body() }
  }
  let hints = EventLog()
  Container.onHint = { hints.add($0) }
  defer { Container.onHint = nil }
  try Assembler(container: Container()).apply(assemblies: [Module(body: body)])
  return hints.entries
}

// SPDX-License-Identifier: MIT

package import Corinth

/// The shop: six modules in one container.
package enum Shop {
  /// - Parameters:
  ///   - environment: the settings.
  ///   - behaviors: hear of everything that the modules register.
  package static func makeContainer(
    environment: Environment, behaviors: [any Behavior] = []
  ) throws -> Container {
    let container = Container(duplicates: .refuse)
    for behavior in behaviors { container.add(behavior) }
    try container.register(value: environment)
    // It needs the others.
    try Assembler(container: container).apply(assembly: OperationsAssembly())
    return container
  }
}

extension Container {
  /// Serves a request of the user who has the token: the changes are kept if `body` succeeds.
  nonisolated(nonsending)
    package func serve<Result>(
      token: String, _ body: (Checkout) throws -> Result
    ) async throws -> Result
  {
    try await withScope { scope in
      try scope.register(value: RequestHeader(token: token))
      return try body(try scope.resolve())
    }
  }
}

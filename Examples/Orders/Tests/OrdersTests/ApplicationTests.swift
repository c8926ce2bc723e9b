// SPDX-License-Identifier: MIT

import Corinth
import CorinthTesting
import HTTP
import Orders
import Testing

/// The registrations of the six modules.
struct ApplicationTests {
  @Test func sixModulesMakeSixtySixRegistrations() throws {
    let container = try application.get()
    #expect(container.registrations.count == 66)
    #expect(container.registrations.compactMap(\.fault).isEmpty)
  }

  /// The keys that the program resolves: the server, the log, and the handlers, which the routes
  /// resolve for each request.
  private static let roots: ValidationRoots = [
    Server.self, (any Log).self, TaxTableReload.self, QuotePrice.self, ChangePriceList.self,
    PlaceOrder.self, ShowOrder.self, ListOrders.self, ShowHealth.self,
    ShowMetrics.self, ShowContainer.self, ShowContainerDocument.self,
  ]

  @Test func theApplicationIsValid() throws {
    try application.get().validate(roots: Self.roots, inputs: [RequestID.self, User.self])
  }

  /// Closures are known by what they resolve: a registration that nothing depends on is found too.
  @Test(
    .container(try application.get()) {
      try $0.register(value: SilentLog(), as: (any Log).self, onDuplicate: .require)
    })
  func theApplicationIsValidWhenAllIsBuilt() async throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let environment = Environment(["PORT": "0", "DATABASE": "\(folder.path)/orders.db"])
    let container = try #require(Container.current)
    try container.register(value: environment, as: Environment.self, onDuplicate: .require)
    try await container.validate(
      building: true, roots: Self.roots, strictly: true, providing: RequestID(text: "valid"),
      User(name: "ada"))
  }

  @Test(
    .container(try application.get()) {
      try $0.register(
        value: Environment(["THREADS": "many", "PORT": "0"]), as: Environment.self,
        onDuplicate: .require)
    })
  func aVariableWithoutMeaningIsAnErrorThatNamesIt() async throws {
    let container = try #require(Container.current)
    let error = await #expect(throws: ResolutionError.self) { try await container.startServer() }
    let message = #"THREADS is "many", and should be a number in 1...256."#
    #expect(error?.description.contains(message) == true)
  }
}

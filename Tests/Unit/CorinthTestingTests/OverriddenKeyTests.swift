// SPDX-License-Identifier: MIT

import Corinth
import CorinthTesting
import Testing

private final class Pool: Sendable {
  let label: String
  init(_ label: String = "default") { self.label = label }
}

private enum App {
  static let pool: ServiceKey<Pool> = ServiceKey(scope: .singleton) { _ in Pool() }
  static let text: ServiceKey<String> = ServiceKey { "text of \(try $0.resolve(App.pool).label)" }
  static let slow: AsyncServiceKey<Int> = AsyncServiceKey { _ in 1 }
}

private func current() throws -> Container { try #require(Container.current) }

@Suite(.overriding(App.pool) { _ in Pool("suite") })
private struct OverriddenKeyTests {
  @Test func theSuitesFactoryServes() throws {
    #expect(try current().resolve(App.text) == "text of suite")
  }

  @Test(.overriding(App.pool) { _ in Pool("test") }, .overriding(App.slow) { _ in 2 })
  func theTestsFactoryServes() async throws {
    #expect(try current().resolve(App.text) == "text of test")
    #expect(try current().resolve(App.pool) === current().resolve(App.pool), "the scope stays")
    #expect(try await current().resolveAsync(App.slow) == 2)
  }
}

@Test(.container(Container()), .overriding(App.text) { _ in "mine" })
private func othersAreDefaults() throws {
  #expect(try current().resolve(App.text) == "mine")
  #expect(try current().resolve(App.pool).label == "default")
}

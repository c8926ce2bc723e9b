// SPDX-License-Identifier: MIT

import Corinth
import TestSupport
import XCTest

#if DEBUG
  private final class Pool: Sendable {}

  /// A container that has ended refuses what it would do in vain, and says where it was made and
  /// ended.
  final class ClosedContainerTests: XCTestCase {
    private let container = Container(file: "App/Main.swift", line: 1)

    override func setUp() async throws {
      try container.register(Pool.self, scope: .singleton, with: .eager) { _ in Pool() }
    }

    private func shutDown() async throws {
      try await container.shutdown(file: "App/Main.swift", line: 2)
    }

    private func text(of call: nonisolated(nonsending) () async throws -> Void) async -> String {
      do {
        try await call()
        return "no error"
      } catch {
        XCTAssertTrue(error.is(ResolutionError.containerClosed), "\(error)")
        return "\(error)"
      }
    }

    private static func warmUpSynchronously(_ container: Container, _ validating: Bool) throws {
      try container.syncWarmUp(validating: validating)
    }

    private static func validateSynchronously(_ container: Container, _ building: Bool) throws {
      try container.syncValidate(building: building)
    }

    // A service that was restarted in the same process warmed up a container that was shut down,
    // and went on.
    func testEachFormOfTheWarmUpIsRefused() async throws {
      try await shutDown()
      let container = container
      let refusal = """
        The container is closed.
          hint: the container, made at App/Main.swift:1, has been closed at App/Main.swift:2: warm up before that; a container \
        does not open again.
        """
      for validating in [false, true] {
        let texts = [
          await text { try await container.warmUp(validating: validating) },
          await text { try await container.warmUp(validating: validating, maximumConcurrency: 2) },
          await text { try Self.warmUpSynchronously(container, validating) },
        ]
        XCTAssertEqual(texts, [String](repeating: refusal, count: 3))
      }
    }

    func testEachFormOfTheValidationIsRefused() async throws {
      try await shutDown()
      let container = container
      let texts = [
        await text { try container.validate() },
        await text { try await container.validate(building: false) },
        await text { try await container.validate(building: true) },
        await text { try Self.validateSynchronously(container, false) },
        await text { try Self.validateSynchronously(container, true) },
      ]
      let refusal = """
        The container is closed.
          hint: the container, made at App/Main.swift:1, has been closed at App/Main.swift:2: validate before that; a container \
        does not open again.
        """
      XCTAssertEqual(texts, [String](repeating: refusal, count: 5))
    }

    func testAClosedScopeIsRefusedAsAScope() async throws {
      let scope = container.makeScope(file: "App/Web.swift", line: 3)
      try await scope.close(file: "App/Web.swift", line: 4)
      let text = await text { try await scope.warmUp() }
      XCTAssertEqual(
        text,
        """
        The container is closed.
          hint: its request scope, made at App/Web.swift:3, has been closed at App/Web.swift:4: warm up before that, or make \
        another scope.
        """)
    }

    func testAForkIsRefusedAfterItsBase() async throws {
      let fork = container.fork()
      try await shutDown()
      let texts = [
        await text { try await fork.warmUp() }, await text { try fork.validate() },
      ]
      XCTAssertTrue(texts.allSatisfy { $0.contains("made at App/Main.swift:1") }, "\(texts)")
    }

    func testAChildBuildsItsOwnAfterTheEndOfItsParent() async throws {
      let child = Container(parent: container)
      let runs = AtomicCounter()
      try child.register(Int.self, scope: .singleton, with: .eager) { _ in
        runs.add()
        return 1
      }
      try await shutDown()
      try await child.warmUp()
      XCTAssertEqual(runs.value, 1)
      // It would report nothing of the parent, or all of it as missing.
      let text = await text { try child.validate() }
      XCTAssertTrue(text.contains("made at App/Main.swift:1"), text)
    }

    func testADrainedScopeIsRefusedAsSuch() async throws {
      let container = container
      let open = container.makeScope()
      async let end: Void = container.shutdown(draining: .seconds(600))
      while !container.statistics.isDraining { await Task.yield() }
      let refused = container.makeScope()
      do {
        try await refused.warmUp()
        XCTFail("The scope has been refused.")
      } catch { XCTAssertTrue(error.is(ResolutionError.scopeRefused), "\(error)") }
      try await open.close()
      try await end
    }

    // MARK: - Where

    func testAResolveNamesTheLinesOfTheContainer() async throws {
      try await shutDown()
      try await container.shutdown(file: "App/Other.swift", line: 9)
      let container = container
      let resolve = await text { _ = try container.resolve(Pool.self) }
      XCTAssertEqual(
        resolve,
        """
        Pool cannot be resolved: the container is closed.
          hint: the container, made at App/Main.swift:1, has been closed at App/Main.swift:2: resolve before that; a container \
        does not open again.
        """)
      let scoped = await text { _ = try container.makeScope().resolve(Pool.self) }
      XCTAssertEqual(scoped, resolve)
    }

    func testEachWayToMakeAContainerIsNamed() async throws {
      let builder = ContainerBuilder(file: "App/Builder.swift", line: 1)
      let containers = [
        (try builder.build(), "App/Builder.swift:1"),
        (container.fork(file: "App/Fork.swift", line: 2), "App/Fork.swift:2"),
        (
          try container.fork(file: "App/Fork.swift", line: 3) { try $0.freeze() },
          "App/Fork.swift:3"
        ),
        (Container(parent: container, file: "App/Child.swift", line: 4), "App/Child.swift:4"),
      ]
      for (container, place) in containers {
        try await container.close(file: "App/End.swift", line: 5)
        let text = await text { _ = try container.resolve(Int.self) }
        XCTAssertTrue(
          text.contains("made at \(place), has been closed at App/End.swift:5: resolve"), text)
      }
    }

    func testAContainerThatTheLibraryHasMadeAndClosedNamesNoLine() async throws {
      let fork = try await container.withOverrides { _ in
      } run: {
        $0
      }
      let text = await text { _ = try fork.resolve(Pool.self) }
      XCTAssertTrue(
        text.hasSuffix(
          "hint: resolve before close() or shutdown(); a container does not open again."),
        text)
    }

    func testAVersionThatEndsWithItsContainerNamesTheContainer() async throws {
      let reloadable = ReloadableContainer(container)
      let version = reloadable.current
      try await shutDown()
      let text = await text { _ = try version.resolve(Pool.self) }
      XCTAssertTrue(
        text.contains("made at App/Main.swift:1, has been closed at App/Main.swift:2"), text)
      let reload = await self.text { try await reloadable.reload { _ in } }
      XCTAssertTrue(reload.hasPrefix("The container is closed."), reload)
    }

    func testASecondCloserThatGivesUpNamesTheLineOfTheContainer() async throws {
      let (begun, mayEnd) = (AsyncGate(), AsyncGate())
      let container = Container(file: "App/Main.swift", line: 7)
      try container.register(
        Pool.self, scope: .singleton,
        with: .onDispose { _ in
          begun.open()
          await mayEnd.wait()
        }
      ) { _ in Pool() }
      _ = try container.resolve(Pool.self)
      async let first: Void = container.close()
      await begun.wait()
      do {
        try await container.shutdown(totalTimeLimit: .milliseconds(1))
        XCTFail("The first closer has not ended.")
      } catch CloseError.disposalFailed(let failures) {
        XCTAssertEqual(failures.map(\.location.description), ["App/Main.swift:7"])
      }
      mayEnd.open()
      try await first
    }
  }
#endif

// SPDX-License-Identifier: MIT

import Corinth
import TestSupport
import XCTest

/// What behaviors are told, when, and how often.
final class BehaviorTests: XCTestCase {
  /// Writes down what it hears.
  private final class Recorder: Behavior {
    let journal = Journal()
    let events: BehaviorEvents
    let measuresTimes: Bool
    private let onResolve: @Sendable (Container) -> Void

    init(
      _ events: BehaviorEvents = .all, measuresTimes: Bool = true,
      onResolve: @escaping @Sendable (Container) -> Void = { _ in }
    ) {
      self.events = events
      self.measuresTimes = measuresTimes
      self.onResolve = onResolve
    }

    var entries: [String] { journal.entries }

    func didRegister<Product>(
      type: Product.Type, to container: Container, as registration: Registration<Product>,
      with name: String?
    ) {
      journal.write("registered \(type) \(name ?? "-")")
    }

    func didResolve(_ key: RegistrationKey, as instance: Any, in container: Container) {
      journal.write("resolved \(key) \(instance)")
      onResolve(container)
    }

    func didFail(
      _ key: RegistrationKey, with error: ResolutionError, in container: Container
    ) {
      journal.write("failed \(key)")
    }

    func didBuild(_ key: RegistrationKey, in duration: Duration, container: Container) {
      journal.write("built \(key)\(duration > .zero ? "" : " in no time")")
    }

    func didDispose(_ key: RegistrationKey) {
      journal.write("disposed of \(key)")
    }

    func didLeaveUndisposed(_ report: UndisposedReport) {
      journal.write("dropped \(report.instances.map(\.key.description))")
    }
  }

  func testARegistrationIsReportedWithItsNameAlsoAForwardedOne() throws {
    let container = Container()
    let recorder = Recorder()
    container.add(recorder)
    try container.register(Int.self, name: "42") { _ in 42 }
    try container.register(Int.self, name: Name(7)) { _ in 7 }
    try container.register(Motor.self) { _ in Motor() }
    try container.forward((any Engine).self, to: Motor.self)
    XCTAssertEqual(
      recorder.entries,
      ["registered Int 42", "registered Int 7", "registered Motor -", "registered Engine -"])
  }

  /// It was reported although nothing had been built, and twice if the time limit had passed.
  func testADisposalIsReportedWhenItHasHappened() async throws {
    struct Broken: Error {}
    let container = Container()
    let recorder = Recorder([.disposal])
    container.add(recorder)
    try container.register(Int.self) { _ in 1 }.as(.singleton).onDispose { _ in }
    do {
      try await container.replace(Int.self) { _ in throw Broken() }
      XCTFail("The factory throws.")
    } catch { XCTAssertTrue(error.is(.underlyingError), "\(error)") }
    try await container.replace(Int.self, disposingOfOld: true) { _ in 2 }
    XCTAssertEqual(recorder.entries, [])
    try await container.release(Int.self, disposing: true)
    XCTAssertEqual(recorder.entries, ["disposed of Int"])
  }

  func testOverridesAndDefaultsAreRegistrationsToo() throws {
    let container = Container()
    let recorder = Recorder([.registration])
    container.add(recorder)
    try container.register(Int.self, onDuplicate: .keep) { _ in 1 }
    try container.register(Int.self, onDuplicate: .keep) { _ in 2 }
    try container.register(Int.self, onDuplicate: .require) { _ in 3 }
    try container.register(value: "text")
    try container.contribute(to: Double.self, name: "half") { _ in 0.5 }
    try container.wire(Motor.self, using: { Motor() })
    XCTAssertEqual(
      recorder.entries,
      [
        "registered Int -", "registered Int -", "registered String -", "registered Double half",
        "registered Motor -",
      ])
  }

  func testEachResolveIsReportedOnce() throws {
    let container = Container()
    let recorder = Recorder([.resolution])
    try container.register(Int.self) { _ in 1 }
    try container.register(String.self) { "\(try $0.resolve(Int.self))" }.as(.singleton)
    try container.register(Double.self) { (_, argument: Double) in argument }
    // Ready, and looked up in advance: both from before.
    _ = try container.resolve(String.self)
    let provider = try container.provider(for: String.self)
    container.add(recorder)
    _ = try container.resolve(String.self)
    _ = try provider()
    _ = try container.resolve(Int.self)
    _ = try container.resolveIfRegistered(Int.self)
    _ = try container.resolve(Double.self, arguments: 0.5)
    try container.withResolved(String.self) { _ in }
    container.release(String.self)
    _ = try container.resolve(String.self)
    XCTAssertEqual(
      recorder.entries,
      [
        "resolved String 1", "resolved String 1", "resolved Int 1", "resolved Int 1",
        "resolved Double with arguments (Double) 0.5", "resolved String 1", "resolved Int 1",
        "resolved String 1",
      ])
  }

  func testAsynchronousResolvesAreReported() async throws {
    let container = Container()
    let recorder = Recorder([.resolution, .construction])
    container.add(recorder)
    try container.registerAsync(Int.self) { _ in 1 }.as(.singleton)
    for _ in 0..<2 { _ = try await container.resolveAsync(Int.self) }
    XCTAssertEqual(recorder.entries, ["built Int", "resolved Int 1", "resolved Int 1"])
  }

  func testAScopesResolvesAreReportedToTheContainerOfTheRegistration() throws {
    let container = Container()
    let recorder = Recorder([.resolution])
    container.add(recorder)
    try container.register(Int.self, scope: .scoped) { _ in 1 }
    try container.syncWithScope { scope in
      _ = try scope.resolve(Int.self)
      _ = try scope.resolve(Int.self)
    }
    XCTAssertEqual(recorder.entries, ["resolved Int 1", "resolved Int 1"])
  }

  func testFailuresAreReportedTheInnermostFirst() throws {
    let container = Container()
    let recorder = Recorder([.failure])
    container.add(recorder)
    try container.register(Int.self) { _ in throw FixtureError("no") }
    try container.register(String.self) { "\(try $0.resolve(Int.self))" }.as(.singleton)
    XCTAssertThrowsError(try container.resolve(String.self))
    let scope = container.makeScope()
    XCTAssertThrowsError(try scope.resolve(Double.self))
    XCTAssertEqual(recorder.entries, ["failed Int", "failed String", "failed Double"])
  }

  func testEachConstructionIsReported() throws {
    let container = Container()
    let recorder = Recorder([.construction])
    container.add(recorder)
    try container.register(Int.self) { _ in
      usleep(10)
      return 1
    }
    try container.register(String.self) { "\(try $0.resolve(Int.self))" }.as(.singleton)
    for _ in 0..<2 { _ = try container.resolve(String.self) }
    _ = try container.resolve(Int.self)
    XCTAssertEqual(recorder.entries, ["built Int", "built String", "built Int"])
  }

  func testABehaviorThatMeasuresNoTimesIsToldNone() async throws {
    let container = Container()
    let (untimed, timed) = (
      Recorder([.construction], measuresTimes: false), Recorder([.construction])
    )
    container.add(untimed)
    try container.register(Int.self) { _ in 1 }
    try container.registerAsync(String.self) { _ in "s" }
    _ = try container.resolve(Int.self)
    container.add(timed)
    _ = try container.resolve(Int.self)
    _ = try await container.resolveAsync(String.self)
    XCTAssertEqual(
      untimed.entries,
      ["built Int in no time", "built Int in no time", "built String in no time"])
    XCTAssertEqual(timed.entries, ["built Int", "built String"])
  }

  func testDisposalsAndDropsAreReported() async throws {
    Container.onUndisposed = nil
    let container = Container()
    let recorder = Recorder([.disposal])
    container.add(recorder)
    try container.register(Int.self) { _ in 1 }.as(.singleton).onDispose { _ in }
    try container.register(String.self, scope: .scoped) { _ in "s" }.onDispose { _ in }
    _ = try container.resolve(Int.self)
    container.release(Int.self)
    try await container.withScope { _ = try $0.resolve(String.self) }
    _ = try container.makeScope().resolve(String.self)
    _ = try container.resolve(Int.self)
    try await container.release(Int.self, disposing: true)
    _ = try container.resolve(Int.self)
    try await container.shutdown()
    XCTAssertEqual(
      recorder.entries,
      [
        "dropped [\"Int\"]", "disposed of String", "dropped [\"String\"]", "disposed of Int",
        "disposed of Int",
      ])
  }

  func testABehaviorMayUseTheContainerAndDoesNotHearOfThat() throws {
    let container = Container()
    let recorder = Recorder { container in
      _ = try? container.resolve(String.self)
      _ = try? container.register(String.self) { _ in "" }
    }
    try container.register(Int.self) { _ in 1 }
    container.add(recorder)
    _ = try container.resolve(Int.self)
    XCTAssertEqual(recorder.entries, ["built Int", "resolved Int 1"])
    XCTAssertTrue(container.contains(String.self))
  }

  func testSeveralBehaviorsAreCalledInOrder() throws {
    let container = Container()
    let (first, order) = (Journal(), Recorder([.construction]))
    container.add(
      TracingBehavior { key, build in
        first.write("begin \(key)")
        try build()
        first.write("end \(key)")
      } async: { _, build in
        try await build()
      })
    container.add(order)
    try container.register(Int.self) { _ in 1 }
    try container.register(String.self) { "\(try $0.resolve(Int.self))" }
    _ = try container.resolve(String.self)
    XCTAssertEqual(first.entries, ["begin String", "begin Int", "end Int", "end String"])
    XCTAssertEqual(order.entries, ["built Int", "built String"])
  }

  func testASpanThatDoesNotBuildIsAnError() throws {
    let container = Container()
    container.add(
      TracingBehavior { _, _ in
      } async: { _, _ in
      })
    try container.register(Int.self) { _ in 1 }.as(.singleton)
    XCTAssertThrowsError(try container.resolve(Int.self)) { error in
      XCTAssertTrue("\(error)".contains("call it once"), "\(error)")
    }
  }

  func testASpanThatCatchesTheErrorOfTheConstructionDoesNotHideIt() async throws {
    struct Failure: Error {}
    let container = Container()
    let spans = Journal()
    for _ in 0..<2 {
      container.add(
        TracingBehavior { key, build in
          do { try build() } catch { spans.write("caught \(error)") }
        } async: { key, build in
          do { try await build() } catch { spans.write("caught \(error)") }
        })
    }
    try container.register(Int.self) { _ in throw Failure() }
    try container.registerAsync(String.self) { _ in throw Failure() }
    XCTAssertThrowsError(try container.resolve(Int.self)) {
      XCTAssertNotNil($0.cause(as: Failure.self), "\($0)")
    }
    do {
      _ = try await container.resolveAsync(String.self)
      XCTFail("no error")
    } catch { XCTAssertNotNil(error.cause(as: Failure.self), "\(error)") }
    XCTAssertEqual(spans.entries, Array(repeating: "caught Failure()", count: 4))
  }

  func testASpanMayReplaceTheErrorOfTheConstruction() throws {
    struct Failure: Error {}
    struct Replacement: Error {}
    let container = Container()
    container.add(
      TracingBehavior { _, build in
        do { try build() } catch { throw Replacement() }
      } async: { _, build in
        try await build()
      })
    try container.register(Int.self) { _ in throw Failure() }
    XCTAssertThrowsError(try container.resolve(Int.self)) {
      XCTAssertNotNil($0.cause(as: Replacement.self), "\($0)")
    }
  }

  // MARK: - Ready-made

  func testMetricsCountOnAllThreads() throws {
    let container = Container()
    let metrics = MetricsBehavior()
    container.add(metrics)
    try container.register(Int.self) { _ in 1 }
    try container.register(String.self) { _ in "s" }.as(.singleton)
    try container.register(Double.self) { _ in throw FixtureError("no") }
    let rounds = StressSize.scaled(1000)
    try onThreads(8) { _ in
      for _ in 0..<rounds {
        _ = try container.resolve(Int.self)
        _ = try container.resolve(String.self)
        _ = try? container.resolve(Double.self)
      }
    }
    let counts = Dictionary(
      uniqueKeysWithValues: metrics.snapshot().map {
        ("\($0.key)", [$0.resolves, $0.failures, $0.constructions])
      })
    let all = 8 * rounds
    XCTAssertEqual(
      counts, ["Int": [all, 0, all], "String": [all, 0, 1], "Double": [0, all, 0]])
    let times = metrics.snapshot().filter { $0.constructions > 0 }.map(\.meanConstructionTime)
    XCTAssertTrue(times.allSatisfy { $0 > .zero && $0 < hangLimit })
  }

  func testMetricsCountTheRegistrationsOfAKeyTogether() throws {
    let containers = [Container(), Container()]
    let metrics = MetricsBehavior(countsResolves: false, measuresTimes: false)
    for container in containers { container.add(metrics) }
    let rounds = 3_000
    for round in 0..<rounds {
      let container = containers[round % 2]
      try container.register(Int.self) { _ in round }
      try container.register(String.self, name: Name(round % 5)) { _ in "s" }
      for _ in 0..<2 { _ = try container.resolve(Int.self) }
      _ = try container.resolve(String.self, name: Name(round % 5))
    }
    let counts = Dictionary(
      uniqueKeysWithValues: metrics.snapshot().map { ("\($0.key)", $0.constructions) })
    XCTAssertEqual(counts["Int"], 2 * rounds)
    XCTAssertEqual(counts.count, 6)
    XCTAssertEqual(counts.values.reduce(0, +), 3 * rounds)
    XCTAssertTrue(metrics.snapshot().allSatisfy { $0.constructionTime == .zero })
  }

  func testMetricsDoNotCountWhatABehaviorBuilds() throws {
    let container = Container()
    let metrics = MetricsBehavior(countsResolves: false)
    container.add(metrics)
    container.add(
      LoggingBehavior { level, _ in
        if level == .debug { _ = try? container.resolve(String.self) }
      })
    try container.register(Int.self) { _ in 1 }
    try container.register(String.self) { _ in "s" }
    _ = try container.resolve(Int.self)
    XCTAssertEqual(metrics.snapshot().map { "\($0.key) \($0.constructions)" }, ["Int 1"])
  }

  func testTheLoggingBehaviorSaysNoTimeIfAskedNot() throws {
    let (container, journal) = (Container(), Journal())
    container.add(
      LoggingBehavior(events: .construction, measuresTimes: false) {
        journal.write("\($0) \($1())")
      })
    try container.register(Int.self) { _ in 1 }
    _ = try container.resolve(Int.self)
    XCTAssertEqual(journal.entries, ["debug Int was built"])
  }

  func testTheLoggingBehaviorSaysWhatHappens() throws {
    let (container, journal) = (Container(), Journal())
    container.add(LoggingBehavior { journal.write("\($0) \($1().prefix(12))") })
    try container.register(Int.self) { _ in 1 }
    _ = try container.resolve(Int.self)
    XCTAssertThrowsError(try container.resolve(String.self))
    XCTAssertEqual(
      journal.entries, ["debug Int is regis", "debug Int was buil", "error Nothing is r"])
  }

  // MARK: - Threads

  func testBehaviorsMayBeAddedUnderResolves() throws {
    let container = Container()
    try container.register(Motor.self) { _ in Motor() }.as(.unchecked(.singleton))
    try container.register(Int.self) { _ in 1 }
    let identity = ObjectIdentifier(try container.resolve(Motor.self))
    let rounds = StressSize.scaled(500)
    let metrics = try onThreads(4) { thread -> [MetricsBehavior] in
      var added: [MetricsBehavior] = []
      for _ in 0..<rounds {
        if thread == 0, added.count < 20 {
          added.append(MetricsBehavior())
          container.add(added[added.count - 1])
        }
        XCTAssertEqual(ObjectIdentifier(try container.resolve(Motor.self)), identity)
        XCTAssertEqual(try container.resolve(Int.self), 1)
      }
      return added
    }
    let before = metrics[0].map { $0.snapshot().map(\.resolves).reduce(0, +) }
    _ = try container.resolve(Motor.self)
    let after = metrics[0].map { $0.snapshot().map(\.resolves).reduce(0, +) }
    XCTAssertEqual(after, before.map { $0 + 1 })
  }
}

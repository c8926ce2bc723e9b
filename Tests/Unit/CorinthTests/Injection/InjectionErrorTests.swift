// SPDX-License-Identifier: MIT

import Corinth
import TestSupport
import XCTest

private final class Service {
  @Injected(file: "App/Service.swift", line: 7) private var mailer: Motor
  @Injected(name: "b", file: "App/Service.swift", line: 8) private var backup: Motor

  func resolve() throws -> Motor { try $mailer() }
  func resolveBackup() throws -> Motor { try $backup() }
}

private struct Value {
  @Injected(file: "App/Value.swift", line: 3) var motor: Motor
  func resolve() throws -> Motor { try $motor() }
}

private final class Chicken {
  @Injected var egg: Egg

  init(_ container: Container) throws {
    _egg = Injected(from: .container(container))
    _ = try $egg()
  }
}

private final class Egg {
  @Injected var chicken: Chicken

  init(_ container: Container) throws {
    _chicken = Injected(from: .container(container))
    _ = try $chicken()
  }
}

final class InjectionErrorTests: ContainerTestCase {
  private func assertFails(
    _ golden: String, line: UInt = #line, _ body: () throws -> Motor
  ) {
    XCTAssertThrowsError(try body(), line: line) { error in
      XCTAssertTrue(error.is(.injectionFailed), "\(error)", line: line)
      assertGolden(golden, "\(error)", line: line)
    }
  }

  func testItNamesThePropertyAndWhatIsMissing() throws {
    try container.register(Motor.self, name: "a", file: "App/Main.swift", line: 9) { _ in Motor() }
    container.withCurrent {
      assertFails("injection-missing") { try Service().resolve() }
      assertFails("injection-missing-name") { try Service().resolveBackup() }
    }
  }

  func testItShowsThePathToADependency() throws {
    try container.register(Motor.self, file: "App/Main.swift", line: 9) {
      Motor(power: try $0.resolve(Int.self))
    }
    container.withCurrent {
      assertFails("injection-dependency") { try Service().resolve() }
    }
  }

  func testItSaysThatThereIsNoContainer() {
    assertFails("injection-no-container") { try Service().resolve() }
  }

  func testAPropertyOfAValueIsNamedByItsLocation() {
    container.withCurrent {
      assertFails("injection-value") { try Value().resolve() }
    }
  }

  func testItHasItsPartsForPrograms() throws {
    let error = container.withCurrent { () -> ResolutionError? in
      do {
        _ = try Service().resolveBackup()
        return nil
      } catch { return error as? ResolutionError }
    }
    XCTAssertEqual(error?.context.property, "Service.backup")
    XCTAssertEqual(error?.context.declaration?.line, 8)
    XCTAssertEqual(error?.key.name, "b")
    XCTAssertTrue(error?.underlyingError?.is(.noRegistrationFound) ?? false)
  }

  func testTransientsWhoseInitializersUseEachOtherAsPropertiesAreACycle() throws {
    let container = container
    try container.register(Chicken.self) { [unowned container] _ in try Chicken(container) }
    try container.register(Egg.self) { [unowned container] _ in try Egg(container) }
    let message = try onSmallStack { () -> String in
      do {
        _ = try container.resolve(Chicken.self)
        return ""
      } catch { return "\(error)" }
    }
    XCTAssertTrue(message.contains("Circular dependency"), message)
    XCTAssertTrue(message.contains("Chicken.egg, declared at"), message)
  }
}

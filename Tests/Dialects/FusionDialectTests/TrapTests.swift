// SPDX-License-Identifier: MIT

import FusionDialect
import Testing

private final class Unbound {
  @Inject("a") var number: Int
}

/// What ends the program, and what it says then.
struct TrapTests {
  @Test func aMissingServiceEndsTheProgramThatAssertsIt() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      _ = Container().resolveAssert(Int.self, id: "a")
    }
    expect(result?.standardErrorContent, contains: "Nothing is bound to Int with the id a.")
  }

  @Test func aMissingServiceEndsTheProgramThatTakesItForGranted() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let _: Int = Container().resolve(Int.self)
    }
    expect(result?.standardErrorContent, contains: "Nothing is bound to Int.")
  }

  @Test func anUnboundPropertyEndsTheProgram() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      _ = Unbound().number
    }
    expect(result?.standardErrorContent, contains: "Nothing is bound to Int with the id a.")
  }

  @Test func aServiceThatNeedsItselfEndsTheProgramWithThePath() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let container = Container()
      container.bind(.singleton, to: Int.self) { "\($0.resolveAssert(String.self))".count }
      container.bind(.singleton, to: String.self) { "\($0.resolveAssert(Int.self))" }
      _ = container.resolve(Int.self)
    }
    expect(result?.standardErrorContent, contains: "Circular dependency: Int -> String -> Int.")
    expect(result?.standardErrorContent, contains: "TrapTests.swift:")
    // The core's hints name functions that this library has not.
    let output = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(!output.contains("hint:"))
  }

  @Test func aServiceThatResolvesItselfMoreThan64TimesEndsTheProgram() async {
    await #expect(processExitsWith: .success) { resolveNested(60) }
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      resolveNested(70)
    }
    expect(result?.standardErrorContent, contains: "Circular dependency: Int")
  }

  private func expect(_ output: [UInt8]?, contains text: String) {
    let output = String(decoding: output ?? [], as: UTF8.self)
    #expect(output.contains(text), "\(output)")
  }
}

/// A transient service that resolves itself, and ends by itself after some rounds.
private func resolveNested(_ rounds: Int) {
  let container = Container()
  var left = rounds
  container.bind(to: Int.self) { container in
    left -= 1
    return left == 0 ? 1 : container.resolveAssert(Int.self)
  }
  _ = container.resolve(Int.self)
}

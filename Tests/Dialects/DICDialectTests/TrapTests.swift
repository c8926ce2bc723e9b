// SPDX-License-Identifier: MIT

import DICDialect
import Testing

/// What ends the program, and what it says then.
struct TrapTests {
  @Test func loadingAMissingDependencyEndsTheProgram() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      _ = DependencyInjectionContainer().load(Example1.self)
    }
    expect(result?.standardErrorContent, contains: missing)
  }

  @Test func theOtherContainersSayTheSame() async {
    let mini = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      _ = MiniDependencyInjectionContainer().load(Example1.self)
    }
    let immutable = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      _ = DICBuilder().build().load(Example1.self)
    }
    let async = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      _ = await AsyncDependencyInjectionContainer().loadAsync(Example1.self)
    }
    for result in [mini, immutable, async] {
      expect(result?.standardErrorContent, contains: missing)
    }
  }

  @Test func aMissingDependencyOfAnAsynchronousBuilderIsNotTakenForItsProduct() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let container = AsyncDependencyInjectionContainer()
      container.registerAsync {
        "\(try await container.loadAsyncOrThrow(Example1.self))"
      }
      _ = await container.loadAsync(String.self)
    }
    expect(result?.standardErrorContent, contains: "cannotFindDependency")
  }

  @Test func aBuilderThatThrowsEndsTheProgramThatLoads() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let container = DependencyInjectionContainer()
      container.registerThrowable { try refused(Example1.self) }
      _ = container.load(Example1.self)
    }
    expect(result?.standardErrorContent, contains: missing)
  }

  @Test func anOptionalThatIsNilEndsTheProgramThatLoadsItsType() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let container = DependencyInjectionContainer()
      container.register(Even(3))
      _ = container.load(Even.self)
    }
    expect(result?.standardErrorContent, contains: "cannot find dependency for Even")
  }

  @Test func aDependencyThatLoadsItselfMoreThan64TimesEndsTheProgram() async {
    await #expect(processExitsWith: .success) { loadNested(60) }
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      loadNested(70)
    }
    expect(result?.standardErrorContent, contains: "Circular dependency: ")
  }

  @Test func aDependencyThatNeedsItselfEndsTheProgramWithThePath() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let container = DependencyInjectionContainer()
      container.register { container.load(String.self).count }
      container.register { "\(container.load(Int.self))" }
      _ = container.load(Int.self)
    }
    expect(result?.standardErrorContent, contains: "Circular dependency: ")
    expect(result?.standardErrorContent, contains: "Int named \"plain\"")
  }

  #if DEBUG
    @Test func registeringAnAsynchronousFunctionEndsADebugBuild() async {
      let result = await #expect(
        processExitsWith: .failure, observing: [\.standardErrorContent]
      ) {
        DependencyInjectionContainer().register({ { 1 } }, as: (() async -> Int).self)
      }
      expect(result?.standardErrorContent, contains: "[ERROR] DIC: () async -> Int")
    }

    @Test func registeringATupleOrAFunctionIsSaidInADebugBuild() async {
      let result = await #expect(
        processExitsWith: .success, observing: [\.standardOutputContent]
      ) {
        DependencyInjectionContainer().register((1, "a"))
      }
      expect(result?.standardOutputContent, contains: "[WARNING] DIC: registering (Int, String)")
    }
  #endif

  private let missing = "[ERROR] DIC: cannot find dependency for Example1"

  private func expect(_ output: [UInt8]?, contains text: String) {
    let output = String(decoding: output ?? [], as: UTF8.self)
    #expect(output.contains(text), "\(output)")
  }
}

/// A builder that loads its own type, and ends by itself after some rounds.
private func loadNested(_ rounds: Int) {
  let container = DependencyInjectionContainer()
  var left = rounds
  container.register { () -> Int in
    left -= 1
    return left == 0 ? 1 : container.load()
  }
  _ = container.load(Int.self)
}

// SPDX-License-Identifier: MIT

import DICDialect
import TestSupport
import XCTest

private func later<T>(_ value: T) async -> T {
  await Task.yield()
  return value
}

final class AsyncTests: XCTestCase {
  private typealias LoadError = AsyncDependencyInjectionContainer.InjectionLoadError
  @PerTest private var container = AsyncDependencyInjectionContainer()

  private func error<T>(of type: T.Type) async -> Error? {
    do {
      _ = try await container.loadAsyncOrThrow(type)
      return nil
    } catch { return error }
  }

  func testABuilderRunsAtEachLoad() async throws {
    let count = AtomicCounter()
    container.registerAsync { await later(count.add()) }
    XCTAssertEqual(count.value, 0)
    let first: Int = await container.loadAsync()
    let second = await container.loadAsyncOrNil(Int.self)
    let third = try await container.loadAsyncOrThrow(Int.self)
    XCTAssertEqual([first, second, third], [1, 2, 3])
  }

  func testADependencyIsRegisteredAsAProtocol() async {
    container.registerAsync(
      { DefaultUserRepository(otherDependency: await later(OtherDependency())) },
      as: UserRepository.self)
    let repository = await container.loadAsync(UserRepository.self)
    XCTAssertTrue(repository is DefaultUserRepository)
  }

  func testAMissingDependencyIsNilOrAnError() async {
    let found = await container.loadAsyncOrNil(Int.self)
    XCTAssertNil(found)
    let error = await error(of: Int.self)
    XCTAssertEqual(error as? LoadError, .cannotFindDependency)
  }

  func testABuilderThatDoesNotThrowComesFirstWhateverTheOrder() async {
    container.registerAsync { await later(1) }
    container.registerAsync { () async throws -> Int in throw Refusal() }
    let number = await container.loadAsync(Int.self)
    XCTAssertEqual(number, 1)
  }

  func testTheErrorOfABuilderComesOutAsItIs() async {
    container.registerAsync { () async throws -> Int in
      await Task.yield()
      throw Refusal()
    }
    let error = await error(of: Int.self)
    XCTAssertEqual(error as? Refusal, Refusal())
    let found = await container.loadAsyncOrNil(Int.self)
    XCTAssertNil(found)
  }

  func testAThrowingBuilderThatSucceedsIsLoaded() async {
    container.registerAsync { () async throws -> Int in try await later(XCTUnwrap(5)) }
    let number = await container.loadAsync(Int.self)
    XCTAssertEqual(number, 5)
  }

  func testAFailableInitializerServesTheOptionalAndTheTypeItself() async {
    container.registerAsync { Even(await later(4)) }
    let optional = await container.loadAsync(Even?.self)
    let itself = await container.loadAsync(Even.self)
    XCTAssertEqual([optional, itself], [Even(4), Even(4)])
  }

  func testAnOptionalThatIsNilIsFound() async throws {
    container.registerAsync { Even(await later(3)) }
    let optional = await container.loadAsync(Even?.self)
    XCTAssertNil(optional)
    let thrown = try await container.loadAsyncOrThrow(Even?.self)
    XCTAssertNil(thrown)
    let itself = await container.loadAsyncOrNil(Even.self)
    XCTAssertNil(itself)
    let error = await error(of: Even.self)
    XCTAssertEqual(error as? LoadError, .cannotFindDependency)
  }

  func testATypeDoesNotServeItsOptional() async {
    container.registerAsync { await later(1) }
    let error = await error(of: Int?.self)
    XCTAssertEqual(error as? LoadError, .cannotFindDependency)
  }

  func testTheBuildersAreListedAndUnregistered() async throws {
    container.registerAsync { await later(1) }
    container.registerAsync { () async throws -> String in throw Refusal() }
    let plain = container.dependencies()
    let throwing = container.throwableDependencies()
    XCTAssertEqual(Set(plain.keys), [ObjectIdentifier(Int.self)])
    XCTAssertEqual(Set(throwing.keys), [ObjectIdentifier(String.self)])
    container.unregisterDependencies()
    XCTAssertTrue(container.dependencies().isEmpty)
    XCTAssertTrue(container.throwableDependencies().isEmpty)
    let number = await plain[ObjectIdentifier(Int.self)]?()
    XCTAssertEqual(number as? Int, 1)
    do {
      _ = try await throwing[ObjectIdentifier(String.self)]?()
      XCTFail("It must throw.")
    } catch {
      XCTAssertEqual(error as? Refusal, Refusal())
    }
  }

  func testABuilderLoadsOtherDependencies() async {
    let container = container
    container.registerAsync { await later(4) }
    container.registerAsync { [unowned container] in
      "\(await container.loadAsync(Int.self))"
    }
    let text = await container.loadAsync(String.self)
    XCTAssertEqual(text, "4")
  }
}

// SPDX-License-Identifier: MIT

import DICDialect
import XCTest

private struct MyView {
  let userRepository: UserRepository
}

private protocol HTTPClient: AnyObject {
  var interceptors: [Interceptor] { get }
}

private protocol Interceptor {}
private struct MockRequestHTTPInterceptor: Interceptor {}
private struct RequestLoggerHTTPInterceptor: Interceptor {}

private final class HTTPClientImpl: HTTPClient {
  let interceptors: [Interceptor]

  init(interceptors: [Interceptor]) {
    self.interceptors = interceptors
  }
}

private struct Dependency {
  let otherDependency: OtherDependency
}

private struct OtherView {
  let dependency: Dependency
}

// A builder may refer to the container that it is for, which is a global variable.
private let container2 = DICBuilder()
  .register(OtherDependency())
  .register { Dependency(otherDependency: container2.load()) }
  .build()

/// The samples of DIC's document, in its order.
final class DocumentTests: XCTestCase {
  func testADependencyIsRegisteredAndLoaded() {
    let diContainer = DependencyInjectionContainer()
    diContainer.register {
      Example1(value: 1)
    }
    let example1: Example1 = diContainer.load()
    XCTAssertEqual(example1.value, 1)
    let example11 = diContainer.load(Example1.self)
    XCTAssertEqual(example11.value, 1)
  }

  func testAnExpressionIsRegistered() {
    let diContainer = DependencyInjectionContainer()
    diContainer.register(Example1(value: 2))
    XCTAssertEqual(diContainer.load(Example1.self).value, 2)
  }

  func testABuilderMakesAContainer() {
    let diContainer = DICBuilder()
      .register {
        Example1(value: 1)
      }
      .build()
    let example1: Example1 = diContainer.load()
    XCTAssertEqual(example1.value, 1)
    let example11 = diContainer.load(Example1.self)
    XCTAssertEqual(example11.value, 1)
  }

  func testABuilderTakesAnExpression() {
    let diContainer = DICBuilder()
      .register(Example1(value: 2))
      .build()
    XCTAssertEqual(diContainer.load(Example1.self).value, 2)
  }

  func testRegistrationsAreChained() {
    let diContainer = DICBuilder()
      .register { Example1(value: 1) }
      .register { Example2(name: "test") }
      .registerSingleton { DatabaseService() }
      .build()
    XCTAssertEqual(diContainer.load(Example1.self).value, 1)
    XCTAssertEqual(diContainer.load(Example2.self).name, "test")
    XCTAssertTrue(diContainer.load(DatabaseService.self) === diContainer.load(DatabaseService.self))
  }

  func testADependencyIsRegisteredAsAProtocol() {
    let diContainer = DependencyInjectionContainer()
    diContainer.register(OtherDependency())
    diContainer.register(
      DefaultUserRepository(otherDependency: diContainer.load()),
      as: UserRepository.self
    )
    let view = MyView(userRepository: diContainer.load())
    XCTAssertTrue(view.userRepository is DefaultUserRepository)
  }

  func testASingletonIsAlwaysTheSameObject() {
    let diContainer = DependencyInjectionContainer()
    diContainer.register(MockRequestHTTPInterceptor())
    diContainer.registerSingleton(
      HTTPClientImpl(
        interceptors: [
          diContainer.load(MockRequestHTTPInterceptor.self), RequestLoggerHTTPInterceptor(),
        ]
      ),
      as: HTTPClient.self
    )
    let httpClient = diContainer.load(HTTPClient.self)
    XCTAssertEqual(httpClient.interceptors.count, 2)
    XCTAssertTrue(httpClient === diContainer.load(HTTPClient.self))
  }

  func testANestedDependencyIsReplacedByALoad() {
    XCTAssertNotNil(OtherView(dependency: container2.load()).dependency.otherDependency)
  }
}

// SPDX-License-Identifier: MIT

// A stand-in: what the manual's glue uses of the package hummingbird.

public import Logging
public import ServiceLifecycle

public struct Request: Sendable {}
public struct Response: Sendable {}

public struct HTTPError: Error {
  public enum Status: Sendable { case serviceUnavailable }

  public init(_ status: Status) {}
}

public protocol RequestContext: Sendable {
  var id: String { get }
  var logger: Logger { get }
}

public struct BasicRequestContext: RequestContext {
  public var id: String { "" }
  public var logger: Logger { Logger(label: "") }
}

public protocol MiddlewareProtocol<Input, Output, Context>: Sendable {
  associatedtype Input
  associatedtype Output
  associatedtype Context

  func handle(
    _ input: Input, context: Context, next: (Input, Context) async throws -> Output
  ) async throws -> Output
}

public protocol RouterMiddleware<Context>: MiddlewareProtocol
where Input == Request, Output == Response {}

public final class Router<Context: RequestContext> {
  public init(context: Context.Type = BasicRequestContext.self) {}

  @discardableResult
  public func add(middleware: any MiddlewareProtocol<Request, Response, Context>) -> Self { self }
}

public struct Application<Context: RequestContext>: Service {
  public init(router: Router<Context>, services: [any Service] = []) {}

  public func run() async throws {}
  public func runService(gracefulShutdownSignals: [UnixSignal] = [.sigterm, .sigint]) async throws {
  }
}

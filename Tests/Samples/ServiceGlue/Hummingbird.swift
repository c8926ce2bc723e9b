// SPDX-License-Identifier: MIT

// A stand-in: what the manual's glue uses of the package hummingbird. Requests, responses and
// contexts are not `Sendable`, and nothing is re-exported.

public import HTTPTypes
public import Logging
public import ServiceLifecycle
public import UnixSignals

public struct Request {
  private let body: AnyObject? = nil

  public init() {}
}

@available(*, unavailable)
extension Request: Sendable {}

public struct Response {
  private let body: AnyObject? = nil

  public init() {}
}

@available(*, unavailable)
extension Response: Sendable {}

public protocol HTTPResponseError: Error {
  var status: HTTPResponse.Status { get }
}

public struct HTTPError: HTTPResponseError {
  public let status: HTTPResponse.Status

  public init(_ status: HTTPResponse.Status) {
    self.status = status
  }
}

public protocol RequestContext {
  var logger: Logger { get }
}

extension RequestContext {
  public var id: String { "" }
}

public struct BasicRequestContext: RequestContext {
  public let logger = Logger(label: "")

  public init() {}
}

@available(*, unavailable)
extension BasicRequestContext: Sendable {}

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

  public mutating func beforeServerStarts(
    perform process: @escaping @Sendable () async throws -> Void
  ) {}

  public func run() async throws {}
  public func runService(gracefulShutdownSignals: [UnixSignal] = [.sigterm, .sigint]) async throws {
  }
}

// SPDX-License-Identifier: MIT

// A stand-in: what the manual's glue uses of the package vapor.

public import Logging

public final class Request: Sendable {
  public let id = ""
  public let logger = Logger(label: "")
}

public final class Response: Sendable {}

public struct Abort: Error {
  public enum Status: Sendable { case serviceUnavailable }

  public init(_ status: Status) {}
}

public protocol Middleware: Sendable {}

public protocol AsyncResponder: Sendable {
  func respond(to request: Request) async throws -> Response
}

public protocol AsyncMiddleware: Middleware {
  func respond(to request: Request, chainingTo next: any AsyncResponder) async throws -> Response
}

public final class Application: Sendable {
  public struct Middlewares: Sendable {
    public func use(_ middleware: any Middleware) {}
  }

  public struct Lifecycle: Sendable {
    public func use(_ handler: any LifecycleHandler) {}
  }

  public let logger = Logger(label: "")
  public let middleware = Middlewares()
  public let lifecycle = Lifecycle()
}

public protocol LifecycleHandler: Sendable {
  func shutdownAsync(_ application: Application) async
}

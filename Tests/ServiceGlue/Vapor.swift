// SPDX-License-Identifier: MIT

// A stand-in: what the manual's glue uses of the package vapor.

@_exported public import struct Logging.Logger

public final class Request: Sendable {
  public let id = ""
  public let logger = Logger(label: "")

  public var storage: Storage {
    get { Storage() }
    set {}
  }
}

public final class Response: Sendable {}

public struct Storage: Sendable {
  public subscript<Key: StorageKey>(_ key: Key.Type) -> Key.Value? {
    get { nil }
    set {}
  }
}

public protocol StorageKey {
  associatedtype Value: Sendable
}

public struct Abort: Error {
  public enum Status: Sendable { case internalServerError, serviceUnavailable }

  public init(_ status: Status, reason: String? = nil) {}
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
    public mutating func use(_ middleware: any Middleware) {}
  }

  public struct Lifecycle: Sendable {
    public mutating func use(_ handler: any LifecycleHandler) {}
  }

  public let logger = Logger(label: "")

  public var middleware: Middlewares {
    get { Middlewares() }
    set {}
  }

  public var lifecycle: Lifecycle {
    get { Lifecycle() }
    set {}
  }
}

public protocol LifecycleHandler: Sendable {
  func shutdownAsync(_ application: Application) async
}

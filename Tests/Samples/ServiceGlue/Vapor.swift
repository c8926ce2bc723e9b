// SPDX-License-Identifier: MIT

// A stand-in: what the manual's glue uses of the package vapor.

import Synchronization

@_exported public import struct Logging.Logger

public final class Request: Sendable {
  public let id = ""
  public let logger = Logger(label: "")
  private let kept = Mutex(Storage())

  public var storage: Storage {
    get { kept.withLock { $0 } }
    set { kept.withLock { $0 = newValue } }
  }

  public init() {}
}

public final class Response: Sendable {
  public init() {}
}

public struct Storage: Sendable {
  private var values: [ObjectIdentifier: any Sendable] = [:]

  public subscript<Key: StorageKey>(_ key: Key.Type) -> Key.Value? {
    get { values[ObjectIdentifier(key)] as? Key.Value }
    set { values[ObjectIdentifier(key)] = newValue }
  }
}

public protocol StorageKey {
  associatedtype Value: Sendable
}

public enum HTTPResponseStatus: Sendable {
  case unauthorized, internalServerError, serviceUnavailable
}

public protocol AbortError: Error {
  var status: HTTPResponseStatus { get }
}

public struct Abort: AbortError {
  public let status: HTTPResponseStatus

  public init(_ status: HTTPResponseStatus, reason: String? = nil) {
    self.status = status
  }
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

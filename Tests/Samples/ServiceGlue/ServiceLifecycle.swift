// SPDX-License-Identifier: MIT

// A stand-in: what the manual's glue uses of the package swift-service-lifecycle.

public import Logging
public import UnixSignals

public protocol Service: Sendable {
  func run() async throws
}

public actor ServiceGroup: Service {
  public init(
    services: [any Service], gracefulShutdownSignals: [UnixSignal] = [],
    cancellationSignals: [UnixSignal] = [], logger: Logger
  ) {}

  public func run() async throws {}
}

public func gracefulShutdown() async throws {}

// SPDX-License-Identifier: MIT

// A stand-in: what the manual's glue uses of the module UnixSignals, of the package
// swift-service-lifecycle.

public struct UnixSignal: Sendable {
  public static let sigterm = UnixSignal()
  public static let sigint = UnixSignal()
}

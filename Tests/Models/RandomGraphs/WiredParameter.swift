// SPDX-License-Identifier: MIT

import Corinth

/// A parameter of a wired initializer.
protocol WiredParameter: SendableMetatype {
  func product() throws -> Product
  nonisolated(nonsending) func productAsync() async throws -> Product
}

/// An optional parameter was `nil`, although its service is registered.
struct MissingParameter: Error {}

typealias GraphProduct = Product

extension Named: WiredParameter where Product == GraphProduct {
  func product() -> GraphProduct { value }
  nonisolated(nonsending) func productAsync() async -> GraphProduct { value }
}

extension Optional: WiredParameter where Wrapped: WiredParameter {
  func product() throws -> GraphProduct {
    guard let self else { throw MissingParameter() }
    return try self.product()
  }

  nonisolated(nonsending) func productAsync() async throws -> GraphProduct { try product() }
}

extension Lazy: WiredParameter where Product: WiredParameter {
  func product() throws -> GraphProduct { try value.product() }

  nonisolated(nonsending) func productAsync() async throws -> GraphProduct {
    try await valueAsync.productAsync()
  }
}

extension Provider: WiredParameter where Product: WiredParameter {
  func product() throws -> GraphProduct { try self().product() }
  nonisolated(nonsending) func productAsync() async throws -> GraphProduct { try product() }
}

/// The types that stand for the names of services.
enum ServiceMarker {
  /// The type that stands for a service: the binary digits of its number, so that there is one for
  /// each.
  static func marker(of index: Int) -> any BinaryMarker.Type {
    func twice<Half: BinaryMarker>(_: Half.Type) -> any BinaryMarker.Type {
      index.isMultiple(of: 2) ? Even<Half>.self : Odd<Half>.self
    }
    return index == 0 ? Zero.self : twice(marker(of: index / 2))
  }

  /// The type of the parameter for a dependency.
  static func parameter(of need: Need) -> any WiredParameter.Type {
    func parameter<Marker: BinaryMarker>(_: Marker.Type) -> any WiredParameter.Type {
      switch need.route {
      case .lazy: Lazy<Named<Product, Marker>>.self
      case .provider: Provider<Named<Product, Marker>>.self
      case .maybe: Named<Product, Marker>?.self
      default: Named<Product, Marker>.self
      }
    }
    return parameter(marker(of: need.target))
  }
}

protocol BinaryMarker: NameMarker, SendableMetatype {
  static var number: Int { get }
}

extension BinaryMarker {
  static var name: Name { Name("s\(number)") }
}

private enum Zero: BinaryMarker {
  static var number: Int { 0 }
}

private enum Even<Half: BinaryMarker>: BinaryMarker {
  static var number: Int { 2 * Half.number }
}

private enum Odd<Half: BinaryMarker>: BinaryMarker {
  static var number: Int { 2 * Half.number + 1 }
}

// SPDX-License-Identifier: MIT

/// A registration whose factory is asynchronous.
// SAFETY: see the superclass.
final class AsyncFactoryRecord<Product>: RegistrationRecord, @unchecked Sendable {
  /// Takes the arguments as one value.
  typealias FactoryWithArguments =
    @Sendable (Resolver, AnyArguments) async throws -> sending Product

  // SAFETY: functions get parameters at +0, so that a resolver passes as an `UncountedResolver`'s
  // two words. Not an enumeration's case: a copy would count captures on a line all threads write.
  // Read as a factory of ``ProductWords`` too: the property lies at one offset for all products.
  let factory: @Sendable (UncountedResolver) async throws -> sending Product
  private let factoryWithArguments: FactoryWithArguments?

  private init(
    _ attributes: RegistrationAttributes,
    _ factory: @escaping @Sendable (UncountedResolver) async throws -> sending Product,
    _ factoryWithArguments: FactoryWithArguments?
  ) {
    self.factory = factory
    self.factoryWithArguments = factoryWithArguments
    super.init(attributes, factoryKind: .asynchronous)
  }

  convenience init(
    _ attributes: RegistrationAttributes,
    factory: @escaping @Sendable (Resolver) async throws -> sending Product
  ) {
    // SAFETY: as above.
    let uncounted = unsafe unsafeBitCast(Counted(factory: factory), to: Uncounted.self)
    self.init(attributes, uncounted.factory, nil)
  }

  /// - Parameter factory: takes all arguments as one value.
  convenience init<Arguments>(
    _ attributes: RegistrationAttributes,
    taking factory: @escaping @Sendable (Resolver, Arguments) async throws -> sending Product
  ) {
    self.init(
      attributes,
      { _ in preconditionFailure("AsyncFactoryRecord.factory: the key must have no arguments") },
      { try await factory($0, $1.arguments(of: Arguments.self)) })
  }

  // Structures, as a bare closure would be converted to a closure with indirect parameters.

  private struct Counted {
    let factory: @Sendable (Resolver) async throws -> sending Product
  }

  private struct Uncounted {
    let factory: @Sendable (UncountedResolver) async throws -> sending Product
  }

  override func makeCopy(_ attributes: RegistrationAttributes) -> RegistrationRecord {
    AsyncFactoryRecord(attributes, factory, factoryWithArguments)
  }

  nonisolated(nonsending)
    override func buildAsync(
      _ resolver: Resolver, _ arguments: AnyArguments?
    ) async throws -> AnyInstanceBox
  {
    if let factoryWithArguments {
      guard let arguments else {
        preconditionFailure("AsyncFactoryRecord.buildAsync: the key must have arguments")
      }
      return InstanceBox(try await factoryWithArguments(resolver, arguments))
    }
    defer { withExtendedLifetime(resolver) {} }
    return InstanceBox(try await factory(UncountedResolver(resolver)))
  }
}

/// The memory of a product of a size known only at run time: a factory leaves its product in the
/// first words. An existential of one protocol is five words.
struct ProductWords {
  private var words: (UInt, UInt, UInt, UInt, UInt) = (0, 0, 0, 0, 0)

  @inline(__always)
  static func canHold<Product>(_: Product.Type) -> Bool {
    MemoryLayout<Product>.size <= MemoryLayout<Self>.size
      && MemoryLayout<Product>.alignment <= MemoryLayout<Self>.alignment
  }

  /// The product, which the words then hold no more.
  @inline(__always)
  mutating func take<Product>(_: Product.Type) -> Product { unsafe Self.move(from: &self) }

  // SAFETY: the caller is the factory's, whose product is of the type and fits. No closure, which
  // would be called without its types.
  @inline(__always)
  private static func move<Product>(from words: UnsafeMutableRawPointer) -> Product {
    unsafe words.assumingMemoryBound(to: Product.self).move()
  }
}

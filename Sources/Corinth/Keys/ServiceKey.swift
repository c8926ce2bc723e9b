// SPDX-License-Identifier: MIT

/// A part of a program, declared once: the type, the lifetime, and a default factory.
///
/// ```swift
/// enum App {
///   static let pool: ServiceKey<Pool> = ServiceKey(
///     scope: .singleton, with: .onDispose { try $0.close() }
///   ) { _ in try Pool() }
///   static let mailer: ServiceKey<any Mailer> = ServiceKey(scope: .singleton) { resolver in
///     SMTPMailer(pool: try resolver.resolve(App.pool))
///   }
/// }
/// let mailer = try container.resolve(App.mailer)
/// ```
///
/// A key cannot be missing: at the first use in a container, the default registers itself, in the
/// outermost parent. A registration under the key takes the place of the default, before the first
/// use or after:
///
/// ```swift
/// try fork.register(App.mailer) { _ in FakeMailer() }
/// ```
///
/// In children, scopes and forks, and for decorators, behaviors, listings and errors, a key is like
/// a registered type with a name. Messages name the place of the declaration.
///
/// Two keys of a product are one key if they are declared at one place, that is, in one file, line
/// and column, and with one name. So a key may also be made anew at every use, by a function or a
/// computed property, as a generic type needs: static stored properties are not supported there.
///
/// ```swift
/// enum Storage<Row: Sendable> {
///   static var repository: ServiceKey<Repository<Row>> {
///     ServiceKey(scope: .singleton) { _ in Repository() }
///   }
/// }
/// ```
///
/// Keys that a helper function or a loop declares need names: their place is the helper's.
///
/// Write the type of every key, as in the samples. The compiler refuses keys that need each other
/// without written types. Name another key only within the factory: two static properties whose
/// initializers read each other wait for each other for ever.
///
/// ## Concurrency
/// Immutable; safe to share. The default of a key is registered exactly once in a container,
/// whatever the number of threads that use the key first.
public struct ServiceKey<Product>: ServiceKeyProtocol {
  @usableFromInline let declaration: KeyDeclaration

  public var key: RegistrationKey { declaration.key }

  /// Declares a part.
  ///
  /// - Parameters:
  ///   - name: tells keys apart that one line makes, and is shown in messages.
  ///   - scope: the scope of the instances, transient when left out. A registration under the key
  ///     has the scope too, unless it names another one.
  ///   - options: actions and the like for the instances of the default, see
  ///     ``RegistrationOptions``. A registration under the key has options of its own.
  ///   - file: the file of the declaration.
  ///   - line: the line of the declaration.
  ///   - column: the column of the declaration.
  ///   - factory: builds an instance where nothing is registered under the key. May resolve, and
  ///     may throw.
  public init(
    name: String? = nil, scope: Scope<Product> = .transient,
    with options: RegistrationOptions<Product>? = nil,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column,
    factory: @escaping @Sendable (Resolver) throws -> Product
  ) {
    declaration = KeyDeclaration(
      of: Product.self,
      at: KeyPlace(name: name, location: SourceLocation(file: file, line: line), column: column),
      scope: scope.erased, changes: options?.changes ?? []
    ) { FactoryRecord($0, factory: factory) }
  }
}

extension ServiceKey: CustomStringConvertible {
  /// For example `any Mailer declared at App/Keys.swift:12`.
  public var description: String { key.description }
}

/// A key of a part of a program.
///
/// ## Concurrency
/// The key of the registrations is constant.
public protocol ServiceKeyProtocol<Product>: Sendable {
  /// The type of the part.
  associatedtype Product

  /// The key of the registrations, as in errors and listings.
  var key: RegistrationKey { get }
}

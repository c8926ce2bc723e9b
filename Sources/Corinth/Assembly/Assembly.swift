// SPDX-License-Identifier: MIT

/// A module: registrations that belong together. An ``Assembler`` applies the module to a
/// container.
///
/// ```swift
/// struct StorageAssembly: Assembly {
///   var dependencies: [any Assembly] { [ClockAssembly(), LogAssembly()] }
///   func assemble(container: Container) throws {
///     try container.register((any Storage).self, scope: .singleton) { r in
///       Disk(clock: try r.resolve(), log: try r.resolve())
///     }
///   }
/// }
/// ```
///
/// Only ``assemble(container:)`` must be written. To write further members, conform in an
/// extension, `extension StorageAssembly: Assembly { ... }`: in an extension, the compiler warns of
/// a misspelled name. The methods may throw, or not: ``Assembler/apply(assembly:)-(A)`` is called
/// without `try` if no method of the assembly throws and the assembly has no
/// ``dependencies-swift.property``.
///
/// ## Concurrency
/// The methods run on the applying thread, with no lock held. The methods may use the container,
/// and the assembler.
public protocol Assembly {
  /// The error that ``preloaded(container:)`` throws; inferred by the compiler.
  associatedtype PreloadFailure: Error = Never
  /// The error that ``assemble(container:)`` throws; inferred by the compiler.
  associatedtype AssembleFailure: Error = Never
  /// The error that ``loaded(resolver:)`` throws; inferred by the compiler.
  associatedtype LoadFailure: Error = Never
  /// The collection of required assemblies; inferred by the compiler.
  associatedtype Dependencies: Collection<any Assembly> = EmptyCollection<any Assembly>

  /// The required assemblies. An assembler applies the dependencies before the assembly itself,
  /// once per assembler. None by default.
  var dependencies: Dependencies { get }

  /// Tells assemblies of this type apart: two assemblies of a type are the same module unless their
  /// identifiers differ. `nil` by default.
  var id: String? { get }

  /// The types of the assemblies whose place this assembly takes. None by default.
  ///
  /// A test lists a mock beside the modules under test, before or after them. A module that depends
  /// on a replaced assembly gets the mock instead:
  ///
  /// ```swift
  /// extension MockAnalyticsAssembly: Assembly {
  ///   var replaces: [any Assembly.Type] { [AnalyticsAssembly.self] }
  ///   func assemble(container: Container) throws { ... }
  /// }
  /// try assembler.apply(assemblies: [SessionAssembly(), MockAnalyticsAssembly()])
  /// ```
  ///
  /// Assemblies of the listed types are not applied, with any ``id-swift.property``, nor are
  /// dependencies needed only by replaced assemblies: neither in this call, nor in a later call of
  /// the assembler. A listed assembly applied before stays, and keys registered by both are
  /// overridden.
  var replaces: [any Assembly.Type] { get }

  /// Runs before any assembly that is applied in the same call registers. Does nothing by default.
  func preloaded(container: Container) throws(PreloadFailure)

  /// Registers the services of the module.
  func assemble(container: Container) throws(AssembleFailure)

  /// Runs when all assemblies that are applied in the same call have registered. Does nothing by
  /// default.
  func loaded(resolver: Resolver) throws(LoadFailure)
}

extension Assembly {
  public var id: String? { nil }
  public var replaces: [any Assembly.Type] { [] }
}

extension Assembly where Dependencies == EmptyCollection<any Assembly> {
  public var dependencies: Dependencies { Dependencies() }
}

extension Assembly where AssembleFailure == Never {
  /// Reports a misspelled method name.
  @_documentation(visibility: internal)
  @available(*, unavailable, message: "an assembly registers in assemble(container:)")
  public func assemble(container: Container) {}
}

extension Assembly where PreloadFailure == Never {
  public func preloaded(container: Container) {}
}

extension Assembly where LoadFailure == Never {
  public func loaded(resolver: Resolver) {}
}

// SPDX-License-Identifier: MIT

/// A module: registrations that belong together. An ``Assembler`` applies it to a container.
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
/// Only ``assemble(container:)`` must be written. If you write others, conform in an extension, `extension StorageAssembly:
/// Assembly { ... }`: there the compiler warns of a name that is misspelt. Its method may throw, or not: ``Assembler/apply(assembly:)-(A)`` is called
/// without `try` if no method of the assembly throws and it has no ``dependencies-swift.property``.
///
/// ## Concurrency
/// Its methods run on the thread that applies it, with no lock held. They may use the container, and the assembler.
public protocol Assembly {
  /// The error that ``preloaded(container:)`` throws; found by the compiler.
  associatedtype PreloadFailure: Error = Never
  /// The error that ``assemble(container:)`` throws; found by the compiler.
  associatedtype AssembleFailure: Error = Never
  /// The error that ``loaded(resolver:)`` throws; found by the compiler.
  associatedtype LoadFailure: Error = Never
  /// The collection of assemblies that this one needs; found by the compiler.
  associatedtype Dependencies: Collection<any Assembly> = EmptyCollection<any Assembly>

  /// The assemblies that this one needs. They are applied before it, once for each assembler. None by default.
  var dependencies: Dependencies { get }

  /// Tells assemblies of this type apart: two of one type are the same module unless these differ. `nil` by default.
  var id: String? { get }

  /// The types of the assemblies whose place this one takes. None by default.
  ///
  /// A test lists its mock beside the modules that it tests, before or after them. The module that needs the other one gets the
  /// mock in its place:
  ///
  /// ```swift
  /// extension MockAnalyticsAssembly: Assembly {
  ///   var replaces: [any Assembly.Type] { [AnalyticsAssembly.self] }
  ///   func assemble(container: Container) throws { ... }
  /// }
  /// try assembler.apply(assemblies: [SessionAssembly(), MockAnalyticsAssembly()])
  /// ```
  ///
  /// Those are not applied, with any ``id-swift.property``, nor is what only they need: not in this call, and in no later one of the
  /// assembler. One that has been applied before stays, and what both register is overridden.
  var replaces: [any Assembly.Type] { get }

  /// Runs before any assembly that is applied together with this one registers. Does nothing by default.
  func preloaded(container: Container) throws(PreloadFailure)

  /// Registers the services of the module.
  func assemble(container: Container) throws(AssembleFailure)

  /// Runs when all assemblies that are applied together with this one have registered. Does nothing by default.
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
  /// Reports a misspelt name of the method.
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

// SPDX-License-Identifier: MIT

/// A group of registrations.
///
/// ## Concurrency
/// The functions are called on the thread that applies the assembly, with no lock held.
public protocol Assembly {
  /// Registers services.
  func assemble(container: Container)
  /// Called when all assemblies of one call are assembled. Does nothing by default.
  func loaded(resolver: any Resolver)
}

extension Assembly {
  public func loaded(resolver: any Resolver) {}
}

/// Applies assemblies to a container.
///
/// ```swift
/// let assembler = Assembler([ServiceAssembly(), ManagerAssembly()])
/// let manager = assembler.resolver.resolve(Manager.self)!
/// ```
///
/// ## Concurrency
/// An assembler belongs to a single thread or task at a time; the container is safe to use from any
/// thread.
public final class Assembler {
  private let container: Container

  /// The container.
  public var resolver: any Resolver { container }

  /// - Parameter container: the container in which services are registered.
  public init(container: Container? = Container()) {
    guard let container else { preconditionFailure("Assembler.init: 'container' must not be nil") }
    self.container = container
  }

  /// - Parameters:
  ///   - parentAssembler: the assembler whose container becomes the parent of the new container.
  ///   - defaultObjectScope: the scope of services without a scope.
  ///   - behaviors: the behaviors to tell of every registration.
  public init(
    parentAssembler: Assembler?, defaultObjectScope: ObjectScope = .graph,
    behaviors: [any Behavior] = []
  ) {
    container = Container(
      parent: parentAssembler?.container, defaultObjectScope: defaultObjectScope,
      behaviors: behaviors)
  }

  /// - Parameters:
  ///   - assemblies: the assemblies to apply.
  ///   - container: the container in which services are registered.
  public init(_ assemblies: [any Assembly], container: Container = Container()) {
    self.container = container
    apply(assemblies: assemblies)
  }

  /// - Parameters:
  ///   - assemblies: the assemblies to apply.
  ///   - parent: the assembler whose container becomes the parent of the new container.
  ///   - defaultObjectScope: the scope of services without a scope.
  ///   - behaviors: the behaviors to tell of every registration.
  public convenience init(
    _ assemblies: [any Assembly], parent: Assembler?, defaultObjectScope: ObjectScope = .graph,
    behaviors: [any Behavior] = []
  ) {
    self.init(
      parentAssembler: parent, defaultObjectScope: defaultObjectScope, behaviors: behaviors)
    apply(assemblies: assemblies)
  }

  /// The former name of ``init(_:container:)``.
  ///
  /// - Throws: nothing; marked as throwing for the sake of old callers.
  @available(*, deprecated, message: "Use not throwing alternative: init(_:, container:)")
  public convenience init(
    assemblies: [any Assembly], container: Container? = Container()
  ) throws {
    self.init(container: container)
    apply(assemblies: assemblies)
  }

  /// The former name of ``init(_:parent:defaultObjectScope:behaviors:)``.
  ///
  /// - Throws: nothing; marked as throwing for the sake of old callers.
  @available(*, deprecated, message: "Use not throwing alternative: init(_:, parent:)")
  public convenience init(assemblies: [any Assembly], parentAssembler: Assembler?) throws {
    self.init(assemblies, parent: parentAssembler)
  }

  /// Applies an assembly, and then calls its `loaded(resolver:)`.
  public func apply(assembly: any Assembly) { apply(assemblies: [assembly]) }

  /// Applies assemblies in order, and then calls `loaded(resolver:)` of every assembly.
  public func apply(assemblies: [any Assembly]) {
    for assembly in assemblies { assembly.assemble(container: container) }
    for assembly in assemblies { assembly.loaded(resolver: container) }
  }
}

/// The former name of ``Resolver``.
@available(*, unavailable, renamed: "Resolver") public protocol ResolverType {}

/// The former name of ``Assembly``.
@available(*, unavailable, renamed: "Assembly") public protocol AssemblyType {}

/// The former name of ``ServiceKeyOption``.
@available(*, unavailable, renamed: "ServiceKeyOption") public protocol ServiceKeyOptionType {}

// SPDX-License-Identifier: MIT

/// Applies assemblies to a container, every assembly once.
///
/// ```swift
/// let assembler = Assembler(container: container)
/// try assembler.apply(assemblies: [StorageAssembly(), WebAssembly()])
/// ```
///
/// An assembly needed by several assemblies is applied once, before the first of them. Assemblies
/// of a type are a single module, unless ``Assembly/id-swift.property`` differs; a further assembly
/// of the module does nothing. Assemblies in a dependency cycle are applied once, the first after
/// the rest.
///
/// ## Concurrency
/// Safe to use from any thread, and from the methods of an assembly. No lock is held while the
/// methods of an assembly run. When two threads apply the same module, only one thread runs the
/// steps; the second thread does not wait.
public final class Assembler: Sendable {
  /// The container in which the assemblies register.
  public let container: Container

  private let progress: WriterGuarded<Progress>

  private struct Progress {
    var modules: [AssemblyKey: AssemblyProgress] = [:]
    /// The types of the assemblies whose place a replacement has taken.
    var replaced: Set<ObjectIdentifier> = []
  }

  /// An assembler that has applied nothing to the container yet.
  public init(container: Container) {
    self.container = container
    progress = WriterGuarded(Progress(), of: container.registry)
  }

  /// Applies an assembly that throws nothing and has no dependencies, unless already applied.
  ///
  /// ```swift
  /// assembler.apply(assembly: ClockAssembly())
  /// ```
  ///
  /// Works like ``apply(assemblies:)`` with a single assembly.
  public func apply<A: Assembly>(assembly: A)
  where
    A.PreloadFailure == Never, A.AssembleFailure == Never, A.LoadFailure == Never,
    A.Dependencies == EmptyCollection<any Assembly>
  {
    let key = AssemblyKey(assembly)
    if progress.withLock({ $0.replaced.contains(ObjectIdentifier(A.self)) }) { return }
    guard let todo = claim(key) else { return }
    // Steps in which an earlier assembly of this type failed are left to the present assembly.
    if todo.contains(.preloading) { assembly.preloaded(container: container) }
    if todo.contains(.assembling) {
      assembly.noted(in: container) { assembly.assemble(container: container) }
    }
    if todo.contains(.loading) { assembly.loaded(resolver: resolver) }
    giveBack(key, todo: [], of: assembly)
  }

  /// Applies an assembly with its dependencies, unless already applied.
  ///
  /// ```swift
  /// try assembler.apply(assembly: StorageAssembly())
  /// ```
  ///
  /// Works like ``apply(assemblies:)`` with a single assembly.
  ///
  /// - Throws: the error of ``apply(assemblies:)``.
  public func apply(assembly: some Assembly) throws {
    try apply(assemblies: [assembly])
  }

  /// Applies several assemblies with their dependencies, unless already applied.
  ///
  /// ```swift
  /// try assembler.apply(assemblies: [StorageAssembly(), WebAssembly()])
  /// ```
  ///
  /// All assemblies run `preloaded`, then all run `assemble`, then all run `loaded`; in every step
  /// an assembly runs after the dependencies and otherwise in the order given. An error stops at
  /// once. Completed steps stay, and are not repeated: a further call continues with the failed
  /// step.
  ///
  /// - Throws: ``RegistrationError/assemblyFailed(assembly:phase:error:)``.
  /// - Complexity: O(*n*) in the number of assemblies, dependencies included, plus the time of the
  ///   assemblies.
  ///
  /// Takes the container's writer lock for a moment, and for each registration.
  public func apply(assemblies: [any Assembly]) throws {
    var claims: [(assembly: any Assembly, key: AssemblyKey, todo: [AssemblyPhase])] = []
    let replaced = progress.withLock { $0.replaced }
    for (key, assembly) in AssemblyOrder(assemblies, without: replaced).ordered {
      if let todo = claim(key) { claims.append((assembly, key, todo)) }
    }
    defer { for claim in claims { giveBack(claim.key, todo: claim.todo, of: claim.assembly) } }
    for phase in AssemblyPhase.allCases {
      for index in claims.indices where claims[index].todo.first == phase {
        try run(phase, of: claims[index].assembly)
        claims[index].todo.removeFirst()
      }
    }
  }

  private func run(_ phase: AssemblyPhase, of assembly: some Assembly) throws {
    do {
      switch phase {
      case .preloading: try assembly.preloaded(container: container)
      case .assembling:
        try assembly.noted(in: container) { try assembly.assemble(container: container) }
      case .loading: try assembly.loaded(resolver: resolver)
      }
    } catch {
      throw RegistrationError.assemblyFailed(
        assembly: "\(type(of: assembly))", phase: phase, error: error)
    }
  }

  private var resolver: Resolver { container.resolver }

  /// Claims a module, until ``giveBack(_:todo:)``.
  ///
  /// - Returns: the steps to do; `nil` if no step is left, or another call has claimed the module.
  private func claim(_ key: AssemblyKey) -> [AssemblyPhase]? {
    progress.withLock { progress in
      let found = progress.modules[key] ?? AssemblyProgress()
      if found.isClaimed || found.todo.isEmpty { return nil }
      progress.modules[key] = AssemblyProgress(todo: found.todo, isClaimed: true)
      return found.todo
    }
  }

  /// - Parameter todo: the steps not yet done.
  private func giveBack(_ key: AssemblyKey, todo: [AssemblyPhase], of assembly: any Assembly) {
    let replaced = todo.isEmpty ? assembly.replacedTypes : []
    progress.withLock {
      $0.modules[key] = AssemblyProgress(todo: todo)
      $0.replaced.formUnion(replaced)
    }
  }
}

/// A value that belongs to a container, accessed by a single thread at a time.
///
/// The lock is the container's writer lock, which survives a fork and is visible to
/// ThreadSanitizer.
// SAFETY: the value is accessed only with the writer lock held.
private final class WriterGuarded<Value: Sendable>: @unchecked Sendable {
  private let core: ContainerCore
  private var value: Value

  init(_ value: Value, of core: ContainerCore) {
    self.core = core
    self.value = value
  }

  /// Runs `body` with the value. The body must run no user code, deinits and comparisons included.
  func withLock<Result>(_ body: (inout Value) -> Result) -> Result {
    core.table.withWriterLock { body(&value) }
  }
}

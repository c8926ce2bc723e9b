// SPDX-License-Identifier: MIT

/// Applies assemblies to a container, each once.
///
/// ```swift
/// let assembler = Assembler(container: container)
/// try assembler.apply(assemblies: [StorageAssembly(), WebAssembly()])
/// ```
///
/// An assembly that several others need is applied once, before the first of them. Assemblies of one type are the same module,
/// unless their ``Assembly/id-swift.property`` differs; a further one does nothing. Assemblies that need each other are
/// applied once each, the first after the others.
///
/// ## Concurrency
/// Safe to use from any thread, and from the methods of an assembly. No lock is held while these run. When two threads
/// apply the same module, one does; the other does not wait for it.
public final class Assembler: Sendable {
  /// The container that the assemblies register in.
  public let container: Container

  private let progress: WriterGuarded<Progress>

  private struct Progress {
    var modules: [AssemblyKey: AssemblyProgress] = [:]
    /// The types of those whose place others have taken.
    var replaced: Set<ObjectIdentifier> = []
  }

  /// An assembler that has applied nothing to the container yet.
  public init(container: Container) {
    self.container = container
    progress = WriterGuarded(Progress(), of: container.registry)
  }

  /// Applies an assembly that throws nothing and needs no others, unless that has been done.
  ///
  /// ```swift
  /// assembler.apply(assembly: ClockAssembly())
  /// ```
  ///
  /// As ``apply(assemblies:)`` with one.
  public func apply<A: Assembly>(assembly: A)
  where
    A.PreloadFailure == Never, A.AssembleFailure == Never, A.LoadFailure == Never,
    A.Dependencies == EmptyCollection<any Assembly>
  {
    let key = AssemblyKey(assembly)
    if progress.withLock({ $0.replaced.contains(ObjectIdentifier(A.self)) }) { return }
    guard let todo = claim(key) else { return }
    // The steps that another assembly of this type has failed in are left to this one.
    if todo.contains(.preloading) { assembly.preloaded(container: container) }
    if todo.contains(.assembling) { assembly.assemble(container: container) }
    if todo.contains(.loading) { assembly.loaded(resolver: resolver) }
    giveBack(key, todo: [], of: assembly)
  }

  /// Applies an assembly and those that it needs, unless that has been done.
  ///
  /// ```swift
  /// try assembler.apply(assembly: StorageAssembly())
  /// ```
  ///
  /// As ``apply(assemblies:)`` with one.
  public func apply(assembly: some Assembly) throws {
    try apply(assemblies: [assembly])
  }

  /// Applies several assemblies and those that they need, unless that has been done.
  ///
  /// ```swift
  /// try assembler.apply(assemblies: [StorageAssembly(), WebAssembly()])
  /// ```
  ///
  /// All run `preloaded`, then all `assemble`, then all `loaded`, each after those that it needs and otherwise in the order
  /// given. An error stops at once. Completed steps stay, and are not repeated: a further call continues with the
  /// step that failed.
  ///
  /// - Throws: ``RegistrationError/assemblyFailed(assembly:phase:error:)``.
  /// - Complexity: O(*n*) in the number of assemblies, with those that they need, plus their time.
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
      case .assembling: try assembly.assemble(container: container)
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
  /// - Returns: the steps that are to be done; `nil` if none are, or another call has claimed it.
  private func claim(_ key: AssemblyKey) -> [AssemblyPhase]? {
    progress.withLock { progress in
      let found = progress.modules[key] ?? AssemblyProgress()
      if found.isClaimed || found.todo.isEmpty { return nil }
      progress.modules[key] = AssemblyProgress(todo: found.todo, isClaimed: true)
      return found.todo
    }
  }

  /// - Parameter todo: the steps that have not been done.
  private func giveBack(_ key: AssemblyKey, todo: [AssemblyPhase], of assembly: any Assembly) {
    let replaced = todo.isEmpty ? assembly.replacedTypes : []
    progress.withLock {
      $0.modules[key] = AssemblyProgress(todo: todo)
      $0.replaced.formUnion(replaced)
    }
  }
}

/// A value that belongs to a container, and is touched by one thread at a time.
///
/// The lock is the container's writer lock, which survives a fork, and which ThreadSanitizer sees.
// SAFETY: the value is only touched with the writer lock held.
private final class WriterGuarded<Value: Sendable>: @unchecked Sendable {
  private let core: ContainerCore
  private var value: Value

  init(_ value: Value, of core: ContainerCore) {
    self.core = core
    self.value = value
  }

  /// Runs `body` with the value. No user code may run in it, deinits and comparisons included.
  func withLock<Result>(_ body: (inout Value) -> Result) -> Result {
    core.table.withWriterLock { body(&value) }
  }
}

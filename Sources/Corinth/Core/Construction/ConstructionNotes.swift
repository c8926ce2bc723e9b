// SPDX-License-Identifier: MIT

/// The resolves of a construction, known from the end of its factory on.
struct ConstructionNotes {
  /// Whether the resolves are known.
  var areTaken = false
  /// `nil` for nothing.
  private(set) var dependencies: InstanceDependencies?

  /// Takes the notes of the calling thread.
  ///
  /// - Parameter isShared: whether somebody else refers to the construction, and may resolve by its resolver.
  mutating func end(_ noting: borrowing ContextNoting, isShared: Bool) {
    let wasHandedOver = noting.end()
    areTaken = true
    switch ResolveNotes.end() {
    case .slots(let slots) where !wasHandedOver:
      if !slots.isEmpty || isShared {
        dependencies = InstanceDependencies(.slots(slots), isOpen: isShared)
      }
    case .unknown, .slots: dependencies = InstanceDependencies(.unknown, isOpen: isShared)
    }
  }

  /// Notes that nobody can resolve by the resolver any more.
  @inline(__always)
  mutating func close() {
    guard let open = dependencies else { return }
    open.close()
    dependencies = nil
  }
}

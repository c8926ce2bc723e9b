// SPDX-License-Identifier: MIT

/// The instances that a caller has published into a resolution, for its resolves to find. The resolution keeps them, with
/// its graph instances.
extension ResolutionContext {
  /// Publishes an instance into the resolution that this is a part of, in place of an earlier one of the key.
  ///
  /// - Returns: whether the resolution goes on.
  func publish(_ box: AnyInstanceBox, as key: RegistrationKey, in container: ContainerCore) -> Bool
  {
    let root = root
    let entryKey = Self.entryKey(key, in: container)
    guard
      let entry = root.graph.entry(
        of: entryKey, payload: Self.keyHashing, requiresDisposal: false)
    else { return false }
    root.markPublished()
    let section = Section.enter()
    defer { section.leave() }
    while true {
      var former: Unmanaged<AnyObject>?
      switch entry.current {
      case .built(let found): unsafe former = found
      case .empty: break
      case .building, .sealed: return false
      }
      guard unsafe entry.replace(former, with: box) else { continue }
      // SAFETY: the reference that the state had to it, which it does not hold any more.
      if let former = unsafe former { unsafe Reclamation.retire(former) }
      return true
    }
  }

  /// The instance that was published under the key; `nil` if there is none, or the resolution has ended.
  func published(_ key: RegistrationKey, in container: ContainerCore) -> AnyInstanceBox? {
    let root = root
    guard root.hasPublished, let entry = root.publishedEntry(of: key, in: container) else {
      return nil
    }
    let section = Section.enter()
    defer { section.leave() }
    return entry.builtBox
  }

  /// Makes no object for the key.
  private func publishedEntry(
    of key: RegistrationKey, in container: ContainerCore
  ) -> StoredInstance? {
    let hashing = Self.keyHashing
    let hash = EntryKey.hash(hashing, container, values: KeyWords(key).hash)
    // SAFETY: the values of entries with this hashing are keys, too.
    return unsafe withUnsafePointer(to: key) { key in
      graph.existingEntry(
        hash: hash, { $0.hash == hash && $0.isOf(hashing, container) },
        { unsafe $0.hasValues(at: key, by: hashing) })
    }
  }

  private static func entryKey(
    _ key: RegistrationKey, in container: ContainerCore
  ) -> EntryKey {
    let values = ArgumentsBox(key)
    // That of slots takes a tenth of the time to make.
    values.identify(by: keyHashing, hash: KeyWords(key).hash)
    return EntryKey(registration: keyHashing, container: container, arguments: values)
  }

  /// Compares the keys of published instances, and stands for their registration, which there need not be.
  private static let keyHashing: ArgumentHashing = {
    guard let hashing = ArgumentHashing(of: [RegistrationKey.self]) else {
      preconditionFailure("ResolutionContext.keyHashing: keys are Hashable")
    }
    return hashing
  }()
}

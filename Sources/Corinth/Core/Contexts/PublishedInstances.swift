// SPDX-License-Identifier: MIT

internal import Synchronization

/// The instances published by a caller into a resolution, to be found by the resolution's resolves.
/// The resolution keeps them among the graph instances.
extension ResolutionContext {
  /// Publishes an instance into the context's resolution, replacing an earlier instance of the key.
  ///
  /// - Returns: whether the resolution goes on.
  func publish(
    _ box: AnyInstanceBox, as key: borrowing RegistrationKey, in container: ContainerCore
  ) -> Bool {
    let hash = PublishedInstance.hash(KeyWords(key), in: container)
    let found = unsafe unretainedRoot._withUnsafeGuaranteedRef { root in
      root.graph.entry(hash: hash) {
        PublishedInstance.mayBe($0, hash, in: container)
      } _: {
        PublishedInstance.key(of: $0) == key
      } orMake: {
        // Set first, before other threads can find the entry.
        root.markPublished()
        return PublishedInstance(box, as: copy key, hash, in: container)
      }
    }
    guard let found else { return false }
    return found.isNew || replace(found.entry, with: box)
  }

  private func replace(_ entry: StoredInstance, with box: AnyInstanceBox) -> Bool {
    let section = Section.enter()
    defer { section.leave() }
    while case .built(let former) = entry.current {
      guard unsafe entry.replace(former, with: box) else { continue }
      // SAFETY: the exchange took the former box out, and with it the state's reference.
      unsafe Reclamation.retire(former)
      return true
    }
    return false
  }

  /// The instance published under the key; `nil` for none, or after the end of the resolution.
  func published(
    _ key: borrowing RegistrationKey, in container: ContainerCore
  ) -> AnyInstanceBox? {
    guard mayHavePublished else { return nil }
    let hash = PublishedInstance.hash(KeyWords(key), in: container)
    let entry = unsafe unretainedRoot._withUnsafeGuaranteedRef {
      $0.graph.existingEntry(hash: hash) {
        PublishedInstance.mayBe($0, hash, in: container)
      } _: {
        PublishedInstance.key(of: $0) == key
      }
    }
    guard let entry else { return nil }
    let section = Section.enter()
    defer { section.leave() }
    return entry.builtBox
  }

  /// A version number: changes when any thread publishes under a new key, or the resolution ends.
  var publications: UInt {
    unsafe unretainedRoot._withUnsafeGuaranteedRef { $0.graph.version }
  }

  /// Whether any instances have been published.
  var mayHavePublished: Bool {
    unsafe unretainedRoot._withUnsafeGuaranteedRef { $0.hasPublished }
  }
}

/// The state of a published instance, with the key. Has an instance from the start.
// SAFETY: see the superclass; the key is constant.
private final class PublishedInstance: StoredInstance, @unchecked Sendable {
  private let published: RegistrationKey

  init(
    _ box: AnyInstanceBox, as key: consuming RegistrationKey, _ hash: UInt64,
    in container: ContainerCore
  ) {
    published = key
    super.init(EntryKey(kind: Self.kind, container: container, hash: hash), payload: nil)
    // SAFETY: the state's reference. Nobody else knows the state.
    unsafe word.store(
      UInt(bitPattern: Unmanaged.passRetained(box).toOpaque()), ordering: .relaxed)
  }

  /// Stands for the registration, which may not exist.
  private static var kind: ObjectIdentifier { ObjectIdentifier(PublishedInstance.self) }

  @inline(__always)
  static func hash(_ key: KeyWords, in container: ContainerCore) -> UInt64 {
    EntryKey.hash(kind, container, values: key.hash)
  }

  /// Whether an entry of a hash is a published instance's, possibly under a different key.
  @inline(__always)
  static func mayBe(_ entry: StoredInstance, _ hash: UInt64, in container: ContainerCore) -> Bool {
    entry.key.hash == hash && entry.key.isOf(kind: kind, container)
  }

  /// The key of an entry that passed ``mayBe(_:_:in:)``.
  static func key(of entry: StoredInstance) -> RegistrationKey {
    // SAFETY: only published instances are of the kind.
    unsafe unsafeDowncast(entry, to: PublishedInstance.self).published
  }
}

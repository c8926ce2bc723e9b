// SPDX-License-Identifier: MIT

internal import Synchronization

/// The instances published by callers into a resolution, to be found by the resolution's resolves:
/// one for each key and container.
///
/// A list, the newest first, which may end during searches. The last visitor releases the
/// instances, or else the end does. The `==` of names runs outside of visits: user code may take
/// long, end the resolution, and fork.
struct PublishedInstances: ~Copyable, Sendable {
  /// The address of the newest instance, to which the list owns a reference; 0 for none. With the
  /// lowest bit set, nothing is added.
  private let newest = Atomic<UInt>(0)
  private let visitors = VisitorCount()

  private static var closed: UInt { 1 }

  var isEmpty: Bool { newest.load(ordering: .relaxed) == 0 }

  /// Changes whenever an instance is published under a new key, and with the end.
  var version: UInt { newest.load(ordering: .acquiring) }

  fileprivate func find(
    _ key: borrowing RegistrationKey, _ hash: UInt64, in container: ContainerCore
  ) -> PublishedInstance? {
    var last: PublishedInstance?
    while let found = next(after: last, hash, ObjectIdentifier(container)) {
      if found.key == key { return found }
      last = found
    }
    return nil
  }

  private func next(
    after last: PublishedInstance?, _ hash: UInt64, _ container: ObjectIdentifier
  ) -> PublishedInstance? {
    guard enter() else { return nil }
    defer { leave() }
    var next = last.map(\.next) ?? version & ~Self.closed
    while let instance = unsafe Self.instance(next) {
      if unsafe instance._withUnsafeGuaranteedRef({ $0.hash == hash && $0.container == container })
      {
        return unsafe instance.takeUnretainedValue()
      }
      next = unsafe instance._withUnsafeGuaranteedRef(\.next)
    }
    return nil
  }

  /// - Returns: whether the resolution goes on.
  fileprivate func store(
    _ box: AnyInstanceBox, as key: borrowing RegistrationKey, in container: ContainerCore
  ) -> Bool {
    let hash = KeyWords(key).hash
    while true {
      // Before the search: an instance that the search misses changes the word.
      let head = version
      if head & Self.closed != 0 { return false }
      if let found = find(key, hash, in: container) {
        found.replace(with: box)
        return true
      }
      let made = PublishedInstance(box, as: key, hash, in: container, before: head)
      let reference = unsafe Unmanaged.passRetained(made)
      let (isFirst, _) = newest.compareExchange(
        expected: head, desired: unsafe UInt(bitPattern: reference.toOpaque()),
        ordering: .acquiringAndReleasing)
      if isFirst { return true }
      unsafe reference.release()
    }
  }

  /// Refuses further instances, and lets the present ones go.
  func close() {
    newest.bitwiseOr(Self.closed, ordering: .acquiringAndReleasing)
    if visitors.close() { releaseAll() }
  }

  private func enter() -> Bool {
    if visitors.enter() { return true }
    leave()
    return false
  }

  private func leave() {
    if visitors.leave() { releaseAll() }
  }

  private func releaseAll() {
    var next = newest.exchange(Self.closed, ordering: .acquiringAndReleasing) & ~Self.closed
    while let instance = unsafe Self.instance(next) {
      next = unsafe instance._withUnsafeGuaranteedRef(\.next)
      unsafe instance.release()
    }
  }

  private static func instance(_ address: UInt) -> Unmanaged<PublishedInstance>? {
    // SAFETY: the list owns its instances until released; no visitor is inside at that point.
    unsafe UnsafeRawPointer(bitPattern: address).map { unsafe Unmanaged.fromOpaque($0) }
  }

  deinit {
    if !isEmpty { releaseAll() }
  }
}

/// A state with an instance from the beginning.
// SAFETY: see the superclass; the other properties are constant.
private final class PublishedInstance: InstanceState, @unchecked Sendable {
  let key: RegistrationKey
  let container: ObjectIdentifier
  let hash: UInt64
  /// The address of the instance published before, 0 for none.
  let next: UInt

  init(
    _ box: AnyInstanceBox, as key: borrowing RegistrationKey, _ hash: UInt64,
    in container: ContainerCore, before next: UInt
  ) {
    self.key = copy key
    self.hash = hash
    self.container = ObjectIdentifier(container)
    self.next = next
    super.init(box)
  }

  func replace(with box: AnyInstanceBox) {
    // The section keeps a former box alive, and its address from being used again.
    let section = Section.enter()
    defer { section.leave() }
    while !replace(load(), with: box) {}
  }
}

extension ResolutionContext {
  /// Publishes an instance into the context's resolution, replacing an earlier instance of the key.
  ///
  /// - Returns: whether the resolution goes on.
  func publish(
    _ box: AnyInstanceBox, as key: borrowing RegistrationKey, in container: ContainerCore
  ) -> Bool {
    unsafe unretainedRoot._withUnsafeGuaranteedRef { root in
      // Set before other threads can find the instance.
      root.markPublished()
      // Pairs with `closeGraph`: the end sees the mark, or is seen here.
      if root.isGraphClosed { root.published.close() }
      return root.published.store(box, as: key, in: container)
    }
  }

  /// The instance published into the context's resolution, if any.
  func published(
    _ key: borrowing RegistrationKey, in container: ContainerCore
  ) -> AnyInstanceBox? {
    guard mayHavePublished else { return nil }
    return unsafe unretainedRoot._withUnsafeGuaranteedRef {
      $0.published.find(key, KeyWords(key).hash, in: container)?.builtBox
    }
  }

  /// Changes whenever an instance is published under a new key into the context's resolution, and
  /// with the end, and is never `UInt.max`.
  var publications: UInt {
    unsafe unretainedRoot._withUnsafeGuaranteedRef { $0.published.version }
  }

  /// Whether ``published(_:in:)`` may find an instance.
  var mayHavePublished: Bool {
    unsafe unretainedRoot._withUnsafeGuaranteedRef { $0.hasPublished }
  }
}

// SPDX-License-Identifier: MIT

/// Instances identified by places, which are objects of any class. For one thread at a time.
// The variables need no checks of exclusivity: no access calls code that comes back here.
package class PlacedInstances {
  /// Searched in order: most users keep only few.
  @exclusivity(unchecked) private final var newest: PlacedInstance?
  @exclusivity(unchecked) private final var count = 0
  /// The instances beyond the few.
  @exclusivity(unchecked) private final var others: [ObjectIdentifier: PlacedInstance] = [:]
  private static let few = 8

  package init() {}

  /// The instance of a place; `nil` for none.
  package final func find(_ place: AnyObject) -> PlacedInstance? {
    var next = unsafe newest
    while let placed = next {
      if placed.place === place { return placed }
      next = placed.next
    }
    return unsafe count > Self.few ? others[ObjectIdentifier(place)] : nil
  }

  /// The instance of a place, added if missing.
  package final func findOrAdd(_ place: AnyObject) -> PlacedInstance {
    if let placed = find(place) { return placed }
    unsafe count += 1
    let isOneOfFew = unsafe count <= Self.few
    let placed = unsafe PlacedInstance(place, next: isOneOfFew ? newest : nil)
    if isOneOfFew {
      unsafe newest = placed
    } else {
      unsafe others[ObjectIdentifier(place)] = placed
    }
    return placed
  }

  package final func forEach(_ body: (PlacedInstance) -> Void) {
    var next = unsafe newest
    while let placed = next {
      body(placed)
      next = placed.next
    }
    for placed in unsafe others.values { body(placed) }
  }
}

/// The instance of a place, held or not.
package final class PlacedInstance {
  /// Held: a new object at a reused address would get the instance.
  fileprivate let place: AnyObject
  fileprivate let next: PlacedInstance?
  /// An object, or a boxed value: to destroy an optional `Any`, even a `nil`, calls the runtime.
  @exclusivity(unchecked) private var kept: AnyObject?
  @exclusivity(unchecked) private var hasBeenLeft = false
  private weak var former: AnyObject?
  /// A further object for the place.
  @exclusivity(unchecked) private var keptLock: AnyObject?

  fileprivate init(_ place: AnyObject, next: PlacedInstance?) {
    self.place = place
    self.next = next
  }

  /// A held object, a value, or an object held elsewhere.
  package var instance: Any? {
    guard let kept = unsafe kept else { return unsafe hasBeenLeft ? former : nil }
    return (kept as? PlacedValue)?.value ?? kept
  }

  /// Keeps a new instance; `nil` for none.
  ///
  /// - Returns: the instance kept before, for the caller to release.
  package func replace(by object: AnyObject?, isHeld: Bool) -> AnyObject? {
    let replaced = unsafe kept
    unsafe kept = isHeld ? object : nil
    if unsafe hasBeenLeft || !isHeld {
      former = isHeld ? nil : object
      unsafe hasBeenLeft = !isHeld
    }
    return replaced
  }

  /// Stops holding an object. A value stays.
  ///
  /// - Returns: the object, for the caller to release.
  package func leave() -> AnyObject? {
    guard let held = unsafe kept, !(held is PlacedValue) else { return nil }
    former = held
    unsafe (kept, hasBeenLeft) = (nil, true)
    return held
  }

  package var lock: AnyObject? {
    get { unsafe keptLock }
    set { unsafe keptLock = newValue }
  }
}

/// An instance that is no object.
package final class PlacedValue {
  fileprivate let value: Any

  package init(_ value: Any) { self.value = value }
}

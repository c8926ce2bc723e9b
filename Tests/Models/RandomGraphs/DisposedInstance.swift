// SPDX-License-Identifier: MIT

/// A disposed instance, as far as the order of disposal is concerned.
package struct DisposedInstance {
  let name: String
  /// The container that kept it: each container disposes of its own instances.
  let container: Int
  /// The time before the return of its factory.
  let returned: Int
  /// A time after the return of its factory.
  let seen: Int
  let serial: Int
  /// The serials of all instances that it refers to, directly or through others.
  let uses: Set<Int>
  /// The serials of all instances that it may have waited for: these, and what it did not keep.
  let needs: Set<Int>
  /// Whether a deinit may have resolved it inside of the construction of any other one, which then
  /// has waited for it.
  let mayBeNeededByAll: Bool
  /// The serials of instances of dependencies that the library knows by name, except those got: the
  /// instance that was got has been released since.
  let seemsToNeed: Set<Int>

  package init(
    name: String, container: Int = 0, returned: Int, seen: Int, serial: Int, uses: Set<Int>,
    needs: Set<Int>? = nil, mayBeNeededByAll: Bool = false, seemsToNeed: Set<Int> = []
  ) {
    self.name = name
    self.container = container
    self.returned = returned
    self.seen = seen
    self.serial = serial
    self.uses = uses
    self.needs = needs ?? uses
    self.mayBeNeededByAll = mayBeNeededByAll
    self.seemsToNeed = seemsToNeed
  }

  /// The first pair in the wrong order.
  ///
  /// An instance is disposed of before the instances that it refers to. Two instances that need
  /// each other were completed together: the later factory return is disposed of first, independent
  /// of the caller. Both orders are right if the two factories may have returned at the same time.
  /// An instance that moves forward, before one that it seems to need, leaves its users behind.
  package static func firstOutOfOrder(
    in disposed: [DisposedInstance]
  ) -> (first: String, second: String)? {
    for (index, second) in disposed.enumerated() {
      for (place, first) in disposed[..<index].enumerated()
      where first.container == second.container && second.uses.contains(first.serial) {
        let hasMoved = disposed[place...index].contains {
          $0.container == first.container && first.seemsToNeed.contains($0.serial)
        }
        if hasMoved { continue }
        let areOnOneCycle = first.needs.contains(second.serial) || second.mayBeNeededByAll
        if !areOnOneCycle || first.seen < second.returned { return (first.name, second.name) }
      }
    }
    return nil
  }
}

// SPDX-License-Identifier: MIT

/// An instance that has been disposed of, as far as its order among others goes.
package struct DisposedInstance {
  let name: String
  /// The container that it was kept by: each container disposes of its own.
  let container: Int
  /// When its factory was about to return.
  let returned: Int
  /// Not later than this, its factory had returned.
  let seen: Int
  let serial: Int
  /// The serials of all that it leads to.
  let references: Set<Int>

  package init(
    name: String, container: Int = 0, returned: Int, seen: Int, serial: Int, references: Set<Int>
  ) {
    self.name = name
    self.container = container
    self.returned = returned
    self.seen = seen
    self.serial = serial
    self.references = references
  }

  /// The first two of which one was disposed of too early.
  ///
  /// One that leads to another is disposed of before that. Two that lead to each other have been completed
  /// together: the one whose factory returned later is disposed of first, whoever was asked for. Where two
  /// factories may have returned at the same time, both orders are right.
  package static func firstOutOfOrder(
    in disposed: [DisposedInstance]
  ) -> (first: String, second: String)? {
    for (index, second) in disposed.enumerated() {
      for first in disposed[..<index]
      where first.container == second.container && second.references.contains(first.serial) {
        let areOnOneCycle = first.references.contains(second.serial)
        if !areOnOneCycle || first.seen < second.returned { return (first.name, second.name) }
      }
    }
    return nil
  }
}

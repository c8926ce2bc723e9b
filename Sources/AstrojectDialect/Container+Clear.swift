// SPDX-License-Identifier: MIT

extension Container {
  /// Removes all registrations of this container with the stored instances, as
  /// ``Container/removeAll(where:)`` does.
  ///
  /// Takes the container's writer lock.
  public func clear() {
    removeAll()
  }
}

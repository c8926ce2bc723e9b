// SPDX-License-Identifier: MIT

extension ContainerCore {
  /// Copies a different container's own registrations. The copy is new, and not in use yet.
  func takeOver(_ other: ContainerCore) {
    if other.tracksResolutions { trackResolutions() }
    if other.tracksRequesters { trackRequesters() }
    takeOverComposition(of: other)
    for record in other.registrations() where !record.isBuiltByItsCaller {
      do { _ = try publish(record.served.copied(to: self), .replacement) } catch {
        preconditionFailure("ContainerCore.takeOver: the container must be empty and open")
      }
    }
    inheritSettings(of: other)
  }
}

// SPDX-License-Identifier: MIT

/// Settings and registrations taken over from a parent, a base, or a container to copy.
extension ContainerCore {
  /// Whether new scopes of the container are tracked.
  var tracksScopes: Bool {
    get { extrasIfMade?.scopeTracking.load()?.isOn ?? false }
    set {
      if !newValue {
        extrasIfMade?.scopeTracking.load()?.isOn = false
        return
      }
      (extras.scopeTracking.load() ?? extras.scopeTracking.storeIfNil(ScopeTracking())).isOn = true
      haveScopesAsk()
      versionsIfMade?.current?.core.haveScopesAsk()
    }
  }

  /// Tracks the scopes of this version if the base tracks its scopes. The version is current
  /// already, and so is found by a base that begins to track later.
  func trackScopesAsBase() {
    if baseOfLayer?.tracksScopes ?? false { haveScopesAsk() }
  }

  /// Makes new scopes look for inherited settings, which they skip without implicit keys.
  private func haveScopesAsk() {
    _ = ImplicitRegistrations.of(self)
  }

  /// Takes over a parent's settings for the containers below. The container is new.
  ///
  /// - Parameter owner: the container of the core.
  func inherit(from parent: ContainerCore, for owner: any AnyObject & Sendable) {
    inheritSettings(of: parent)
    guard isScope, !isRefused, let location,
      let tracking = parent.scopeTrackingIfMade, tracking.isOn
    else { return }
    haveScopesAsk()
    beginTracking(in: tracking, at: location, owner: owner)
  }

  /// Copies a different container's own registrations into this one, which is new and unused.
  func takeOver(_ other: ContainerCore) {
    if other.tracksResolutions { trackResolutions() }
    if other.tracksRequesters { trackRequesters() }
    takeOverComposition(of: other)
    for record in other.registrations() {
      do { _ = try publish(record.served.copied(to: self), .replacement) } catch {
        preconditionFailure("ContainerCore.takeOver: the container must be empty and open")
      }
    }
    inheritSettings(of: other)
  }

  /// Takes over those settings of the parent that children inherit.
  func inheritSettings(of parent: ContainerCore) {
    guard ImplicitRegistrations.existing(in: parent)?.unwrapsOptionals ?? false else { return }
    _ = ImplicitRegistrations.of(self, unwrappingOptionals: true)
  }
}

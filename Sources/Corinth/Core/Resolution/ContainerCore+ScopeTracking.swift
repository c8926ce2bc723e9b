// SPDX-License-Identifier: MIT

extension ContainerCore {
  /// Whether the scopes that are made from this container are tracked.
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

  /// Has the scopes of this version be tracked if its base tracks its own. It is the current one: what begins to track later
  /// finds it.
  func trackScopesAsBase() {
    if baseOfLayer?.tracksScopes ?? false { haveScopesAsk() }
  }

  /// Has the scopes made from now on look for what they take over: those of a container without implicit keys do not.
  private func haveScopesAsk() {
    _ = implicitRegistrations()
  }

  /// Takes over what a parent has for the containers below it. This is new.
  ///
  /// - Parameter owner: the container that this is the core of.
  func inherit(from parent: ContainerCore, for owner: any AnyObject & Sendable) {
    inheritSettings(of: parent)
    guard isScope, !isRefused, let location = scopeLocation,
      let tracking = parent.scopeTrackingIfMade, tracking.isOn
    else { return }
    haveScopesAsk()
    beginTracking(in: tracking, at: location, owner: owner)
  }
}

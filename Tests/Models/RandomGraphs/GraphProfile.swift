// SPDX-License-Identifier: MIT

/// A choice of features for generated graphs.
public struct GraphProfile: Sendable {
  /// A feature that graphs may have.
  public enum Feature: String, CaseIterable, Sendable {
    case sync, async, afterInit, hardCycles, softCycles, failures, optionals, threads, tasks
    case containers, providers, spawned, unrelated, cancellation, closing, disposers, children
    /// Several closings at the same time.
    case closings
    /// Releases and overrides while the callers resolve.
    case changes
    /// Asynchronous dependencies of synchronous code: an error unless the instance is there.
    case crossings
    case transients, graphs, weak, cached, expiring, custom, forwards
    /// Cycles of transients and graph instances through the container or a provider.
    case capturedCycles
    case decorators, wiring, lazies
    /// Request scopes with a name, and services that these keep.
    case namedScopes
    /// Products whose deinits use containers.
    case farewells
    /// Behaviors, some of which resolve services when told of something.
    case behaviors
    /// Small and dense graphs of services that fail always, and that swallow the errors of others.
    case stubborn

    /// What an application puts around and between services: in the profiles for it alone.
    static let composition: Set<Feature> = [.decorators, .wiring, .lazies]
  }

  public let name: String
  public var features: Set<Feature>
  /// The largest number of services.
  public var size = 20

  public init(_ name: String, _ features: Set<Feature>, size: Int = 20) {
    self.name = name
    self.features = features
    self.size = size
  }

  public func has(_ feature: Feature) -> Bool { features.contains(feature) }

  public static let all: [GraphProfile] = {
    let every = Set(Feature.allCases).subtracting(Feature.composition).subtracting([
      .namedScopes, .stubborn, .behaviors,
    ])
    let rough: Set<Feature> = [.closing, .capturedCycles, .crossings]
    return [
      GraphProfile("chaos", every.subtracting([.closing, .crossings])),
      GraphProfile("mixed", every.subtracting(rough)),
      GraphProfile("acyclic", every.subtracting(rough).subtracting([.hardCycles, .softCycles])),
      GraphProfile("no-after-init", every.subtracting(rough).subtracting([.afterInit])),
      GraphProfile("sync", every.subtracting(rough).subtracting([.async])),
      GraphProfile("crossing", every.subtracting([.closing, .capturedCycles])),
      GraphProfile("async", every.subtracting(rough).subtracting([.sync])),
      GraphProfile("closing", every.subtracting([.capturedCycles, .crossings])),
      // Without failures of any kind: each factory returns exactly once.
      GraphProfile(
        "clean",
        every.subtracting(rough).subtracting([
          .hardCycles, .failures, .cancellation, .optionals, .changes,
        ])),
      GraphProfile("composition", every.subtracting(rough).union(Feature.composition)),
      GraphProfile(
        "composition-closing",
        every.subtracting([.capturedCycles, .crossings]).union(Feature.composition)),
      GraphProfile("named-scopes", every.subtracting(rough).union([.namedScopes])),
      GraphProfile(
        "named-scopes-closing",
        every.subtracting([.capturedCycles, .crossings]).union([.namedScopes])),
      GraphProfile(
        "watched", every.subtracting(rough).union([.behaviors, .decorators, .namedScopes])),
      GraphProfile(
        "watched-closing",
        every.subtracting([.capturedCycles, .crossings]).union([.behaviors, .decorators])),
      GraphProfile(
        "stubborn", every.subtracting([.closing, .crossings]).union([.stubborn]), size: 6),
    ]
  }()
}

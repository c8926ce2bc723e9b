// SPDX-License-Identifier: MIT

import BenchmarkSupport

extension Operation {
  /// How many times its counterpart's time Corinth may take: a dictionary's behind a mutex, or
  /// direct code's where there is none. A third above the greatest ratio that was measured. Rows
  /// without a counterpart have no limit.
  var limit: Double? {
    switch self {
    case .request, .scopeOfTwo: 1.5
    // Beside the request without behaviors: a third above the measured ratios, as below.
    case .observedRequest: 2
    case .untimedRequest: 1.7
    case .singleton: 0.4
    case .child: 2.8
    case .childRegistering: 5.8
    case .registeringThousand: 3.4
    case .requestScope, .handler: 1.3
    case .scopedAndInputs: 1
    case .warmHandler: 0.8
    case .scopedHit: 1.1
    case .asyncSingleton: 0.3
    case .asyncStoredName: 2
    case .asyncTransient: 0.6
    case .asyncFactory: 4.6
    case .withScopeSync: 1.6
    case .withScope: 1.4
    case .ifRegistered: 0.5
    case .ifRegisteredMiss: 0.6
    case .graph: 5.5
    case .trackedTransient: 5
    case .cached: 5
    case .injected: 1.4
    case .decorated: 1.6
    default: nil
    }
  }
}

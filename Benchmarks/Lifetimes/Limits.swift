// SPDX-License-Identifier: MIT

import BenchmarkSupport

extension Operation {
  /// How many times its counterpart's time Corinth may take: a dictionary's behind a mutex, or
  /// direct code's where there is none. A third above the greatest ratio that was measured. Rows
  /// without a counterpart have no limit.
  var limit: Double? {
    switch self {
    case .request: 1.9
    case .singleton: 0.4
    case .child: 2
    case .childRegistering: 3.3
    case .registeringThousand: 2
    case .requestScope: 1.7
    case .scopeOfTwo: 1.7
    case .warmHandler: 1.3
    case .scopedHit: 1.8
    case .asyncSingleton: 1.6
    case .asyncStoredName: 2
    case .asyncTransient: 1.7
    case .asyncFactory: 11
    case .graph: 5.5
    case .trackedTransient: 5
    case .handler: 8
    case .withScope: 6
    case .cached: 5
    case .injected: 1.4
    case .decorated: 1.6
    default: nil
    }
  }
}

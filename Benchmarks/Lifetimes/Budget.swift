// SPDX-License-Identifier: MIT

import BenchmarkSupport

extension Operation {
  /// What it may take.
  var budgets: [RowBudget<Column>] {
    switch self {
    case .request: [.times(1.5, .mutex), .scaling(as: .direct)]
    case .asyncSingleton: [.times(1, .direct)]
    case .asyncTransient: [.times(1.2, .direct)]
    case .asyncFactory: [.nanoseconds(300), .scaling(as: .direct)]
    case .graph: [.times(3.3, .direct)]
    case .childRegistering: [.nanoseconds(500)]
    case .registeringThousand: [.nanoseconds(400_000)]
    case .requestScope: [.nanoseconds(200), .scaling(as: .direct)]
    case .scopeOfTwo: [.scaling(as: .direct)]
    case .disposingScope: [.nanoseconds(350)]
    case .scopedAndInputs: [.nanoseconds(240)]
    case .handler: [.nanoseconds(350)]
    case .warmHandler: [.nanoseconds(90)]
    case .withScopeSync: [.nanoseconds(260)]
    case .withScope: [.nanoseconds(350)]
    case .scopedHit: [.nanoseconds(16)]
    case .cached: [.nanoseconds(25)]
    case .argumentSingleton: [.nanoseconds(100)]
    default: []
    }
  }
}

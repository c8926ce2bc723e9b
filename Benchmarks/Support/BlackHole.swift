// SPDX-License-Identifier: MIT

/// Uses a value in a way that the optimizer can neither see nor remove, at the price of a call.
///
/// Without `@_optimize(none)` the compiler sees, across modules too, that the body does nothing,
/// and drops calls whose argument can be computed without side effects.
@inline(never)
@_optimize(none)
@_semantics("optimize.sil.specialize.generic.never")
public func blackHole<Value>(_ value: Value) {}

/// Hides a class instance, passed in a register, from the optimizer.
@inline(never)
@_optimize(none)
public func blackHole(_ instance: AnyObject) {}

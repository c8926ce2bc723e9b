// SPDX-License-Identifier: MIT

import Corinth
import TestSupport
import XCTest

/// Asserts that `resolve` fails with a circular dependency.
///
/// - Parameter products: the types on the path, the first one again at the end; any path when left
///   out.
func assertCycle<Value>(
  through products: [any Any.Type]? = nil, file: StaticString = #filePath, line: UInt = #line,
  _ resolve: () throws -> Value
) {
  do {
    _ = try resolve()
    XCTFail("no error", file: file, line: line)
  } catch ResolutionError.circularDependencyDetected(let context) {
    guard let products else { return }
    XCTAssertEqual(
      context.path.map { ObjectIdentifier($0.product) }, products.map { ObjectIdentifier($0) },
      "\(context.path)", file: file, line: line)
  } catch {
    XCTFail("\(error)", file: file, line: line)
  }
}

/// The same for tasks.
func assertCycleAsync<Value>(
  through products: [any Any.Type]? = nil, file: StaticString = #filePath, line: UInt = #line,
  _ resolve: nonisolated(nonsending) () async throws -> Value
) async {
  let result = await outcome(of: resolve)
  assertCycle(through: products, file: file, line: line) { try result.get() }
}

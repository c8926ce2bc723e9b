// SPDX-License-Identifier: MIT

public import XCTest

/// A property of a test case that is made at its first use, and released when the test ends, after
/// its `tearDown`. For a container of Corinth's there is ``ContainerTestCase``.
///
/// Test runners make all test cases at once, and keep them until the process ends. Containers that
/// they held would all be locked at each fork, which are more locks than ThreadSanitizer's search
/// for deadlocks allows.
@propertyWrapper
public final class PerTest<Value>: @unchecked Sendable {
  // SAFETY: a test uses the properties on one thread at a time, and the end of the test comes after
  // the uses.
  private let make: () -> Value
  private var value: Value?

  public init(wrappedValue: @autoclosure @escaping () -> Value) {
    make = wrappedValue
  }

  @available(*, unavailable, message: "a property of a test case")
  public var wrappedValue: Value { fatalError("PerTest.wrappedValue: must belong to a test case") }

  public static subscript<Case: XCTestCase>(
    _enclosingInstance test: Case, wrapped _: KeyPath<Case, Value>,
    storage storage: KeyPath<Case, PerTest>
  ) -> Value {
    let wrapper = test[keyPath: storage]
    if let value = wrapper.value { return value }
    let value = wrapper.make()
    wrapper.value = value
    test.addTeardownBlock { wrapper.value = nil }
    return value
  }
}

// SPDX-License-Identifier: MIT

internal import Corinth

/// Ends the program with an error that a library's interface cannot report, such as a circular
/// dependency.
///
/// The text is printed in release builds too, where a failed precondition prints none.
@inline(never)
public func endProgram(_ error: any Error) -> Never {
  let error = (error as? ResolutionError)?.throughRunningFactories ?? error
  fatalError(text(of: error))
}

/// The text of an error for users of a compatibility module, who have none of the functions named
/// by the core's hints.
public func text(of error: any Error) -> String {
  (error as? ResolutionError)?.summary ?? "\(error)"
}

/// The result of a call of the core. An error ends the program: for functions of a library that
/// throw no error.
@discardableResult @inlinable @inline(__always)
public func orEndProgram<Result>(_ body: () throws -> Result) -> Result {
  do { return try body() } catch { endProgram(error) }
}

/// ``orEndProgram(_:)`` for a call that may wait for itself: `nil` for a circular dependency too.
package func unlessCircular<Result>(_ body: () throws -> Result?) -> Result? {
  do { return try body() } catch {
    guard case ResolutionError.circularDependencyDetected = error else { endProgram(error) }
    return nil
  }
}

// SPDX-License-Identifier: MIT

internal import Corinth

/// Ends the program over an error that a library's interface has no way to report, such as a circular dependency.
///
/// The text is printed in release builds too, where a failed precondition prints none.
@inline(never)
public func endProgram(_ error: any Error) -> Never {
  let error = (error as? ResolutionError)?.throughRunningFactories ?? error
  fatalError(text(of: error))
}

/// The text of an error for users of a dialect, which has none of the functions that the core's hints name.
public func text(of error: any Error) -> String {
  (error as? ResolutionError)?.summary ?? "\(error)"
}

/// The result of the core, whose errors end the program: of a library's function that throws none.
@discardableResult @inlinable @inline(__always)
public func orEndProgram<Result>(_ body: () throws -> Result) -> Result {
  do { return try body() } catch { endProgram(error) }
}

/// ``orEndProgram(_:)`` for what may wait for itself: `nil` for a circular dependency too.
package func unlessCircular<Result>(_ body: () throws -> Result?) -> Result? {
  do { return try body() } catch {
    guard case ResolutionError.circularDependencyDetected = error else { endProgram(error) }
    return nil
  }
}

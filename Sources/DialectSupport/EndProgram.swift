// SPDX-License-Identifier: MIT

internal import Corinth

/// Ends the program over an error that a library's interface has no way to report, such as a circular dependency.
///
/// The text is printed in release builds too, where a failed precondition prints none.
@inline(never)
public func endProgram(_ error: any Error) -> Never {
  let error = (error as? ResolutionError)?.throughRunningFactories ?? error
  fatalError("\(error)")
}

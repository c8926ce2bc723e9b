// SPDX-License-Identifier: MIT

import Foundation

/// Ends the program with a sentence on standard error.
public func fail(_ sentence: String, status: Int32 = 1) -> Never {
  FileHandle.standardError.write(Data("\(sentence)\n".utf8))
  exit(status)
}

/// Ends a program built without optimization, whose figures would mean nothing.
public func refuseDebugBuild() {
  var isDebugBuild = false
  // Evaluated in debug builds only.
  assert(
    {
      isDebugBuild = true
      return true
    }())
  if isDebugBuild {
    fail(
      "This is a debug build, which measures nothing of use: build with 'swift build -c release'.")
  }
}

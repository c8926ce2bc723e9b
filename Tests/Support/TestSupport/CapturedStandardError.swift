// SPDX-License-Identifier: MIT

import Foundation

/// Returns the text that `body` writes to the standard error stream of the process.
public func standardError(of body: () throws -> Void) throws -> String {
  let pipe = Pipe()
  let former = dup(STDERR_FILENO)
  dup2(pipe.fileHandleForWriting.fileDescriptor, STDERR_FILENO)
  defer { close(former) }
  do {
    defer {
      dup2(former, STDERR_FILENO)
      try? pipe.fileHandleForWriting.close()
    }
    try body()
  }
  return String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
}

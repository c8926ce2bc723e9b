// SPDX-License-Identifier: MIT

import Foundation

/// The process's resident memory in bytes; `nil` where `/proc` does not tell.
public func residentMemory() -> Int? {
  guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else {
    return nil
  }
  let fields = text.split(separator: " ")
  guard fields.count > 1, let pages = Int(fields[1]) else { return nil }
  return pages * sysconf(Int32(_SC_PAGESIZE))
}

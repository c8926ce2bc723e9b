// SPDX-License-Identifier: MIT

import Foundation

/// How much memory of the process is in use.
public enum ResidentMemory {
  /// In bytes; `nil` where the system does not say, that is, other than on Linux.
  public static var bytes: Int? {
    guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .ascii) else {
      return nil
    }
    // The second field is the resident set, in pages.
    guard let pages = text.split(separator: " ").dropFirst().first.flatMap({ Int($0) }) else {
      return nil
    }
    return pages * sysconf(Int32(_SC_PAGESIZE))
  }
}

// SPDX-License-Identifier: MIT

/// The name of the named singleton.
let serviceName = "primary"

/// The name of the weak service.
let weakName = "weak"

/// `count` distinct names for every thread.
func distinctNames(_ threads: Int, _ count: Int) -> [[String]] {
  (0..<threads).map { thread in (0..<count).map { "service-\(thread)-\($0)" } }
}

// SPDX-License-Identifier: MIT

import TestSupport

/// Calls `write` on one thread while others call `read`, until both have been called `rounds` times
/// or one has thrown.
///
/// - Parameters:
///   - readers: how many threads read.
///   - write: receives the number of the call, from 0.
///   - read: receives the index of the reader.
func besideAWriter(
  readers: Int, rounds: Int, write: @escaping @Sendable (Int) throws -> Void,
  read: @escaping @Sendable (Int) throws -> Void
) throws {
  let isOver = Flag()
  let reads = AtomicCounter()
  try onThreads(readers + 1) { index in
    defer { isOver.isSet = true }
    if index < readers {
      while !isOver.isSet {
        try read(index)
        reads.add()
      }
      return
    }
    var written = 0
    while !isOver.isSet, written < rounds || reads.value < rounds {
      try write(written)
      written += 1
    }
  }
}

// SPDX-License-Identifier: MIT

import CCorinth
import TestSupport

/// Runs `body` while another thread has a record, and is inside of a section if it says so.
func besideAnotherThread(
  insideOfASection isInside: Bool = false, _ body: () throws -> Void
) throws {
  let begun = Barrier(2)
  let end = Barrier(2)
  let other = JoinableThread {
    let thread = unsafe corinth_section_enter()
    if !isInside { unsafe corinth_section_leave(thread) }
    begun.wait()
    end.wait()
    if isInside { unsafe corinth_section_leave(thread) }
  }
  begun.wait()
  let outcome = Result { try body() }
  end.wait()
  try other.join().get()
  try outcome.get()
}

// SPDX-License-Identifier: MIT

import Foundation

// SAFETY: what it holds is used by one thread at a time: whoever hands it on waits.
final class Unchecked<Value>: @unchecked Sendable {
  var value: Value

  init(_ value: Value) { self.value = value }
}

/// The result of an asynchronous call, which the thread waits for.
func waiting<Value>(_ body: @escaping () async throws -> Value) throws -> Value {
  let end = DispatchSemaphore(value: 0)
  let result = Unchecked<Result<Value, any Error>?>(nil)
  let call = Unchecked<(() async throws -> Value)?>(body)
  Task.detached {
    result.value = await outcome(of: call)
    end.signal()
  }
  end.wait()
  // The task may go later than this returns, and must keep nothing alive.
  defer { (result.value, call.value) = (nil, nil) }
  guard let found = result.value else { preconditionFailure("the call must have ended") }
  return try found.get()
}

private func outcome<Value>(of call: Unchecked<(() async throws -> Value)?>) async
  -> Result<Value, any Error>
{
  guard let body = call.value else { preconditionFailure("nothing to call") }
  do { return .success(try await body()) } catch { return .failure(error) }
}

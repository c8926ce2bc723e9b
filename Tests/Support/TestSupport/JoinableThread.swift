// SPDX-License-Identifier: MIT

import Foundation

/// A POSIX thread with a result. It runs at once and must be joined, once.
public final class JoinableThread<Value: Sendable>: @unchecked Sendable {
  // SAFETY: a handle is a plain value, constant here; the outcome is Sendable.
  private let handle: pthread_t
  private let outcome: ThreadEntry.Outcome<Value>

  public init(stackSize: Int? = nil, _ body: @escaping @Sendable () throws -> Value) {
    let outcome = ThreadEntry.Outcome<Value>()
    self.outcome = outcome
    handle = ThreadEntry.start(
      ThreadEntry { outcome.set(Result { try body() }) }, stackSize: stackSize)
  }

  /// Waits until the thread is gone, and returns its result.
  public func join() -> Result<Value, any Error> {
    let status = pthread_join(handle, nil)
    precondition(status == 0, "JoinableThread.join: must be called once")
    return outcome.get()
  }

  /// Waits until the thread is gone, in place of `join()`: it may have ended itself without a
  /// result.
  public func joinWithoutResult() {
    let status = pthread_join(handle, nil)
    precondition(status == 0, "JoinableThread.joinWithoutResult: must be called once")
  }
}

/// The work of a new thread, without the type of the result.
final class ThreadEntry: Sendable {
  final class Outcome<Value: Sendable>: Sendable {
    private let result = Locked<Result<Value, any Error>?>(nil)

    func set(_ result: Result<Value, any Error>) {
      self.result.withLock { $0 = result }
    }

    func get() -> Result<Value, any Error> {
      guard let result = result.withLock({ $0 }) else {
        preconditionFailure("JoinableThread.join: the thread must have returned")
      }
      return result
    }
  }

  private let body: @Sendable () -> Void

  init(_ body: @escaping @Sendable () -> Void) {
    self.body = body
  }

  static func start(_ entry: ThreadEntry, stackSize: Int?) -> pthread_t {
    let attributes = UnsafeMutablePointer<pthread_attr_t>.allocate(capacity: 1)
    unsafe pthread_attr_init(attributes)
    defer {
      unsafe pthread_attr_destroy(attributes)
      unsafe attributes.deallocate()
    }
    if let stackSize {
      let status = unsafe pthread_attr_setstacksize(attributes, stackSize)
      precondition(status == 0, "JoinableThread.init: 'stackSize' must be a multiple of a page")
    }
    #if canImport(Darwin)
      var handle: pthread_t?
    #else
      var handle: pthread_t = 0
    #endif
    // Balanced by the thread's takeRetainedValue.
    let argument = unsafe Unmanaged.passRetained(entry).toOpaque()
    let status = unsafe pthread_create(
      &handle, attributes,
      { argument in
        let argument: UnsafeMutableRawPointer? = unsafe argument
        if let argument = unsafe argument {
          unsafe Unmanaged<ThreadEntry>.fromOpaque(argument).takeRetainedValue().body()
        }
        return nil
      }, argument)
    precondition(status == 0, "JoinableThread.init: a thread could not be started")
    #if canImport(Darwin)
      return handle.unsafelyUnwrapped
    #else
      return handle
    #endif
  }
}

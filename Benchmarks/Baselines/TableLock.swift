// SPDX-License-Identifier: MIT

public import Synchronization

#if canImport(Darwin)
  public import Darwin
#else
  public import Glibc
#endif

/// A table of entries, and the lock of the table.
public protocol TableLock: AnyObject, Sendable {
  init()
  func read<Result>(_ body: (borrowing EntryTable) throws -> Result) rethrows -> Result
  func write<Result>(_ body: (inout EntryTable) throws -> Result) rethrows -> Result
}

/// A table behind the standard library's mutex.
public final class MutexTable: TableLock {
  @usableFromInline let table = Mutex(EntryTable())

  public init() {}

  @inlinable
  public func read<Result>(_ body: (borrowing EntryTable) throws -> Result) rethrows -> Result {
    try table.withLock { try body($0) }
  }

  @inlinable
  public func write<Result>(_ body: (inout EntryTable) throws -> Result) rethrows -> Result {
    try table.withLock { try body(&$0) }
  }
}

/// A table behind a read-write lock of POSIX threads.
@safe
public final class ReadWriteLockTable: TableLock, @unchecked Sendable {
  // SAFETY: the table is only touched between locking and unlocking; the lock lives as long as it.
  @exclusivity(unchecked) @usableFromInline var table = EntryTable()
  @usableFromInline let lock: UnsafeMutablePointer<pthread_rwlock_t>

  public init() {
    unsafe lock = .allocate(capacity: 1)
    unsafe pthread_rwlock_init(lock, nil)
  }

  deinit {
    unsafe pthread_rwlock_destroy(lock)
    unsafe lock.deallocate()
  }

  @inlinable
  public func read<Result>(_ body: (borrowing EntryTable) throws -> Result) rethrows -> Result {
    unsafe pthread_rwlock_rdlock(lock)
    defer { unsafe pthread_rwlock_unlock(lock) }
    return try unsafe body(table)
  }

  @inlinable
  public func write<Result>(_ body: (inout EntryTable) throws -> Result) rethrows -> Result {
    unsafe pthread_rwlock_wrlock(lock)
    defer { unsafe pthread_rwlock_unlock(lock) }
    return try unsafe body(&table)
  }
}

/// A dictionary with names behind `Synchronization.Mutex`.
public typealias NamedContainer = LockedContainer<MutexTable>

/// A dictionary behind `pthread_rwlock_t`.
public typealias ReadWriteLockContainer = LockedContainer<ReadWriteLockTable>

// SPDX-License-Identifier: MIT

/// A reference to an object that any thread may replace while others read it.
///
/// ```swift
/// let current = SharedReference(Settings(level: 1))
/// let level = current.load().level
/// let former = current.exchange(Settings(level: 2))
/// ```
///
/// ## Concurrency
/// All operations are lock-free.
public final class SharedReference<Object: AnyObject & Sendable>: Sendable {
  /// Stored without the type of the object, so that the code is not generic at run time.
  private let reference = ReplaceableReference<AnyObject>()

  /// - Parameter object: the first object. The reference keeps the object alive.
  public init(_ object: Object) {
    reference.store(object)
  }

  /// Returns the present object.
  ///
  /// Lock-free.
  @inlinable
  public func load() -> Object {
    // SAFETY: only objects of this type are stored.
    unsafe unsafeDowncast(loadObject(), to: Object.self)
  }

  @usableFromInline
  func loadObject() -> AnyObject {
    guard let object = reference.load() else {
      preconditionFailure("SharedReference.load: a reference must have an object")
    }
    return object
  }

  /// Refers to another object from now on.
  ///
  /// The former object is released, when no thread is reading the object any more.
  ///
  /// Lock-free.
  public func store(_ object: Object) {
    reference.store(object)
  }

  /// Stores an object like ``store(_:)``, and returns the former object.
  ///
  /// Lock-free.
  public func exchange(_ object: Object) -> Object {
    guard let former = reference.store(object) else { return object }
    // SAFETY: see above.
    return unsafe unsafeDowncast(former, to: Object.self)
  }

  /// Replaces the present object by the result of `change`. Of several concurrent changes none is
  /// lost.
  ///
  /// - Parameter change: may be called several times.
  ///
  /// Lock-free.
  package func update(_ change: (Object) -> Object) {
    reference.update { former in
      guard let former else {
        preconditionFailure("SharedReference.update: a reference must have an object")
      }
      // SAFETY: see above.
      return change(unsafe unsafeDowncast(former, to: Object.self))
    }
  }
}

/// A reference to a container that any thread may replace while others read it.
///
/// ```swift
/// enum Application {
///   static let container = ContainerReference(Container())
/// }
/// let mailer = try Application.container.load().resolve(Mailer.self)
/// let former = Application.container.exchange(testContainer)
/// ```
///
/// For a process-wide container that tests and settings change. Prefer to pass a container along.
public typealias ContainerReference = SharedReference<Container>

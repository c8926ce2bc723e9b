// SPDX-License-Identifier: MIT

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

// SPDX-License-Identifier: MIT

/// An object by which owners are told apart.
final class Mark: Sendable {}

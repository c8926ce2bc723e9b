// SPDX-License-Identifier: MIT

// The types that a host and its plugin both name. Here each is linked with a copy of them.
public protocol Service: Sendable {}

public struct Settings: Service {
  public init() {}
}

public final class Pool: Sendable {
  public init() {}
}

public struct Box<Content: Sendable>: Sendable {
  public init() {}
}

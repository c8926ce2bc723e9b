// SPDX-License-Identifier: MIT

/// Where disposers wait until a test lets them go on.
public actor DisposalStage {
  public private(set) var begun: [String] = []
  public private(set) var ended: [String] = []
  private var letsAllGo = false
  private var held: [String: CheckedContinuation<Void, Never>] = [:]
  private var waits: [(count: Int, continuation: CheckedContinuation<Bool, Never>)] = []

  public init() {}

  /// What is between its begin and its end.
  public var running: Set<String> { Set(begun).subtracting(ended) }

  /// A disposer: goes on when it is let go.
  public func dispose(_ name: String) async {
    begun.append(name)
    await withCheckedContinuation { continuation in
      held[name] = continuation
      if letsAllGo { letGo(name) }
      for wait in waits where wait.count <= begun.count {
        wait.continuation.resume(returning: true)
      }
      waits.removeAll { $0.count <= begun.count }
    }
  }

  public func letGo(_ name: String) {
    guard let continuation = held.removeValue(forKey: name) else { return }
    ended.append(name)
    continuation.resume()
  }

  /// Lets go all that run, and all that will.
  public func letAllGo() {
    letsAllGo = true
    for name in held.keys { letGo(name) }
  }

  /// Waits until a number of disposers have begun.
  ///
  /// - Returns: `false` if they did not in minutes.
  public func waitUntilBegun(_ count: Int) async -> Bool {
    if begun.count >= count { return true }
    let alarm = Task {
      try await Task.sleep(for: .seconds(180))
      giveUp()
    }
    defer { alarm.cancel() }
    return await withCheckedContinuation { waits.append((count, $0)) }
  }

  private func giveUp() {
    for wait in waits { wait.continuation.resume(returning: false) }
    waits = []
  }
}

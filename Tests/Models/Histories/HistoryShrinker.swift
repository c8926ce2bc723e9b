// SPDX-License-Identifier: MIT

/// Makes a script smaller that has led to a wrong history, by running smaller ones again and again.
public struct HistoryShrinker {
  /// How often a script is run until it counts as one that does not fail.
  private let rounds: Int
  private let runner: HistoryRunner

  public init(rounds: Int = 4_000, on runner: HistoryRunner) {
    self.rounds = rounds
    self.runner = runner
  }

  /// The smallest script found that fails, with what is wrong then; `nil` when the script did not
  /// fail again.
  public func shrink(_ script: HistoryScript) -> (script: HistoryScript, problems: [String])? {
    guard var problems = failure(of: script) else { return nil }
    var smallest = script
    var isSmaller = true
    while isSmaller {
      isSmaller = false
      for candidate in Self.smaller(than: smallest) {
        guard let found = failure(of: candidate) else { continue }
        (smallest, problems, isSmaller) = (candidate, found, true)
        break
      }
    }
    return (smallest, problems)
  }

  private func failure(of script: HistoryScript) -> [String]? {
    let batch = 200
    for _ in 0..<max(1, rounds / batch) {
      let verdicts = runner.run(Array(repeating: script, count: batch))
      if let wrong = verdicts.first(where: { !$0.isRight }) { return wrong.problems }
    }
    return nil
  }

  /// The script without one of its threads or operations, the largest part first.
  private static func smaller(than script: HistoryScript) -> [HistoryScript] {
    var scripts: [HistoryScript] = []
    func add(_ change: (inout HistoryScript) -> Void) {
      var smaller = script
      change(&smaller)
      scripts.append(smaller)
    }
    for thread in script.threads.indices { add { $0.threads.remove(at: thread) } }
    for key in 0..<HistoryScript.keys {
      let isUsed = script.operations.contains { $0.key == key }
      if isUsed { add { $0.remove { $0.key == key } } }
    }
    for thread in script.threads.indices {
      for index in script.threads[thread].indices { add { $0.threads[thread].remove(at: index) } }
    }
    for index in script.prelude.indices { add { $0.prelude.remove(at: index) } }
    return scripts
  }
}

extension HistoryScript {
  fileprivate mutating func remove(_ isRemoved: (Operation) -> Bool) {
    prelude.removeAll(where: isRemoved)
    for thread in threads.indices { threads[thread].removeAll(where: isRemoved) }
    threads.removeAll(where: \.isEmpty)
  }
}

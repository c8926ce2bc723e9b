// SPDX-License-Identifier: MIT

import SwiftInjectionsDialect
import Testing

private final class Holder {
  let other: Holder?

  init(_ other: Holder? = nil) {
    self.other = other
  }
}

private final class Endless: Assembly {
  var first: Holder {
    return define(withKey: "first", scope: .Singleton) { definition in
      definition *~> Holder(self.second)
    }
  }

  var second: Holder {
    return define(withKey: "second", scope: .Singleton) { definition in
      definition *~> Holder(self.first)
    }
  }

  /// Needs the other one before it begins to make its own.
  var left: Holder {
    return define(withKey: "left", scope: .Singleton) { definition in
      let right = self.right
      return definition *~> Holder(right)
    }
  }

  var right: Holder {
    return define(withKey: "right", scope: .Singleton) { definition in
      let left = self.left
      return definition *~> Holder(left)
    }
  }
}

private final class Chicken: Assembly {
  let egg = Egg.instance()
}

private final class Egg: Assembly {
  let chicken = Chicken.instance()
}

/// None of the library's functions throws: what cannot be made ends the program, and the message
/// says why.
@Suite struct EndOfProgramTests {
  @Test func singletonsWhoseInitializersNeedEachOther() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      _ = Endless().first
    }
    expect(result, says: "Circular dependency")
  }

  @Test func singletonsWhoseBlocksNeedEachOtherBeforeTheyAreMade() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      _ = Endless().left
    }
    expect(result, says: "Circular dependency")
  }

  @Test func assembliesWhoseInitializersNeedEachOther() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      _ = Chicken.instance()
    }
    expect(result, says: "Circular dependency")
  }

  private func expect(_ result: ExitTest.Result?, says text: String) {
    guard let result else { return }
    let output = String(decoding: result.standardErrorContent, as: UTF8.self)
    #expect(output.contains(text))
    // The core's hints name functions that this library has not.
    #expect(!output.contains("hint:"))
  }
}

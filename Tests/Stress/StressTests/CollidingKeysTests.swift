// SPDX-License-Identifier: MIT

/// How many bits of a key's hash count when keys are meant to collide.
private let collidingBits: UInt32 = 4

// The suites once more, with containers in which almost all keys collide. Each overrides one test,
// because a class without any is not discovered.

final class CollidingExactlyOnceTests: ExactlyOnceTests {
  override var fingerprintBits: UInt32 { collidingBits }
  override func testASingletonIsBuiltOncePerContainer() throws {
    try super.testASingletonIsBuiltOncePerContainer()
  }
}

final class CollidingIndependenceTests: IndependenceTests {
  override var fingerprintBits: UInt32 { collidingBits }
  override func testAReadySingletonResolvesWhileAnotherFactoryRuns() throws {
    try super.testAReadySingletonResolvesWhileAnotherFactoryRuns()
  }
}

final class CollidingHoppingTests: HoppingTests {
  override var fingerprintBits: UInt32 { collidingBits }
  override func testAFactoryHopsWithItsResolver() throws {
    try super.testAFactoryHopsWithItsResolver()
  }
}

final class CollidingCrossThreadCycleTests: CrossThreadCycleTests {
  override var fingerprintBits: UInt32 { collidingBits }
  override func testTwoThreadsBuildingEachOthersDependency() throws {
    try super.testTwoThreadsBuildingEachOthersDependency()
  }
}

final class CollidingOverrideStormTests: OverrideStormTests {
  override var fingerprintBits: UInt32 { collidingBits }
  override func testSingletons() throws { try super.testSingletons() }
}

final class CollidingBorrowTests: BorrowTests {
  override var fingerprintBits: UInt32 { collidingBits }
  override func testInstancesAreIntactWhileTheyAreLent() throws {
    try super.testInstancesAreIntactWhileTheyAreLent()
  }
}

final class CollidingCompositionStressTests: CompositionStressTests {
  override var fingerprintBits: UInt32 { collidingBits }
  override func testResolvesGetAnApplicationOfSomeMoment() throws {
    try super.testResolvesGetAnApplicationOfSomeMoment()
  }
}

final class CollidingGrowthTests: GrowthTests {
  override var fingerprintBits: UInt32 { collidingBits }
  override func testPresentKeysAreNeverMissed() throws { try super.testPresentKeysAreNeverMissed() }
}

final class CollidingRetryTests: RetryTests {
  override var fingerprintBits: UInt32 { collidingBits }
  override func testWaitersOfASingletonGetATurnEach() throws {
    try super.testWaitersOfASingletonGetATurnEach()
  }
}

final class CollidingWeakTests: WeakTests {
  override var fingerprintBits: UInt32 { collidingBits }
  override func testAClassIsNeverHeldTwice() throws { try super.testAClassIsNeverHeldTwice() }
}

final class CollidingReentrancyTests: ReentrancyTests {
  override var fingerprintBits: UInt32 { collidingBits }
  override func testFactoriesOverrideTheirOwnKey() throws {
    try super.testFactoriesOverrideTheirOwnKey()
  }
}

final class CollidingRemovalTests: RemovalTests {
  override var fingerprintBits: UInt32 { collidingBits }
  override func testUnregisteringBesideResolves() throws {
    try super.testUnregisteringBesideResolves()
  }
}

final class CollidingChainingTests: ChainingTests {
  override var fingerprintBits: UInt32 { collidingBits }
  override func testResolvesBesideAModifier() throws { try super.testResolvesBesideAModifier() }
}

final class CollidingErrorTests: ErrorTests {
  override var fingerprintBits: UInt32 { collidingBits }
  override func testErrorsAreNotMixedUp() throws { try super.testErrorsAreNotMixedUp() }
}

final class CollidingForkTests: ForkTests {
  override var fingerprintBits: UInt32 { collidingBits }
  override func testAChildUsesWhatTheParentLeft() throws {
    try super.testAChildUsesWhatTheParentLeft()
  }
}

final class CollidingForkStormTests: ForkStormTests {
  override var fingerprintBits: UInt32 { collidingBits }
  override func testForksWhileOtherThreadsUseTheContainer() throws {
    try super.testForksWhileOtherThreadsUseTheContainer()
  }
}

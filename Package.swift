// swift-tools-version: 6.2
// SPDX-License-Identifier: MIT

import PackageDescription

let strict: [SwiftSetting] = [
  .strictMemorySafety(),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

// Linux links the archive: a program needs no libck.so where it runs, and the flags of libck's pkg-config file, which
// SwiftPM warns about, are not read. A Mac finds Homebrew's prefix through pkg-config only.
#if os(macOS)
  let concurrencyKit = Target.systemLibrary(
    name: "CConcurrencyKit", pkgConfig: "ck", providers: [.brew(["concurrencykit"])])
#else
  let concurrencyKit = Target.systemLibrary(
    name: "CConcurrencyKit", providers: [.apt(["libck-dev"])])
#endif

let package = Package(
  name: "corinth",
  platforms: [.macOS(.v15)],
  products: [
    .library(name: "Corinth", targets: ["Corinth"]),
    .library(name: "CorinthTesting", targets: ["CorinthTesting"]),
    .library(name: "CorinthXCTest", targets: ["CorinthXCTest"]),
    .library(name: "MacaroniDialect", targets: ["MacaroniDialect"]),
    .library(name: "FusionDialect", targets: ["FusionDialect"]),
    .library(name: "SwiftInjectionsDialect", targets: ["SwiftInjectionsDialect"]),
    .library(name: "DICDialect", targets: ["DICDialect"]),
    .library(name: "AstrojectDialect", targets: ["AstrojectDialect"]),
  ],
  targets: [
    concurrencyKit,
    .target(
      name: "CCorinth", dependencies: ["CConcurrencyKit"],
      linkerSettings: [.linkedLibrary(":libck.a", .when(platforms: [.linux]))]),
    .target(name: "Corinth", dependencies: ["CCorinth"], swiftSettings: strict),

    // For tests of applications. Each of the two is linked with its test library: Swift Testing, XCTest.
    .target(name: "TestingSupport", dependencies: ["Corinth"], swiftSettings: strict),
    .target(
      name: "CorinthTesting", dependencies: ["Corinth", "TestingSupport"], swiftSettings: strict),
    .target(
      name: "CorinthXCTest", dependencies: ["Corinth", "TestingSupport"], swiftSettings: strict),

    // The dialects: older libraries' interfaces over Corinth.
    .target(name: "DialectSupport", dependencies: ["Corinth"], swiftSettings: strict),
    .target(
      name: "MacaroniDialect", dependencies: ["Corinth", "DialectSupport"], swiftSettings: strict),
    .target(
      name: "FusionDialect", dependencies: ["Corinth", "DialectSupport"], swiftSettings: strict),
    .target(
      name: "SwiftInjectionsDialect", dependencies: ["Corinth", "DialectSupport"],
      swiftSettings: strict),
    .target(
      name: "DICDialect", dependencies: ["Corinth", "DialectSupport"], swiftSettings: strict),
    .target(
      name: "AstrojectDialect", dependencies: ["Corinth", "DialectSupport"], swiftSettings: strict),

    .target(
      name: "BenchmarkSupport", dependencies: ["CConcurrencyKit"],
      path: "Benchmarks/Support", swiftSettings: strict),
    .target(name: "Baselines", path: "Benchmarks/Baselines", swiftSettings: strict),
    .executableTarget(
      name: "ResolveBenchmark",
      dependencies: ["Corinth", "Baselines", "BenchmarkSupport"],
      path: "Benchmarks/Resolve", swiftSettings: strict),
    .executableTarget(
      name: "LifetimesBenchmark",
      dependencies: ["Corinth", "Baselines", "BenchmarkSupport"],
      path: "Benchmarks/Lifetimes", swiftSettings: strict),
    .executableTarget(
      name: "InstructionsBenchmark",
      dependencies: [
        "Corinth", "MacaroniDialect", "FusionDialect", "SwiftInjectionsDialect", "DICDialect",
        "BenchmarkSupport",
      ],
      path: "Benchmarks/Instructions", swiftSettings: strict),
    .executableTarget(
      name: "CompileTimeBenchmark",
      dependencies: ["Corinth", "BenchmarkSupport"],
      path: "Benchmarks/CompileTime", swiftSettings: strict),
    .executableTarget(
      name: "GraphBenchmark",
      dependencies: ["Corinth", "BenchmarkSupport"],
      path: "Benchmarks/Graph", swiftSettings: strict),

    .target(name: "CTestSupport", dependencies: ["CCorinth"], path: "Tests/CTestSupport"),
    .target(
      name: "TestSupport",
      dependencies: ["Corinth", "CTestSupport"],
      path: "Tests/TestSupport", swiftSettings: strict),
    .target(
      name: "RandomGraphs",
      dependencies: ["Corinth", "TestSupport", "CTestSupport"],
      path: "Tests/RandomGraphs", swiftSettings: strict),
    .executableTarget(
      name: "RandomGraphRun",
      dependencies: ["RandomGraphs"],
      path: "Tests/RandomGraphRun", swiftSettings: strict),
    .target(
      name: "Histories",
      dependencies: ["Corinth", "TestSupport"],
      path: "Tests/Histories", swiftSettings: strict),
    .executableTarget(
      name: "HistoryRun",
      dependencies: ["Histories"],
      path: "Tests/HistoryRun", swiftSettings: strict),
    .target(
      name: "Accounts",
      dependencies: ["Corinth", "TestSupport"],
      path: "Tests/Accounts", swiftSettings: strict),
    .executableTarget(
      name: "AccountRun",
      dependencies: ["Accounts"],
      path: "Tests/AccountRun", swiftSettings: strict),
    .testTarget(
      name: "CCorinthTests",
      dependencies: ["CCorinth", "CTestSupport", "TestSupport"], swiftSettings: strict),
    .testTarget(
      name: "CorinthTests",
      dependencies: ["Corinth", "TestSupport"], exclude: ["Golden"], swiftSettings: strict),
    .testTarget(
      name: "CorinthTestingTests",
      dependencies: [
        "Corinth", "CorinthTesting", "CorinthXCTest", "TestingSupport", "TestSupport",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "TestingGuideTests",
      dependencies: ["Corinth", "CorinthTesting", "CorinthXCTest"], swiftSettings: strict),
    // Clients of the dialects in both language modes: the Swift5 directories are links to the others.
    .testTarget(name: "MacaroniDialectTests", dependencies: ["MacaroniDialect", "TestSupport"]),
    .testTarget(
      name: "MacaroniDialectSwift5Tests", dependencies: ["MacaroniDialect", "TestSupport"],
      swiftSettings: [.swiftLanguageMode(.v5)]),
    .testTarget(name: "FusionDialectTests", dependencies: ["FusionDialect", "TestSupport"]),
    .testTarget(
      name: "FusionDialectSwift5Tests", dependencies: ["FusionDialect", "TestSupport"],
      swiftSettings: [.swiftLanguageMode(.v5)]),
    .testTarget(
      name: "SwiftInjectionsDialectTests", dependencies: ["SwiftInjectionsDialect", "TestSupport"]),
    .testTarget(
      name: "SwiftInjectionsDialectSwift5Tests",
      dependencies: ["SwiftInjectionsDialect", "TestSupport"],
      swiftSettings: [.swiftLanguageMode(.v5)]),
    .testTarget(name: "DICDialectTests", dependencies: ["DICDialect", "TestSupport"]),
    .testTarget(
      name: "DICDialectSwift5Tests", dependencies: ["DICDialect", "TestSupport"],
      swiftSettings: [.swiftLanguageMode(.v5)]),
    .testTarget(name: "AstrojectDialectTests", dependencies: ["AstrojectDialect", "TestSupport"]),
    .testTarget(
      name: "AstrojectDialectSwift5Tests", dependencies: ["AstrojectDialect", "TestSupport"],
      swiftSettings: [.swiftLanguageMode(.v5)]),
    .executableTarget(
      name: "DialectsTogether",
      dependencies: [
        "Corinth", "MacaroniDialect", "FusionDialect", "SwiftInjectionsDialect", "DICDialect",
        "AstrojectDialect",
      ],
      path: "Tests/DialectsTogether", exclude: ["output.txt"]),
    .testTarget(
      name: "GraphBenchmarkTests",
      dependencies: ["Corinth", "GraphBenchmark"], swiftSettings: strict),
    .testTarget(
      name: "StressTests",
      dependencies: [
        "Corinth", "TestSupport", "CTestSupport", "RandomGraphs", "RandomGraphRun", "Histories",
        "Accounts",
      ],
      exclude: ["Graphs"], swiftSettings: strict),
    .target(
      name: "ModularShop",
      dependencies: ["Corinth"],
      path: "Tests/ModularShop", swiftSettings: strict),
    .executableTarget(
      name: "ModularShopRun",
      dependencies: ["Corinth", "ModularShop"],
      path: "Tests/ModularShopRun", exclude: ["output.txt"], swiftSettings: strict),
    .testTarget(
      name: "ModularShopTests",
      dependencies: ["Corinth", "ModularShop", "TestSupport"], swiftSettings: strict),
    .testTarget(
      name: "RandomGraphsTests",
      dependencies: ["RandomGraphs", "RandomGraphRun"], swiftSettings: strict),
    .testTarget(
      name: "HistoriesTests",
      dependencies: ["Histories", "TestSupport"], swiftSettings: strict),
  ],
  swiftLanguageModes: [.v6],
  cLanguageStandard: .gnu17
)

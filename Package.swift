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

// For programs that load plugins: one library with all modules but those for tests, and one with these too. A program that is
// linked with either needs no other product: those are linked statically, and bring a copy of Corinth.
let modules = [
  "Corinth", "CorinthDrawing", "CorinthTimeline", "CorinthConfiguration", "MacaroniDialect",
  "FusionDialect", "SwiftInjectionsDialect", "DICDialect", "AstrojectDialect", "SwinjectDialect",
  "SwinjectAutoregistrationDialect", "SwinjectPropertyLoaderDialect",
]
let testingModules = ["CorinthTesting", "CorinthXCTest"]

let package = Package(
  name: "corinth",
  platforms: [.macOS(.v15)],
  products: (modules + testingModules).map { .library(name: $0, targets: [$0]) } + [
    .library(name: "CorinthDynamic", type: .dynamic, targets: modules),
    .library(name: "CorinthTestingDynamic", type: .dynamic, targets: modules + testingModules),
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

    // For people who look at an application.
    .target(
      name: "CorinthDrawing", dependencies: ["Corinth", "CorinthTimeline"], exclude: ["Page"],
      swiftSettings: strict),
    .target(name: "CorinthTimeline", dependencies: ["Corinth"], swiftSettings: strict),

    // Properties of files and of the environment.
    .target(name: "CorinthConfiguration", dependencies: ["Corinth"], swiftSettings: strict),

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
      name: "SwinjectDialect", dependencies: ["Corinth", "DialectSupport"], swiftSettings: strict),
    .target(
      name: "SwinjectAutoregistrationDialect", dependencies: ["SwinjectDialect"],
      swiftSettings: strict),
    .target(
      name: "SwinjectPropertyLoaderDialect",
      dependencies: ["Corinth", "CorinthConfiguration", "DialectSupport", "SwinjectDialect"],
      swiftSettings: strict),

    .target(
      name: "BenchmarkSupport", dependencies: ["CConcurrencyKit"],
      path: "Benchmarks/Support", swiftSettings: strict),
    .target(name: "Baselines", path: "Benchmarks/Baselines", swiftSettings: strict),
    .target(
      name: "Requests",
      dependencies: ["Corinth", "Baselines", "BenchmarkSupport"],
      path: "Benchmarks/Requests", swiftSettings: strict),
    .executableTarget(
      name: "ResolveBenchmark",
      dependencies: ["Corinth", "Baselines", "BenchmarkSupport"],
      path: "Benchmarks/Resolve", swiftSettings: strict),
    .executableTarget(
      name: "LifetimesBenchmark",
      dependencies: ["Corinth", "Baselines", "BenchmarkSupport", "Requests"],
      path: "Benchmarks/Lifetimes", swiftSettings: strict),
    .executableTarget(
      name: "InstructionsBenchmark",
      dependencies: [
        "Corinth", "MacaroniDialect", "FusionDialect", "SwiftInjectionsDialect", "DICDialect",
        "SwinjectDialect", "Baselines", "BenchmarkSupport", "Requests",
      ],
      path: "Benchmarks/Instructions", swiftSettings: strict),
    .executableTarget(
      name: "OverridesBenchmark",
      dependencies: ["Corinth", "BenchmarkSupport", "Requests"],
      path: "Benchmarks/Overrides", swiftSettings: strict),
    .executableTarget(
      name: "Walk", dependencies: ["Corinth"], path: "Benchmarks/Walk", swiftSettings: strict),
    .target(name: "CScale", path: "Benchmarks/CScale"),
    .executableTarget(
      name: "ScaleBenchmark",
      dependencies: ["Corinth", "BenchmarkSupport", "CScale"],
      path: "Benchmarks/Scale", swiftSettings: strict),
    .executableTarget(
      name: "CompileTimeBenchmark",
      dependencies: ["Corinth", "BenchmarkSupport"],
      path: "Benchmarks/CompileTime", swiftSettings: strict),
    .executableTarget(
      name: "GraphBenchmark",
      dependencies: ["Corinth", "BenchmarkSupport"],
      path: "Benchmarks/Graph", swiftSettings: strict),

    .target(name: "CTestSupport", dependencies: ["CCorinth"], path: "Tests/Support/CTestSupport"),
    .target(
      name: "TestSupport",
      dependencies: ["Corinth", "CTestSupport"],
      path: "Tests/Support/TestSupport", swiftSettings: strict),
    .executableTarget(
      name: "BlockedServiceRun", dependencies: ["Corinth", "TestSupport"],
      path: "Tests/Support/BlockedServiceRun", swiftSettings: strict),
    .target(
      name: "RandomGraphs",
      dependencies: ["Corinth", "TestSupport", "CTestSupport"],
      path: "Tests/Models/RandomGraphs", swiftSettings: strict),
    .executableTarget(
      name: "RandomGraphRun",
      dependencies: ["RandomGraphs"],
      path: "Tests/Models/RandomGraphRun", swiftSettings: strict),
    .target(
      name: "Histories",
      dependencies: ["Corinth", "TestSupport"],
      path: "Tests/Models/Histories", swiftSettings: strict),
    .executableTarget(
      name: "HistoryRun",
      dependencies: ["Histories"],
      path: "Tests/Models/HistoryRun", swiftSettings: strict),
    .target(
      name: "DialectHistories",
      dependencies: [
        "MacaroniDialect", "FusionDialect", "DICDialect", "SwiftInjectionsDialect",
        "AstrojectDialect", "SwinjectDialect", "TestSupport",
      ],
      path: "Tests/Models/DialectHistories", swiftSettings: strict),
    .executableTarget(
      name: "DialectHistoryRun",
      dependencies: ["DialectHistories"],
      path: "Tests/Models/DialectHistoryRun", swiftSettings: strict),
    .target(
      name: "Accounts",
      dependencies: ["Corinth", "TestSupport"],
      path: "Tests/Models/Accounts", swiftSettings: strict),
    .executableTarget(
      name: "AccountRun",
      dependencies: ["Accounts"],
      path: "Tests/Models/AccountRun", swiftSettings: strict),
    .testTarget(
      name: "CCorinthTests",
      dependencies: ["CCorinth", "CTestSupport", "TestSupport"], path: "Tests/Unit/CCorinthTests",
      swiftSettings: strict),
    .testTarget(
      name: "CorinthTests",
      dependencies: ["Corinth", "TestSupport", "BlockedServiceRun"],
      path: "Tests/Unit/CorinthTests",
      swiftSettings: strict),
    .testTarget(
      name: "CorinthTestingTests",
      dependencies: [
        "Corinth", "CorinthTesting", "CorinthXCTest", "TestingSupport", "TestSupport",
      ],
      path: "Tests/Unit/CorinthTestingTests", swiftSettings: strict),
    .testTarget(
      name: "CorinthDrawingTests", dependencies: ["Corinth", "CorinthDrawing", "TestSupport"],
      path: "Tests/Unit/CorinthDrawingTests", swiftSettings: strict),
    .testTarget(
      name: "CorinthTimelineTests",
      dependencies: ["Corinth", "CorinthTimeline", "CorinthDrawing", "TestSupport"],
      path: "Tests/Unit/CorinthTimelineTests", swiftSettings: strict),
    .testTarget(
      name: "CorinthConfigurationTests",
      dependencies: ["Corinth", "CorinthConfiguration", "CorinthDrawing", "TestSupport"],
      path: "Tests/Unit/CorinthConfigurationTests", swiftSettings: strict),
    .testTarget(
      name: "TestingGuideTests",
      dependencies: ["Corinth", "CorinthTesting", "CorinthXCTest"],
      path: "Tests/Samples/TestingGuideTests", swiftSettings: strict),
    .executableTarget(
      name: "DialectsTogether",
      dependencies: [
        "Corinth", "MacaroniDialect", "FusionDialect", "SwiftInjectionsDialect", "DICDialect",
        "AstrojectDialect", "SwinjectDialect", "SwinjectAutoregistrationDialect",
      ],
      path: "Tests/Dialects/DialectsTogether", exclude: ["output.txt"]),
    .testTarget(
      name: "SwinjectPropertyLoaderDialectTests",
      dependencies: ["SwinjectDialect", "SwinjectPropertyLoaderDialect", "TestSupport"],
      path: "Tests/Dialects/SwinjectPropertyLoaderDialectTests"),
    .testTarget(
      name: "GraphBenchmarkTests",
      dependencies: ["Corinth", "GraphBenchmark", "BenchmarkSupport"],
      path: "Tests/Unit/GraphBenchmarkTests",
      swiftSettings: strict),
    .testTarget(
      name: "StressTests",
      dependencies: [
        "Corinth", "CorinthTimeline", "TestSupport", "CTestSupport", "RandomGraphs",
        "RandomGraphRun",
        "Histories", "Accounts",
      ],
      path: "Tests/Stress/StressTests", exclude: ["Graphs"], swiftSettings: strict),
    .executableTarget(
      name: "GraphPages", dependencies: ["Corinth", "CorinthDrawing", "CorinthTimeline"],
      path: "Tests/Samples/GraphPages", swiftSettings: strict),
    .target(
      name: "ModularShop",
      dependencies: ["Corinth"],
      path: "Tests/Samples/ModularShop", swiftSettings: strict),
    .executableTarget(
      name: "ModularShopRun",
      dependencies: ["Corinth", "ModularShop"],
      path: "Tests/Samples/ModularShopRun", exclude: ["output.txt"], swiftSettings: strict),
    .testTarget(
      name: "ModularShopTests",
      dependencies: ["Corinth", "ModularShop", "TestSupport"],
      path: "Tests/Samples/ModularShopTests", swiftSettings: strict),
    .testTarget(
      name: "RandomGraphsTests",
      dependencies: ["RandomGraphs", "RandomGraphRun", "TestSupport"],
      path: "Tests/Models/RandomGraphsTests", exclude: ["Graphs"], swiftSettings: strict),
    .testTarget(
      name: "DialectHistoriesTests",
      dependencies: ["DialectHistories", "DialectHistoryRun", "TestSupport"],
      path: "Tests/Models/DialectHistoriesTests", swiftSettings: strict),
    .testTarget(
      name: "HistoriesTests",
      dependencies: ["Histories", "TestSupport"], path: "Tests/Models/HistoriesTests",
      swiftSettings: strict),
  ],
  swiftLanguageModes: [.v6],
  cLanguageStandard: .gnu17
)

// Clients of the dialects in both language modes: the Swift5 directories are links to the others.
for dialect in ["Macaroni", "Fusion", "SwiftInjections", "DIC", "Astroject", "Swinject"] {
  for (mode, settings) in [("", []), ("Swift5", [SwiftSetting.swiftLanguageMode(.v5)])] {
    let name = "\(dialect)Dialect\(mode)Tests"
    let others = dialect == "Swinject" ? ["SwinjectAutoregistrationDialect"] : []
    package.targets.append(
      .testTarget(
        name: name,
        dependencies: (["\(dialect)Dialect", "TestSupport"] + others).map { .target(name: $0) },
        path: "Tests/Dialects/\(name)", swiftSettings: settings))
  }
}

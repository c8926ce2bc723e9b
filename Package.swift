// swift-tools-version: 6.2
// SPDX-License-Identifier: MIT

import PackageDescription

extension Target {
  /// A target of Swift code, with the settings that all of it shares: kind, name, dependencies, and
  /// the folder if that is not the folder of the name in `Sources` or `Tests`.
  static func swift(
    _ kind: TargetType, _ name: String, _ dependencies: [String] = [],
    at path: String? = nil, exclude: [String] = []
  ) -> Target {
    let dependencies = dependencies.map(Dependency.init(stringLiteral:))
    let target =
      switch kind {
      case .executable:
        executableTarget(name: name, dependencies: dependencies, path: path, exclude: exclude)
      case .test:
        testTarget(name: name, dependencies: dependencies, path: path, exclude: exclude)
      default:
        Target.target(name: name, dependencies: dependencies, path: path, exclude: exclude)
      }
    target.swiftSettings = [
      .strictMemorySafety(),
      .enableUpcomingFeature("ExistentialAny"),
      .enableUpcomingFeature("InternalImportsByDefault"),
      .enableUpcomingFeature("MemberImportVisibility"),
    ]
    return target
  }
}

// Linux links the archive: a program needs no libck.so where it runs, and the flags of libck's
// pkg-config file, which SwiftPM warns about, are not read. A Mac finds Homebrew's prefix through
// pkg-config only.
#if os(macOS)
  let concurrencyKit = Target.systemLibrary(
    name: "CConcurrencyKit", pkgConfig: "ck", providers: [.brew(["concurrencykit"])])
#else
  let concurrencyKit = Target.systemLibrary(
    name: "CConcurrencyKit", providers: [.apt(["libck-dev"])])
#endif

// For programs that load plugins: one library with all modules but those for tests, and one with
// these too. A program that is linked with either needs no other product: those are linked
// statically, and bring a copy of Corinth.
let modules = [
  "Corinth", "CorinthDrawing", "CorinthTimeline", "CorinthConfiguration", "MacaroniDialect",
  "FusionDialect", "SwiftInjectionsDialect", "DICDialect", "AstrojectDialect", "SwinjectDialect",
  "SwinjectAutoregistrationDialect", "SwinjectPropertyLoaderDialect",
]
let testingModules = ["CorinthTesting", "CorinthXCTest"]

let libraries: [Target] = [
  concurrencyKit,
  .target(
    name: "CCorinth", dependencies: ["CConcurrencyKit"],
    linkerSettings: [.linkedLibrary(":libck.a", .when(platforms: [.linux]))]),
  .swift(.regular, "Corinth", ["CCorinth"]),

  // For tests of applications. Each of the two is linked with its test library: Swift Testing,
  // XCTest.
  .swift(.regular, "TestingSupport", ["Corinth"]),
  .swift(.regular, "CorinthTesting", ["Corinth", "TestingSupport"]),
  .swift(.regular, "CorinthXCTest", ["Corinth", "TestingSupport"]),

  // For people who look at an application.
  .swift(.regular, "CorinthDrawing", ["Corinth", "CorinthTimeline"], exclude: ["Page"]),
  .swift(.regular, "CorinthTimeline", ["Corinth"]),

  // Properties of files and of the environment.
  .swift(.regular, "CorinthConfiguration", ["Corinth"]),

  // The compatibility modules: older libraries' interfaces over Corinth.
  .swift(.regular, "DialectSupport", ["Corinth"]),
  .swift(.regular, "MacaroniDialect", ["Corinth", "DialectSupport"]),
  .swift(.regular, "FusionDialect", ["Corinth", "DialectSupport"]),
  .swift(.regular, "SwiftInjectionsDialect", ["Corinth", "DialectSupport"]),
  .swift(.regular, "DICDialect", ["Corinth", "DialectSupport"]),
  .swift(.regular, "AstrojectDialect", ["Corinth", "DialectSupport"]),
  .swift(.regular, "SwinjectDialect", ["Corinth", "DialectSupport"]),
  .swift(.regular, "SwinjectAutoregistrationDialect", ["SwinjectDialect"]),
  .swift(
    .regular, "SwinjectPropertyLoaderDialect",
    ["Corinth", "CorinthConfiguration", "DialectSupport", "SwinjectDialect"]),
]

let benchmarks: [Target] = [
  .swift(.regular, "BenchmarkSupport", ["CConcurrencyKit"], at: "Benchmarks/Support"),
  .swift(.regular, "Baselines", at: "Benchmarks/Baselines"),
  .swift(
    .regular, "Requests", ["Corinth", "Baselines", "BenchmarkSupport"], at: "Benchmarks/Requests"),
  .swift(
    .executable, "ResolveBenchmark", ["Corinth", "Baselines", "BenchmarkSupport"],
    at: "Benchmarks/Resolve"),
  .swift(
    .executable, "LifetimesBenchmark", ["Corinth", "Baselines", "BenchmarkSupport", "Requests"],
    at: "Benchmarks/Lifetimes"),
  .swift(
    .executable, "InstructionsBenchmark",
    [
      "Corinth", "MacaroniDialect", "FusionDialect", "SwiftInjectionsDialect", "DICDialect",
      "SwinjectDialect", "Baselines", "BenchmarkSupport", "Requests",
    ], at: "Benchmarks/Instructions"),
  .swift(
    .executable, "OverridesBenchmark", ["Corinth", "BenchmarkSupport", "Requests"],
    at: "Benchmarks/Overrides"),
  .swift(.executable, "Walk", ["Corinth"], at: "Benchmarks/Walk"),
  .target(name: "CScale", path: "Benchmarks/CScale"),
  .swift(
    .executable, "ScaleBenchmark", ["Corinth", "BenchmarkSupport", "CScale"],
    at: "Benchmarks/Scale"),
  .swift(
    .executable, "CompileTimeBenchmark", ["Corinth", "BenchmarkSupport"],
    at: "Benchmarks/CompileTime"),
  .swift(.executable, "GraphBenchmark", ["Corinth", "BenchmarkSupport"], at: "Benchmarks/Graph"),
]

let tests: [Target] = [
  .target(name: "CTestSupport", dependencies: ["CCorinth"], path: "Tests/Support/CTestSupport"),
  .swift(.regular, "TestSupport", ["Corinth", "CTestSupport"], at: "Tests/Support/TestSupport"),
  .swift(
    .executable, "BlockedServiceRun", ["Corinth", "TestSupport"],
    at: "Tests/Support/BlockedServiceRun"),
  .swift(
    .regular, "RandomGraphs", ["Corinth", "TestSupport", "CTestSupport"],
    at: "Tests/Models/RandomGraphs"),
  .swift(.executable, "RandomGraphRun", ["RandomGraphs"], at: "Tests/Models/RandomGraphRun"),
  .swift(.regular, "Histories", ["Corinth", "TestSupport"], at: "Tests/Models/Histories"),
  .swift(.executable, "HistoryRun", ["Histories"], at: "Tests/Models/HistoryRun"),
  .swift(
    .regular, "DialectHistories",
    [
      "MacaroniDialect", "FusionDialect", "DICDialect", "SwiftInjectionsDialect",
      "AstrojectDialect", "SwinjectDialect", "TestSupport",
    ], at: "Tests/Models/DialectHistories"),
  .swift(
    .executable, "DialectHistoryRun", ["DialectHistories"], at: "Tests/Models/DialectHistoryRun"),
  .swift(.regular, "Accounts", ["Corinth", "TestSupport"], at: "Tests/Models/Accounts"),
  .swift(.executable, "AccountRun", ["Accounts"], at: "Tests/Models/AccountRun"),
  .swift(
    .test, "CCorinthTests", ["CCorinth", "CTestSupport", "TestSupport"],
    at: "Tests/Unit/CCorinthTests"),
  .swift(
    .test, "CorinthTests", ["Corinth", "TestSupport", "BlockedServiceRun"],
    at: "Tests/Unit/CorinthTests"),
  .swift(
    .test, "CorinthTestingTests",
    ["Corinth", "CorinthTesting", "CorinthXCTest", "TestingSupport", "TestSupport"],
    at: "Tests/Unit/CorinthTestingTests"),
  .swift(
    .test, "CorinthDrawingTests", ["Corinth", "CorinthDrawing", "TestSupport"],
    at: "Tests/Unit/CorinthDrawingTests"),
  .swift(
    .test, "CorinthTimelineTests",
    ["Corinth", "CorinthTimeline", "CorinthDrawing", "TestSupport"],
    at: "Tests/Unit/CorinthTimelineTests"),
  .swift(
    .test, "CorinthConfigurationTests",
    ["Corinth", "CorinthConfiguration", "CorinthDrawing", "TestSupport"],
    at: "Tests/Unit/CorinthConfigurationTests"),
  .swift(
    .test, "TestingGuideTests", ["Corinth", "CorinthTesting", "CorinthXCTest"],
    at: "Tests/Samples/TestingGuideTests"),
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
  .swift(
    .test, "DialectSupportTests", ["Corinth", "DialectSupport", "TestSupport"],
    at: "Tests/Unit/DialectSupportTests"),
  .swift(
    .test, "GraphBenchmarkTests", ["Corinth", "GraphBenchmark", "BenchmarkSupport", "Baselines"],
    at: "Tests/Unit/GraphBenchmarkTests"),
  .swift(
    .test, "StressTests",
    [
      "Corinth", "CorinthTimeline", "TestSupport", "CTestSupport", "RandomGraphs",
      "RandomGraphRun", "Histories", "Accounts",
    ], at: "Tests/Stress/StressTests", exclude: ["Graphs"]),
  .swift(
    .executable, "GraphPages", ["Corinth", "CorinthDrawing", "CorinthTimeline"],
    at: "Tests/Samples/GraphPages"),
  .swift(.regular, "ModularShop", ["Corinth"], at: "Tests/Samples/ModularShop"),
  .swift(
    .executable, "ModularShopRun", ["Corinth", "ModularShop"], at: "Tests/Samples/ModularShopRun",
    exclude: ["output.txt"]),
  .swift(
    .test, "ModularShopTests", ["Corinth", "ModularShop", "TestSupport"],
    at: "Tests/Samples/ModularShopTests"),
  .swift(
    .test, "RandomGraphsTests", ["RandomGraphs", "RandomGraphRun", "TestSupport"],
    at: "Tests/Models/RandomGraphsTests", exclude: ["Graphs"]),
  .swift(
    .test, "DialectHistoriesTests", ["DialectHistories", "DialectHistoryRun", "TestSupport"],
    at: "Tests/Models/DialectHistoriesTests"),
  .swift(
    .test, "HistoriesTests", ["Histories", "TestSupport"], at: "Tests/Models/HistoriesTests"),
]

let package = Package(
  name: "corinth",
  platforms: [.macOS(.v15)],
  products: (modules + testingModules).map { .library(name: $0, targets: [$0]) } + [
    .library(name: "CorinthDynamic", type: .dynamic, targets: modules),
    .library(name: "CorinthTestingDynamic", type: .dynamic, targets: modules + testingModules),
  ],
  targets: libraries + benchmarks + tests,
  swiftLanguageModes: [.v6],
  cLanguageStandard: .gnu17
)

// Clients of the compatibility modules in both language modes: the Swift5 directories are links to
// the others.
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

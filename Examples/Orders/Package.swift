// swift-tools-version: 6.2
// SPDX-License-Identifier: MIT

import PackageDescription

let strict: [SwiftSetting] = [
  .strictMemorySafety(),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
  name: "Orders",
  platforms: [.macOS(.v15)],
  // A package found by its path takes the name of its folder, unless it is named here.
  dependencies: [.package(name: "corinth", path: "../..")],
  targets: [
    // Two C libraries, and what Swift code wants to see of them.
    .systemLibrary(
      name: "CMicroHTTPD", pkgConfig: "libmicrohttpd", providers: [.apt(["libmicrohttpd-dev"])]),
    .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .target(name: "HTTP", dependencies: ["CMicroHTTPD"], swiftSettings: strict),
    .target(name: "SQLite", dependencies: ["CSQLite"], swiftSettings: strict),

    // The service: six modules.
    .target(
      name: "Orders",
      dependencies: [
        "HTTP", "SQLite", .product(name: "Corinth", package: "corinth"),
        .product(name: "CorinthDrawing", package: "corinth"),
      ],
      swiftSettings: strict),
    .executableTarget(
      name: "OrdersService",
      dependencies: ["Orders", "HTTP", .product(name: "Corinth", package: "corinth")],
      swiftSettings: strict),
    // The same objects, constructed by plain Swift code.
    .target(
      name: "HandMadeOrders", dependencies: ["Orders", "HTTP", "SQLite"], swiftSettings: strict),
    .executableTarget(
      name: "OrdersByHand", dependencies: ["HandMadeOrders", "Orders", "HTTP"],
      swiftSettings: strict),
    // Requests to either, without a server, for Scripts/count-instructions.
    .executableTarget(
      name: "OrdersRequests",
      dependencies: [
        "HandMadeOrders", "Orders", "HTTP", .product(name: "Corinth", package: "corinth"),
      ],
      swiftSettings: strict),
    // The start, for the picture in the manual.
    .executableTarget(
      name: "OrdersStart",
      dependencies: [
        "Orders", .product(name: "Corinth", package: "corinth"),
        .product(name: "CorinthTimeline", package: "corinth"),
      ],
      swiftSettings: strict),
    .testTarget(
      name: "OrdersTests",
      dependencies: [
        "Orders", "OrdersService", "HTTP", "SQLite", .product(name: "Corinth", package: "corinth"),
        .product(name: "CorinthTesting", package: "corinth"),
      ],
      swiftSettings: strict),
  ],
  swiftLanguageModes: [.v6],
  cLanguageStandard: .gnu17
)

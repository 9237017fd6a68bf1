// swift-tools-version: 6.2
// The benchmarks. A separate package, so that users of the library never fetch their dependencies.

import PackageDescription

let package = Package(
    name: "Benchmarks",
    platforms: [.macOS(.v13)],
    dependencies: [
        .package(name: "Regnum", path: "..", traits: []),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.0.0"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
    ],
    targets: [
        // Counts allocations and, if the machine supports it, instructions.
        .target(name: "AllocationCount"),
        .executableTarget(
            name: "bench",
            dependencies: [
                "AllocationCount",
                .product(name: "RealmSwift", package: "Regnum"),
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: [.swiftLanguageMode(.v6)]),
    ]
)

// swift-tools-version: 6.2
// The programs that Scripts/startup measures: small ones, each with its twin on GRDB.

import PackageDescription

func program(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .executableTarget(name: name, dependencies: dependencies, swiftSettings: [.swiftLanguageMode(.v6)])
}

let regnum: [Target.Dependency] = [.product(name: "RealmSwift", package: "Regnum")]
let grdb: [Target.Dependency] = [.product(name: "GRDB", package: "GRDB.swift")]

let package = Package(
    name: "Startup",
    platforms: [.macOS(.v13)],
    dependencies: [
        .package(name: "Regnum", path: "../..", traits: []),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.0.0"),
    ],
    targets: [
        program("hello-regnum", regnum), program("hello-grdb", grdb),
        program("wide-regnum", regnum), program("wide-grdb", grdb),
        program("work-regnum", regnum), program("work-grdb", grdb),
        program("launch-timer", []),
    ]
)

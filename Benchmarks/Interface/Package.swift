// swift-tools-version: 6.2
// The program that Scripts/interface measures: views over a large Realm. It is a separate program, because views track
// the reads of objects, which would slow down the other benchmarks.

import PackageDescription

let package = Package(
    name: "Interface",
    dependencies: [.package(name: "Regnum", path: "../..", traits: ["Publishers"])],
    targets: [
        .executableTarget(
            name: "interface",
            dependencies: [
                .product(name: "RealmSwift", package: "Regnum"), .product(name: "RealmSwiftUI", package: "Regnum"),
                .product(name: "RegnumUITesting", package: "Regnum"),
            ],
            swiftSettings: [.swiftLanguageMode(.v6)])
    ]
)

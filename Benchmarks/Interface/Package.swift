// swift-tools-version: 6.2
// What Scripts/interface measures: views over a large Realm. A program of its own, because one with views has reads of
// objects tracked, which the other benchmarks must not pay for.

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

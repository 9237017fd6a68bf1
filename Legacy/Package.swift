// swift-tools-version: 6.2
// The tests of RealmSwiftLegacy: a package of their own, because only they need swift-syntax. See Scripts/test-legacy.

import PackageDescription

let package = Package(
    name: "Legacy",
    platforms: [.macOS(.v13)],
    dependencies: [.package(name: "Regnum", path: "..", traits: ["PersistedMembers"])],
    targets: [
        .testTarget(
            name: "LegacyTests", dependencies: [.product(name: "RealmSwiftLegacy", package: "Regnum")], path: "Tests",
            swiftSettings: [.swiftLanguageMode(.v6)])
    ]
)

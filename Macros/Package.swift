// swift-tools-version: 6.2
// The tests of the macros: a package of their own, because only they need swift-syntax. See Scripts/test-macros.

import PackageDescription

let package = Package(
    name: "Macros",
    platforms: [.macOS(.v13)],
    dependencies: [.package(name: "Regnum", path: "..", traits: ["PersistedMembers", "Previews", "Publishers"])],
    targets: [
        .testTarget(
            name: "PersistedMembersTests", dependencies: [.product(name: "RealmSwiftLegacy", package: "Regnum")],
            path: "Tests/PersistedMembers", swiftSettings: [.swiftLanguageMode(.v6)]),
        .testTarget(
            name: "PreviewTests", dependencies: [.product(name: "RealmSwiftUI", package: "Regnum")],
            path: "Tests/Previews", swiftSettings: [.swiftLanguageMode(.v6)]),
    ]
)

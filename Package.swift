// swift-tools-version: 6.2
// Regnum: the Realm database in pure Swift. DESIGN.md explains the targets and why each dependency is here.

import CompilerPluginSupport
import PackageDescription

/// What every target is compiled with. `REGNUM_STRICT=1` (set by `.ci/run`) turns warnings into errors; it is not
/// the default so that a newer compiler's new warning never breaks an app that builds us from source.
let common: [SwiftSetting] =
    [.swiftLanguageMode(.v6)]
    + (Context.environment["REGNUM_STRICT"] == "1" ? [.treatAllWarnings(as: .error)] : [])

/// The engine targets and the SDK also mark every unsafe operation.
let engine: [SwiftSetting] = common + [.strictMemorySafety()]

/// What only users of a macro need.
let macros: TargetDependencyCondition? = .when(traits: ["PersistedMembers", "Previews"])

/// The dependencies of publishers, if Combine is not available.
let publishers: TargetDependencyCondition? = .when(
    platforms: [.linux, .android, .windows, .openbsd], traits: ["Publishers"])

/// What only users of the pages in a browser need.
let browser: TargetDependencyCondition? = .when(traits: ["Browser"])

/// What only those need who run the sync server.
let server: TargetDependencyCondition? = .when(traits: ["Server"])

/// Dependencies of everything that listens for connections.
let sockets: TargetDependencyCondition? = .when(traits: ["Browser", "Server"])

/// What only users of synchronised Realms need where Foundation has no WebSocket.
let sync: TargetDependencyCondition? = .when(
    platforms: [.linux, .android, .windows, .openbsd], traits: ["Sync"])

/// The page of `realm studio`: a style and the modules of a script.
let studioFiles =
    ["studio.html", "studio.css"]
    + [
        "studio", "connection", "elements", "table", "scale", "query", "object", "editor", "graph", "bytes", "facts",
    ].map { $0 + ".js" }

/// On Apple's platforms the publishers are part of `RealmSwift`, as users of Realm expect. Elsewhere they are a module
/// of their own, which has the same name on Apple's platforms and adds nothing there.
///
/// So are the wrappers for SwiftUI, with the module `RealmSwiftUI`.
#if canImport(Darwin)
    let modulesInside: [String] = []
    let publishersPath = "Sources/Database/RealmSwiftCombine"
    let toolkit: [Target.Dependency] = []
#else
    let modulesInside = ["Publishers", "SwiftUI"]
    let publishersPath = "Sources/Database/RealmSwift/Publishers"
    let toolkit: [Target.Dependency] = ["RegnumUI"]
#endif

let package = Package(
    name: "Regnum",
    platforms: [.macOS(.v13), .iOS(.v16), .tvOS(.v16), .watchOS(.v9), .visionOS(.v1)],
    products: [
        .library(name: "RealmSwift", targets: ["RealmSwift"]),
        .library(name: "Realm", targets: ["Realm"]),
        .library(name: "RealmSwiftLegacy", targets: ["RealmSwiftLegacy"]),
        .library(name: "RealmSwiftCombine", targets: ["RealmSwiftCombine"]),
        .library(name: "RealmSyncServer", targets: ["RealmSyncServer", "RealmAccounts"]),
        .executable(name: "realm", targets: ["RealmCommand"]),
        .executable(name: "realm-server", targets: ["realm-server"]),
    ],
    traits: [
        .trait(
            name: "PersistedMembers",
            description: "The macro @PersistedMembers of RealmSwiftLegacy, for classes whose properties are declared "
                + "`dynamic var`. Without it swift-syntax is neither fetched nor built."),
        .trait(
            name: "Previews",
            description: "The macro #Preview of RealmSwiftUI where there is no SwiftUI of Apple's. Without it "
                + "swift-syntax is neither fetched nor built."),
        .trait(
            name: "Publishers",
            description: "The publishers of RealmSwiftCombine where there is no Combine. Without it OpenCombine is "
                + "neither fetched nor built."),
        .trait(
            name: "Browser",
            description: "The server that shows a SwiftUI app in a browser. Without it SwiftNIO is neither fetched "
                + "nor built."),
        .trait(
            name: "Server",
            description: "The sync server `realm-server` and its library RealmSyncServer. Without it none of the "
                + "packages of a server is fetched or built."),
        .trait(
            name: "Sync",
            description: "Apps, users and synchronised Realms where Foundation's networking is a library of its own. "
                + "Without it that is not linked, SwiftNIO is not fetched, and requests fail with an error."),
        .trait(
            name: "Development",
            description: "Work on Regnum itself: all of the above but the macros, which Scripts/test-macros tests.",
            enabledTraits: ["Publishers", "Browser", "Server", "Sync"]),
        // An app that depends on the local database alone fetches the same packages by path, registry, and URL.
        .default(enabledTraits: []),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
        .package(url: "https://github.com/apple/swift-atomics", from: "1.3.0"),
        .package(url: "https://github.com/swiftlang/swift-syntax", "602.0.0"..<"604.0.0"),
        .package(url: "https://github.com/OpenCombine/OpenCombine", from: "0.14.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.81.0"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.30.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.6.0"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.5.0"),
        .package(url: "https://github.com/apple/swift-crypto", "3.12.0"..<"5.0.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.6.0"),
        .package(url: "https://github.com/vapor/jwt-kit", from: "5.1.0"),
    ],
    targets: [
        .systemLibrary(name: "CProcessor"),
        .target(
            name: "RealmSystem", dependencies: ["CProcessor", .product(name: "Atomics", package: "swift-atomics")],
            swiftSettings: engine),
        .target(name: "RealmCrypto", dependencies: ["RealmSystem"], swiftSettings: engine),
        .target(name: "RealmStorage", dependencies: ["CProcessor", "RealmSystem"], swiftSettings: engine),
        .target(name: "RealmQuery", dependencies: ["RealmSystem", "RealmStorage"], swiftSettings: engine),
        .target(name: "RealmValues", dependencies: ["RealmSystem", "RealmStorage"], swiftSettings: engine),
        .target(name: "RealmCheck", dependencies: ["RealmSystem", "RealmStorage"], swiftSettings: engine),
        .target(name: "RealmSyncCore", dependencies: ["RealmSystem", "RealmStorage"], swiftSettings: engine),
        .target(
            name: "RealmSync", dependencies: ["RealmSystem", "RealmStorage", "RealmValues", "RealmSyncCore"],
            swiftSettings: engine),
        .target(
            name: "RealmAccounts",
            dependencies: [
                "RealmSystem", "RealmStorage", "RealmSyncCore", "HTTPServing",
                .product(name: "JWTKit", package: "jwt-kit", condition: server),
                .product(name: "Crypto", package: "swift-crypto", condition: server),
                .product(name: "_CryptoExtras", package: "swift-crypto", condition: server),
                .product(name: "Logging", package: "swift-log", condition: server),
            ], swiftSettings: common),
        .target(
            name: "HTTPServing",
            dependencies: ["NIOCore", "NIOPosix", "NIOConcurrencyHelpers", "NIOHTTP1", "NIOWebSocket"].map {
                .product(name: $0, package: "swift-nio", condition: sockets)
            }, swiftSettings: common),
        .target(
            name: "RealmSyncServer",
            dependencies: [
                "RealmSystem", "RealmCrypto", "RealmStorage", "RealmValues", "RealmSyncCore", "RealmSync",
                "RealmSyncTransport",
                "RealmAccounts", "HTTPServing",
                .product(name: "NIOSSL", package: "swift-nio-ssl", condition: server),
                .product(name: "Logging", package: "swift-log", condition: server),
                .product(name: "Metrics", package: "swift-metrics", condition: server),
                .product(name: "CoreMetrics", package: "swift-metrics", condition: server),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle", condition: server),
            ]
                + ["NIOCore", "NIOPosix", "NIOConcurrencyHelpers", "NIOHTTP1", "NIOWebSocket"].map {
                    .product(name: $0, package: "swift-nio", condition: server)
                }, swiftSettings: common),
        .executableTarget(
            name: "realm-server",
            dependencies: [
                "RealmSyncServer", "RealmAccounts", .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Logging", package: "swift-log", condition: server),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle", condition: server),
            ],
            swiftSettings: common),
        .target(
            name: "RealmSyncTransport",
            dependencies: ["RealmSyncCore", .product(name: "NIOSSL", package: "swift-nio-ssl", condition: sync)]
                + ["NIOCore", "NIOPosix", "NIOConcurrencyHelpers", "NIOHTTP1", "NIOWebSocket"].map {
                    .product(name: $0, package: "swift-nio", condition: sync)
                }, swiftSettings: common),
        .systemLibrary(name: "CSwiftRuntime"),
        .target(
            name: "RealmSwift",
            dependencies: [
                "CSwiftRuntime", "RealmSystem", "RealmCrypto", "RealmStorage", "RealmValues", "RealmQuery",
                "RealmCheck",
                "RealmSyncCore", "RealmSync", "RealmSyncTransport", "RegnumCombine",
            ],
            exclude: modulesInside, swiftSettings: engine),
        .target(name: "Realm", dependencies: ["RealmSwift"], swiftSettings: common),
        // Empty without the trait, and where there is Combine.
        .target(
            name: "RegnumCombine",
            dependencies: ["OpenCombine", "OpenCombineDispatch", "OpenCombineFoundation"].map {
                .product(name: $0, package: "OpenCombine", condition: publishers)
            }, swiftSettings: common),
        .target(
            name: "RealmSwiftCombine",
            dependencies: [
                "RealmSwift", "RegnumCombine",
                .product(name: "OpenCombine", package: "OpenCombine", condition: publishers),
                .product(name: "OpenCombineDispatch", package: "OpenCombine", condition: publishers),
            ], path: publishersPath, swiftSettings: engine),
        .macro(
            name: "RegnumMacros",
            dependencies: [
                .product(name: "SwiftSyntaxMacros", package: "swift-syntax", condition: macros),
                .product(name: "SwiftCompilerPlugin", package: "swift-syntax", condition: macros),
            ], swiftSettings: common),
        .target(
            name: "RealmSwiftLegacy", dependencies: ["RealmSwift", "RegnumMacros"], swiftSettings: common),
        .target(
            name: "RealmTools",
            dependencies: [
                "RealmSystem", "RealmCrypto", "RealmStorage", "RealmValues", "RealmQuery", "RealmCheck",
                "RealmSyncCore", "RealmSync", .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ], swiftSettings: common),
        .target(
            name: "RealmStudio",
            dependencies: [
                "RealmSystem", "RealmStorage", "RealmValues", "RealmQuery", "RealmTools",
                .target(name: "HTTPServing", condition: browser), .target(name: "LoopbackServer", condition: browser),
            ], resources: studioFiles.map { .embedInCode("Page/" + $0) }, swiftSettings: common),
        // The target isn't named like its product: `Realm` and `realm` are one folder on a disk that ignores case.
        .executableTarget(
            name: "RealmCommand", dependencies: ["RealmTools", .target(name: "RealmStudio", condition: browser)],
            swiftSettings: common),
        .executableTarget(
            name: "doggodb", dependencies: ["RealmSwift"], path: "Examples/DoggoDB",
            resources: [.embedInCode("dogs.csv")], swiftSettings: common),
        .executableTarget(
            name: "chat",
            dependencies: ["RealmSwift", .product(name: "ArgumentParser", package: "swift-argument-parser")],
            path: "Examples/Chat", swiftSettings: common),
        .executableTarget(
            name: "watch", dependencies: ["RealmTools"], path: "Examples/Watch", swiftSettings: common),
        .target(
            name: "RealmTestSupport", dependencies: ["RealmSystem", "RealmStorage", "RealmCheck"],
            path: "Tests/TestSupport", swiftSettings: common),
        .executableTarget(
            name: "regnum-crash-child", dependencies: ["RealmStorage", "RealmTestSupport"],
            path: "Tests/Engine/CrashChild",
            swiftSettings: common),
        .executableTarget(
            name: "regnum-crash-test", dependencies: ["RealmStorage", "RealmTestSupport"],
            path: "Tests/Engine/CrashTest",
            swiftSettings: common),
        .target(
            name: "SyncTestSupport", dependencies: ["RealmStorage", "RealmSyncCore", "RealmTestSupport"],
            path: "Tests/Sync/SyncTestSupport", swiftSettings: common),
        .executableTarget(
            name: "regnum-sync-sim", dependencies: ["RealmSyncCore", "RealmTestSupport", "SyncTestSupport"],
            path: "Tests/Sync/SyncSimulation", swiftSettings: common),
        .target(
            name: "ServerTestSupport",
            dependencies: [
                "RealmSyncServer", "RealmAccounts", "HTTPServing", "RealmSyncCore", "RealmSync", "RealmStorage",
                "RealmSystem", "RealmTestSupport", "SyncTestSupport",
                .product(name: "Logging", package: "swift-log", condition: server),
                .product(name: "NIOSSL", package: "swift-nio-ssl", condition: server),
            ]
                + ["NIOCore", "NIOPosix", "NIOConcurrencyHelpers", "NIOHTTP1", "NIOWebSocket"].map {
                    .product(name: $0, package: "swift-nio", condition: server)
                }, path: "Tests/Server/ServerTestSupport", swiftSettings: common),
        .executableTarget(
            name: "regnum-server-test",
            dependencies: [
                "ServerTestSupport", "RealmSyncServer", "RealmSystem", "RealmStorage", "RealmSyncCore", "RealmTools",
                "RealmTestSupport", "SyncTestSupport",
                .product(name: "Logging", package: "swift-log", condition: server),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle", condition: server),
            ], path: "Tests/Server/ServerTest", swiftSettings: common),
        .executableTarget(
            name: "regnum-synced-test", dependencies: ["RealmSwift", "RealmTestSupport", "ServerTestSupport"],
            path: "Tests/Sync/SyncedTest", swiftSettings: common),
        .executableTarget(
            name: "regnum-live-test", dependencies: ["RealmSwift"], path: "Tests/Database/LiveTest",
            swiftSettings: common),
        .executableTarget(
            name: "regnum-hostile", dependencies: ["RealmSwift", "RealmCrypto", "RealmTestSupport"],
            path: "Tests/Database/HostileTest", swiftSettings: common),
        .target(
            name: "LoopbackServer",
            dependencies: ["HTTPServing"]
                + ["NIOCore", "NIOPosix", "NIOConcurrencyHelpers", "NIOWebSocket"].map {
                    .product(name: $0, package: "swift-nio", condition: browser)
                }, swiftSettings: common),
        .target(name: "PageMessages", swiftSettings: common),
        .target(
            name: "PageTestSupport", dependencies: ["PageMessages"] + toolkit, path: "Tests/Toolkit/PageTestSupport",
            swiftSettings: common),
        .testTarget(
            name: "HTTPServingTests",
            dependencies: ["HTTPServing", "PageTestSupport"]
                + ["NIOCore", "NIOPosix", "NIOConcurrencyHelpers"].map {
                    .product(name: $0, package: "swift-nio", condition: sockets)
                }, swiftSettings: common),
        .testTarget(
            name: "LoopbackServerTests", dependencies: ["LoopbackServer", "HTTPServing", "PageTestSupport"],
            swiftSettings: common),
        .testTarget(
            name: "RealmStudioTests",
            dependencies: [
                "RealmStudio", "RealmStorage", "RealmTools", "PageMessages", "PageTestSupport", "RealmTestSupport",
                "RealmCommand",
            ],
            swiftSettings: common),
        .testTarget(
            name: "RealmSystemTests", dependencies: ["RealmSystem", "RealmTestSupport"], swiftSettings: common),
        .testTarget(
            name: "RealmCryptoTests", dependencies: ["RealmCrypto", "RealmStorage", "RealmTestSupport"],
            swiftSettings: common),
        .testTarget(
            name: "RealmStorageTests", dependencies: ["RealmStorage", "RealmCheck", "RealmTestSupport"],
            exclude: ["Values/decimals.py", "Values/decimals.txt"], swiftSettings: common),
        .testTarget(
            name: "RealmQueryTests", dependencies: ["RealmQuery", "RealmTestSupport"],
            exclude: ["EngineAnswers/differences.txt"], swiftSettings: common),
        .testTarget(
            name: "RealmCheckTests", dependencies: ["RealmStorage", "RealmCheck", "RealmTestSupport"],
            swiftSettings: common),
        .testTarget(
            name: "RealmSyncCoreTests",
            dependencies: ["RealmSystem", "RealmStorage", "RealmSyncCore", "RealmTestSupport", "SyncTestSupport"],
            swiftSettings: common),
        .testTarget(
            name: "RealmSyncTests",
            dependencies: ["RealmStorage", "RealmSyncCore", "RealmSync", "RealmTestSupport", "SyncTestSupport"],
            swiftSettings: common),
        .testTarget(
            name: "RealmAccountsTests",
            dependencies: [
                "RealmAccounts", "HTTPServing", "RealmStorage", "RealmCheck", "RealmSyncCore", "RealmTestSupport",
                .product(name: "JWTKit", package: "jwt-kit", condition: server),
                .product(name: "_CryptoExtras", package: "swift-crypto", condition: server),
                .product(name: "Logging", package: "swift-log", condition: server),
            ], swiftSettings: common),
        .testTarget(
            name: "RealmSyncServerTests",
            dependencies: [
                "RealmSyncServer", "RealmAccounts", "RealmSyncCore", "RealmSystem", "RealmStorage", "RealmSync",
                "RealmTools", "RealmTestSupport", "SyncTestSupport", "ServerTestSupport", "regnum-server-test",
                "realm-server",
                .product(name: "Crypto", package: "swift-crypto", condition: server),
                .product(name: "Logging", package: "swift-log", condition: server),
                .product(name: "Metrics", package: "swift-metrics", condition: server),
                .product(name: "NIOSSL", package: "swift-nio-ssl", condition: server),
            ]
                + ["NIOCore", "NIOPosix", "NIOConcurrencyHelpers", "NIOWebSocket"].map {
                    .product(name: $0, package: "swift-nio", condition: server)
                },
            swiftSettings: common),
        .testTarget(
            name: "RealmSwiftSyncTests",
            dependencies: [
                "RealmSwift", "RealmAccounts", "RealmTestSupport", "ServerTestSupport", "chat",
            ], swiftSettings: common),
        .testTarget(
            name: "RealmSwiftTests",
            dependencies: [
                "Realm", "RealmSwift", "RealmCheck", "RealmSyncCore", "RealmTools", "RealmTestSupport",
                "SyncTestSupport",
            ],
            swiftSettings: common),
        .testTarget(
            name: "RealmSwiftCombineTests", dependencies: ["RealmSwift", "RealmSwiftCombine", "RealmTestSupport"],
            swiftSettings: common),
        .testTarget(
            name: "RealmToolsTests",
            dependencies: ["RealmTools", "RealmCrypto", "RealmValues", "RealmTestSupport", "watch"],
            swiftSettings: common),
        .testTarget(
            name: "ProjectTests", dependencies: ["RealmStorage", "RealmTestSupport"],
            exclude: ["behaviours-left.txt", "skips.txt"],
            swiftSettings: common),
    ]
)

// Apple's platforms have Apple's SwiftUI, and a module of a package is found before the one of the SDK: there these targets
// must not exist. They need the trait `Publishers`, because `ObservableObject` is OpenCombine's.
#if canImport(Darwin)
    package.products += [.library(name: "RealmSwiftUI", targets: ["RealmSwiftUI"])]
    package.targets += [
        .target(name: "RealmSwiftUI", dependencies: ["RealmSwift"], swiftSettings: common),
        // Without the tests that read what our own toolkit draws.
        .testTarget(
            name: "RealmSwiftUITests", dependencies: ["RealmSwift", "RealmSwiftUI"],
            sources: ["CombineImportTests.swift", "Models.swift", "WrapperTests.swift", "Hosted"],
            swiftSettings: common),
    ]
#else
    /// The page that a browser gets: a style and the modules of a script.
    let pageFiles =
        ["ui.css"]
        + [
            "ui", "tree", "elements", "show", "symbols", "batches", "texts", "actions", "pages", "places", "connection",
        ].map { $0 + ".js" }
    let combine: Target.Dependency = .product(name: "OpenCombine", package: "OpenCombine", condition: publishers)
    package.products += [
        .library(name: "RealmSwiftUI", targets: ["RealmSwiftUI", "SwiftUI", "Combine"]),
        .library(name: "RegnumUITesting", targets: ["RegnumUITesting"]),
    ]
    package.targets += [
        .target(
            name: "RegnumUI", dependencies: ["PageMessages", "RegnumMacros", "RegnumCombine", combine],
            swiftSettings: common),
        .target(name: "RegnumUITesting", dependencies: ["RegnumUI"], swiftSettings: common),
        .target(
            name: "RegnumUIServer", dependencies: ["RegnumUI", "HTTPServing", "LoopbackServer"],
            resources: pageFiles.map { .embedInCode("Page/" + $0) }, swiftSettings: common),
        .target(
            name: "RealmSwiftUI", dependencies: ["RealmSwift", "RealmSwiftCombine", "RegnumUI", combine],
            path: "Sources/Database/RealmSwift/SwiftUI", swiftSettings: engine),
        .target(
            name: "SwiftUI", dependencies: ["RegnumUI", "RegnumUIServer", "RealmSwiftUI"], swiftSettings: common),
        .target(
            name: "Combine", dependencies: ["RealmSwiftCombine", "RegnumCombine", combine], swiftSettings: common),
        .executableTarget(
            name: "doggo-app", dependencies: ["RealmSwift", "SwiftUI"], path: "Examples/DoggoApp",
            exclude: ["README.md", "Screenshots"], swiftSettings: common),
        .testTarget(
            name: "DoggoAppTests",
            dependencies: [
                "doggo-app", "RealmSwift", "SwiftUI", "RegnumUI", "RegnumUIServer", "RegnumUITesting",
                "PageTestSupport", "RealmTestSupport", "RealmAccounts", "ServerTestSupport",
            ],
            swiftSettings: common),
        .testTarget(
            name: "RealmSwiftUITests",
            dependencies: [
                "RealmSwift", "RealmSwiftUI", "SwiftUI", "Combine", "RegnumUITesting", "RealmTestSupport", combine,
            ],
            swiftSettings: common),
        .testTarget(
            name: "RegnumUITests", dependencies: ["RegnumUI", "RegnumUITesting", "PageTestSupport", combine],
            swiftSettings: common),
        .testTarget(name: "RegnumCombineTests", dependencies: ["RegnumCombine", "Combine"], swiftSettings: common),
        .testTarget(
            name: "RegnumUITestingTests", dependencies: ["RegnumUI", "RegnumUITesting"], swiftSettings: common),
        .executableTarget(
            name: "RegnumUIPageApp", dependencies: ["SwiftUI"], path: "Tests/Toolkit/PageApp", swiftSettings: common),
        .testTarget(
            name: "RegnumUIServerTests",
            dependencies: [
                "RegnumUI", "RegnumUIServer", "LoopbackServer", "PageTestSupport", "RegnumUIPageApp", combine,
            ],
            swiftSettings: common),
        .testTarget(name: "SwiftUITests", dependencies: ["SwiftUI", "RegnumUITesting"], swiftSettings: common),
    ]
#endif

// The targets of coverage-guided fuzzing have no main function of their own: only Scripts/fuzz-coverage builds them.
if Context.environment["REGNUM_FUZZ"] == "1" {
    package.targets += ["FuzzFile", "FuzzOperations"].map { name in
        .executableTarget(
            name: name, dependencies: ["RealmStorage", "RealmTestSupport"], path: "Fuzzing/Sources/\(name)",
            swiftSettings: common + [.unsafeFlags(["-parse-as-library"])])
    }
}

/// The floors of `Sources`, from the lowest: `Sources/Engine/RealmSystem`. `Tests` has the same ones.
let floors = [
    "Engine": ["CProcessor", "RealmSystem", "RealmCrypto", "RealmStorage", "RealmValues", "RealmQuery", "RealmCheck"],
    "Database": [
        "CSwiftRuntime", "RealmSwift", "Realm", "RealmSwiftCombine", "RealmSwiftLegacy", "RealmSwiftUI",
        "RegnumCombine",
        "RegnumMacros",
    ],
    "Sync": ["RealmSyncCore", "RealmSync", "RealmSyncTransport", "RealmSwiftSync"],
    "Server": ["HTTPServing", "LoopbackServer", "RealmAccounts", "RealmSyncServer", "realm-server"],
    "Tools": ["RealmTools", "RealmStudio", "RealmCommand"],
    "Toolkit": [
        "PageMessages", "RegnumUI", "RegnumUIServer", "RegnumUITesting", "SwiftUI", "Combine", "DoggoApp",
    ],
]
for target in package.targets where target.path == nil && target.name != "ProjectTests" {
    let module = target.isTest ? String(target.name.dropLast("Tests".count)) : target.name
    guard let floor = floors.first(where: { $0.value.contains(module) })?.key else {
        fatalError("no floor has \(target.name)")
    }
    target.path = "\(target.isTest ? "Tests" : "Sources")/\(floor)/\(target.name)"
}

// `REGNUM_ONLY=RealmSwiftTests,ProjectTests` leaves only those targets and the targets they depend on, so that work on
// one part doesn't build the others' tests: `swift build` and `swift test` have no such option.
if let only = Context.environment["REGNUM_ONLY"] {
    var kept: Set<String> = []
    var open = only.split(separator: ",").map(String.init)
    while let name = open.popLast() {
        guard kept.insert(name).inserted else { continue }
        guard let target = package.targets.first(where: { $0.name == name }) else {
            fatalError("REGNUM_ONLY: there's no target named \(name)")
        }
        for case .targetItem(let name, _) in target.dependencies { open.append(name) }
        for case .byNameItem(let name, _) in target.dependencies { open.append(name) }
    }
    package.targets.removeAll { !kept.contains($0.name) }
    package.products.removeAll { product in
        let targets =
            (product as? Product.Library)?.targets ?? (product as? Product.Executable)?.targets ?? []
        return !kept.isSuperset(of: targets)
    }
}

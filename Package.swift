// swift-tools-version: 6.2
// Regnum: the Realm database in pure Swift. DESIGN.md explains the targets and why each dependency is here.

import CompilerPluginSupport
import PackageDescription

typealias Condition = TargetDependencyCondition
let macros = Condition.when(traits: ["PersistedMembers", "Previews"])
let browser = Condition.when(traits: ["Browser"])
let server = Condition.when(traits: ["Server"])
let sockets = Condition.when(traits: ["Browser", "Server"])
// Apple's platforms have Combine, and WebSockets in Foundation.
let others: [Platform] = [.linux, .android, .windows, .openbsd]
let publishers = Condition.when(platforms: others, traits: ["Publishers"])
let sync = Condition.when(platforms: others, traits: ["Sync"])

/// The products of other packages. The word `NIO` in a list of dependencies stands for all of SwiftNIO's.
let nio = ["NIOCore", "NIOPosix", "NIOConcurrencyHelpers", "NIOHTTP1", "NIOWebSocket"]
let products: [String: String] = [
    "Atomics": "swift-atomics", "ArgumentParser": "swift-argument-parser", "NIOSSL": "swift-nio-ssl",
    "Logging": "swift-log", "Metrics": "swift-metrics", "CoreMetrics": "swift-metrics", "JWTKit": "jwt-kit",
    "ServiceLifecycle": "swift-service-lifecycle", "Crypto": "swift-crypto", "_CryptoExtras": "swift-crypto",
    "SwiftSyntaxMacros": "swift-syntax", "SwiftCompilerPlugin": "swift-syntax", "OpenCombine": "OpenCombine",
    "OpenCombineDispatch": "OpenCombine", "OpenCombineFoundation": "OpenCombine",
].merging(nio.map { ($0, "swift-nio") }) { $1 }

/// Returns the dependencies of a list of names. A condition applies to all products but those that every user fetches.
func dependencies(_ names: String, _ condition: Condition?) -> [Target.Dependency] {
    names.split(separator: " ").map(String.init).flatMap { $0 == "NIO" ? nio : [$0] }.map { name in
        guard let package = products[name] else { return .byName(name: name) }
        let isAlwaysFetched = ["Atomics", "ArgumentParser"].contains(name)
        return .product(name: name, package: package, condition: isAlwaysFetched ? nil : condition)
    }
}
func target(
    _ name: String, _ names: String = "", also: [Target.Dependency] = [], when condition: Condition? = nil,
    path: String? = nil, exclude: [String] = [], resources: [Resource] = []
) -> Target {
    .target(
        name: name, dependencies: dependencies(names, condition) + also, path: path, exclude: exclude,
        resources: resources)
}
func program(_ name: String, _ names: String, when condition: Condition? = nil, path: String? = nil) -> Target {
    .executableTarget(name: name, dependencies: dependencies(names, condition), path: path)
}
func tests(_ name: String, _ names: String, when condition: Condition? = nil, exclude: [String] = []) -> Target {
    .testTarget(name: name, dependencies: dependencies(names, condition), exclude: exclude)
}
/// Gives targets their folders on a floor of `Sources` and `Tests`: `Sources/Engine/RealmStorage`.
func floor(_ name: String, _ targets: [Target]) -> [Target] {
    for target in targets where target.path == nil {
        target.path = "\(target.isTest ? "Tests" : "Sources")/\(name)/\(target.name)"
    }
    return targets
}
/// The files of a page: its style sheet, and the modules of its script.
func page(_ style: String, _ scripts: String, _ more: String...) -> [Resource] {
    ([style] + more + scripts.split(separator: " ").map { $0 + ".js" }).map { .embedInCode("Page/" + $0) }
}

// On Apple's platforms the publishers and the wrappers for SwiftUI are part of `RealmSwift`. Elsewhere they are modules
// of their own. The module of the publishers exists on Apple's platforms too, and adds nothing there.
#if canImport(Darwin)
    let (modulesInside, publishersPath): ([String], String?) = ([], nil)
    let toolkit = ""
#else
    let (modulesInside, publishersPath) = (["Publishers", "SwiftUI"], "Sources/Database/RealmSwift/Publishers")
    let toolkit = " RegnumUI"
#endif

let engine: [Target] = [
    .systemLibrary(name: "CProcessor"),
    target("RealmSystem", "CProcessor Atomics"),
    target("RealmCrypto", "RealmSystem"),
    target("RealmStorage", "CProcessor RealmSystem"),
    target("RealmQuery", "RealmSystem RealmStorage"),
    target("RealmValues", "RealmSystem RealmStorage"),
    target("RealmCheck", "RealmSystem RealmStorage"),
    target("RealmTestSupport", "RealmSystem RealmStorage RealmCheck", path: "Tests/TestSupport"),
    target("TestTraits", path: "Tests/TestTraits"),
    program("regnum-crash-child", "RealmStorage RealmTestSupport", path: "Tests/Engine/CrashChild"),
    program("regnum-crash-test", "RealmStorage RealmTestSupport", path: "Tests/Engine/CrashTest"),
    tests("RealmSystemTests", "RealmSystem RealmTestSupport TestTraits"),
    tests("RealmCryptoTests", "RealmCrypto RealmStorage RealmTestSupport"),
    tests(
        "RealmStorageTests", "RealmStorage RealmCheck RealmTestSupport TestTraits",
        exclude: ["Values/decimals.py", "Values/decimals.txt"]),
    tests("RealmQueryTests", "RealmQuery RealmTestSupport TestTraits", exclude: ["EngineAnswers/differences.txt"]),
    tests("RealmCheckTests", "RealmStorage RealmCheck RealmTestSupport TestTraits"),
]

let database: [Target] = [
    .systemLibrary(name: "CSwiftRuntime"),
    target("RealmRuntime", "RealmSystem RealmStorage RealmQuery RealmCheck"),
    target(
        "RealmSwift",
        "CSwiftRuntime RealmSystem RealmCrypto RealmStorage RealmValues RealmQuery RealmCheck RealmRuntime "
            + "RealmSyncCore RealmSync RealmSyncTransport RegnumCombine", exclude: modulesInside),
    target("Realm", "RealmSwift"),
    target("RegnumCombine", "OpenCombine OpenCombineDispatch OpenCombineFoundation", when: publishers),
    target(
        "RealmSwiftCombine", "RealmRuntime RealmSwift RegnumCombine OpenCombine OpenCombineDispatch", when: publishers,
        path: publishersPath),
    .macro(
        name: "RegnumMacros", dependencies: dependencies("SwiftSyntaxMacros SwiftCompilerPlugin", macros)),
    target("RealmSwiftLegacy", "RealmSwift RegnumMacros"),
    .executableTarget(
        name: "doggodb", dependencies: ["RealmSwift"], path: "Examples/DoggoDB", resources: [.embedInCode("dogs.csv")]),
    program("chat", "RealmSwift ArgumentParser", path: "Examples/Chat"),
    program("regnum-live-test", "RealmRuntime RealmSwift", path: "Tests/Database/LiveTest"),
    program("regnum-hostile", "RealmSwift RealmCrypto RealmTestSupport", path: "Tests/Database/HostileTest"),
    tests(
        "RealmSwiftTests",
        "Realm RealmSwift RealmCheck RealmRuntime RealmSyncCore RealmTools RealmTestSupport SyncTestSupport "
            + "TestTraits"),
    tests("RealmRuntimeTests", "RealmRuntime RealmSystem RealmStorage RealmTestSupport"),
    tests("RealmSwiftCombineTests", "RealmSwift RealmSwiftCombine RealmTestSupport TestTraits"),
]

let syncing: [Target] = [
    target("RealmSyncCore", "RealmSystem RealmStorage"),
    target("RealmSync", "RealmSystem RealmStorage RealmValues RealmSyncCore"),
    target("RealmSyncTransport", "RealmSyncCore NIOSSL NIO", when: sync),
    target("SyncTestSupport", "RealmStorage RealmSyncCore RealmTestSupport", path: "Tests/Sync/SyncTestSupport"),
    program("regnum-sync-sim", "RealmSyncCore RealmTestSupport SyncTestSupport", path: "Tests/Sync/SyncSimulation"),
    program("regnum-synced-test", "RealmSwift RealmTestSupport ServerTestSupport", path: "Tests/Sync/SyncedTest"),
    tests("RealmSyncCoreTests", "RealmSystem RealmStorage RealmSyncCore RealmTestSupport SyncTestSupport TestTraits"),
    tests("RealmSyncTests", "RealmStorage RealmSyncCore RealmSync RealmTestSupport SyncTestSupport TestTraits"),
    tests(
        "RealmSwiftSyncTests",
        "RealmRuntime RealmSwift RealmAccounts RealmTestSupport ServerTestSupport chat TestTraits"),
]

let serving: [Target] = [
    target(
        "RealmAccounts", "RealmSystem RealmStorage RealmSyncCore HTTPServing JWTKit Crypto _CryptoExtras Logging",
        when: server),
    target("HTTPServing", "NIO", when: sockets),
    target(
        "RealmSyncServer",
        "RealmSystem RealmCrypto RealmStorage RealmValues RealmSyncCore RealmSync RealmSyncTransport "
            + "RealmAccounts HTTPServing NIOSSL Logging Metrics CoreMetrics ServiceLifecycle NIO", when: server),
    program("realm-server", "RealmSyncServer RealmAccounts ArgumentParser Logging ServiceLifecycle", when: server),
    target(
        "ServerTestSupport",
        "RealmSyncServer RealmAccounts HTTPServing RealmSyncCore RealmSync RealmStorage RealmSystem "
            + "RealmTestSupport SyncTestSupport Logging NIOSSL NIO", when: server,
        path: "Tests/Server/ServerTestSupport"),
    program(
        "regnum-server-test",
        "ServerTestSupport RealmSyncServer RealmSystem RealmStorage RealmSyncCore RealmTools "
            + "RealmTestSupport SyncTestSupport Logging ServiceLifecycle", when: server, path: "Tests/Server/ServerTest"
    ),
    target("LoopbackServer", "HTTPServing NIO", when: browser),
    tests("HTTPServingTests", "HTTPServing PageTestSupport TestTraits NIO", when: sockets),
    tests("LoopbackServerTests", "LoopbackServer HTTPServing PageTestSupport"),
    tests(
        "RealmAccountsTests",
        "RealmAccounts HTTPServing RealmStorage RealmCheck RealmSyncCore RealmTestSupport JWTKit "
            + "_CryptoExtras Logging TestTraits", when: server),
    tests(
        "RealmSyncServerTests",
        "RealmSyncServer RealmAccounts RealmSyncCore RealmSystem RealmStorage RealmSync RealmTools "
            + "RealmTestSupport SyncTestSupport ServerTestSupport regnum-server-test realm-server Crypto "
            + "Logging Metrics NIOSSL TestTraits NIO", when: server),
]

let tools: [Target] = [
    target(
        "RealmTools",
        "RealmSystem RealmCrypto RealmStorage RealmValues RealmQuery RealmCheck RealmSyncCore RealmSync "
            + "ArgumentParser"),
    target(
        "RealmStudio", "RealmSystem RealmStorage RealmValues RealmQuery RealmTools",
        also: [.target(name: "HTTPServing", condition: browser), .target(name: "LoopbackServer", condition: browser)],
        resources: page(
            "studio.css", "studio connection elements table scale query object editor graph bytes facts", "studio.html")
    ),
    .executableTarget(
        name: "RealmCommand", dependencies: ["RealmTools", .target(name: "RealmStudio", condition: browser)]),
    program("watch", "RealmTools", path: "Examples/Watch"),
    tests(
        "RealmStudioTests",
        "RealmStudio RealmStorage RealmTools PageMessages PageTestSupport RealmTestSupport RealmCommand"),
    tests("RealmToolsTests", "RealmTools RealmCrypto RealmValues RealmTestSupport watch TestTraits"),
]

let pages: [Target] = [
    target("PageMessages"),
    target("PageTestSupport", "PageMessages" + toolkit, path: "Tests/Toolkit/PageTestSupport"),
]

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
    // Without a trait, the packages that only it needs are neither fetched nor built.
    traits: [
        .trait(name: "PersistedMembers", description: "The macro of that name in RealmSwiftLegacy (swift-syntax)."),
        .trait(name: "Previews", description: "The macro #Preview on other platforms (swift-syntax)."),
        .trait(name: "Publishers", description: "Publishers where there is no Combine (OpenCombine)."),
        .trait(name: "Browser", description: "The server that shows a SwiftUI app in a browser (SwiftNIO)."),
        .trait(name: "Server", description: "The sync server `realm-server` and its library RealmSyncServer."),
        .trait(name: "Sync", description: "Synchronised Realms where Foundation has no WebSocket (SwiftNIO)."),
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
    targets: floor("Engine", engine) + floor("Database", database) + floor("Sync", syncing) + floor("Server", serving)
        + floor("Tools", tools) + floor("Toolkit", pages)
        + [tests("ProjectTests", "RealmStorage RealmTestSupport", exclude: ["behaviours-left.txt", "skips.txt"])]
)

// Apple's platforms have Apple's SwiftUI, and a module of a package is found before the one of the SDK: there these
// targets must not exist. They need the trait `Publishers`, because `ObservableObject` is OpenCombine's.
#if canImport(Darwin)
    package.products += [.library(name: "RealmSwiftUI", targets: ["RealmSwiftUI"])]
    package.targets += [
        .target(name: "RealmSwiftUI", dependencies: ["RealmSwift"], path: "Sources/Database/RealmSwiftUI"),
        // Without the tests that read what our own toolkit draws.
        .testTarget(
            name: "RealmSwiftUITests", dependencies: ["RealmSwift", "RealmSwiftUI"],
            path: "Tests/Database/RealmSwiftUITests",
            sources: ["CombineImportTests.swift", "Models.swift", "WrapperTests.swift", "Hosted"]),
    ]
#else
    package.products += [
        .library(name: "RealmSwiftUI", targets: ["RealmSwiftUI", "SwiftUI", "Combine"]),
        .library(name: "RegnumUITesting", targets: ["RegnumUITesting"]),
    ]
    let wrappers: [Target] = [
        target(
            "RealmSwiftUI", "RealmRuntime RealmSwift RealmSwiftCombine RegnumUI OpenCombine", when: publishers,
            path: "Sources/Database/RealmSwift/SwiftUI"),
        tests(
            "RealmSwiftUITests",
            "RealmSwift RealmSwiftUI SwiftUI Combine RegnumUITesting RealmTestSupport OpenCombine TestTraits",
            when: publishers),
        tests("RegnumCombineTests", "RegnumCombine Combine TestTraits"),
    ]

    let views: [Target] = [
        target("RegnumUI", "PageMessages RegnumMacros RegnumCombine OpenCombine", when: publishers),
        target("RegnumUITesting", "RegnumUI"),
        target(
            "RegnumUIServer", "RegnumUI HTTPServing LoopbackServer",
            resources: page("ui.css", "ui tree elements show symbols batches texts actions pages places connection")),
        target("SwiftUI", "RegnumUI RegnumUIServer RealmSwiftUI"),
        target("Combine", "RealmSwiftCombine RegnumCombine OpenCombine", when: publishers),
        .executableTarget(
            name: "doggo-app", dependencies: ["RealmSwift", "SwiftUI"], path: "Examples/DoggoApp",
            exclude: ["README.md", "Screenshots"]),
        tests(
            "DoggoAppTests",
            "doggo-app RealmSwift SwiftUI RegnumUI RegnumUIServer RegnumUITesting PageTestSupport "
                + "RealmTestSupport RealmAccounts ServerTestSupport TestTraits"),
        tests("RegnumUITests", "RegnumUI RegnumUITesting PageTestSupport TestTraits OpenCombine", when: publishers),
        tests("RegnumUITestingTests", "RegnumUI RegnumUITesting"),
        program("RegnumUIPageApp", "SwiftUI", path: "Tests/Toolkit/PageApp"),
        tests(
            "RegnumUIServerTests", "RegnumUI RegnumUIServer LoopbackServer PageTestSupport RegnumUIPageApp OpenCombine",
            when: publishers),
        tests("SwiftUITests", "SwiftUI RegnumUITesting TestTraits"),
    ]
    package.targets += floor("Database", wrappers) + floor("Toolkit", views)
#endif

// The targets of coverage-guided fuzzing have no main function of their own: only Scripts/fuzz-coverage builds them.
if Context.environment["REGNUM_FUZZ"] == "1" {
    package.targets += ["FuzzFile", "FuzzOperations"].map {
        program($0, "RealmStorage RealmTestSupport", path: "Fuzzing/Sources/\($0)")
    }
}

/// The modules that mark each unsafe operation.
let strict: Set = [
    "RealmSystem", "RealmCrypto", "RealmStorage", "RealmQuery", "RealmValues", "RealmCheck", "RealmSyncCore",
    "RealmSync", "RealmRuntime", "RealmSwift", "RealmSwiftCombine", "RealmSwiftUI",
]
for target in package.targets {
    if target.type == .system { continue }
    var settings = [SwiftSetting.swiftLanguageMode(.v6)]
    if strict.contains(target.name) { settings.append(.strictMemorySafety()) }
    // Set by `.ci/run`. It isn't the default, so that a newer compiler's warning never breaks an app's build.
    if Context.environment["REGNUM_STRICT"] == "1" { settings.append(.treatAllWarnings(as: .error)) }
    if target.name.hasPrefix("Fuzz") { settings.append(.unsafeFlags(["-parse-as-library"])) }
    target.swiftSettings = settings
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

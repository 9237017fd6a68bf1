// swift-tools-version: 6.2
// Regnum: the Realm database in pure Swift. DESIGN.md explains the targets and why each dependency is here.

import CompilerPluginSupport
import PackageDescription

typealias Condition = TargetDependencyCondition
let platforms: [Platform] = [.linux, .android, .windows, .openbsd]
let macros = Condition.when(traits: ["PersistedMembers", "Previews"])
let (browser, http) = (Condition.when(traits: ["Browser"]), Condition.when(traits: ["Browser", "Server"]))
let (server, postgres) = (Condition.when(traits: ["Server"]), Condition.when(traits: ["PostgreSQL"]))
let publishers = Condition.when(platforms: platforms, traits: ["Publishers"])
let sync = Condition.when(platforms: platforms, traits: ["Sync"])
let openCombine = "OpenCombine OpenCombineDispatch OpenCombineFoundation"
let nio = "NIOCore NIOPosix NIOConcurrencyHelpers NIOHTTP1 NIOWebSocket"
/// The packages on GitHub, their products, and the traits without which a package is neither fetched nor built.
let packages: [(owner: String, name: String, from: Range<Version>, products: String, when: Condition?)] = [
    ("apple", "swift-argument-parser", "1.5.0"..<"2.0.0", "ArgumentParser", nil),
    ("apple", "swift-atomics", "1.3.0"..<"2.0.0", "Atomics", nil),
    ("swiftlang", "swift-syntax", "602.0.0"..<"604.0.0", "SwiftSyntaxMacros SwiftCompilerPlugin", macros),
    ("OpenCombine", "OpenCombine", "0.14.0"..<"1.0.0", openCombine, publishers),
    ("apple", "swift-nio", "2.81.0"..<"3.0.0", nio, server),
    ("apple", "swift-nio-ssl", "2.30.0"..<"3.0.0", "NIOSSL", server),
    ("apple", "swift-log", "1.16.0"..<"2.0.0", "Logging", server),
    ("apple", "swift-metrics", "2.5.0"..<"3.0.0", "Metrics CoreMetrics", server),
    ("apple", "swift-distributed-tracing", "1.3.0"..<"2.0.0", "Tracing InMemoryTracing", server),
    ("apple", "swift-crypto", "3.12.0"..<"5.0.0", "Crypto _CryptoExtras", server),
    ("swift-server", "swift-service-lifecycle", "2.6.0"..<"3.0.0", "ServiceLifecycle", server),
    ("vapor", "jwt-kit", "5.1.0"..<"6.0.0", "JWTKit", server),
]
let engine = "RealmSystem RealmCrypto RealmStorage RealmValues RealmQuery RealmCheck"
let support = "RealmTestSupport TestTraits"
/// The targets: the folder, the name unless it is the folder's, and the dependencies.
let targets: KeyValuePairs = [
    "Tests/TestSupport RealmTestSupport": "RealmSystem RealmStorage RealmCheck",
    "Tests/TestTraits": "",
    "Tests/ProjectTests": "RealmStorage RealmTestSupport",
    "Sources/Engine/CProcessor": "",
    "Sources/Engine/RealmSystem": "CProcessor Atomics",
    "Sources/Engine/RealmCrypto": "RealmSystem",
    "Sources/Engine/RealmStorage": "CProcessor RealmSystem",
    "Sources/Engine/RealmQuery": "RealmSystem RealmStorage",
    "Sources/Engine/RealmValues": "RealmSystem RealmStorage",
    "Sources/Engine/RealmCheck": "RealmSystem RealmStorage",
    "Tests/Engine/RealmSystemTests": "RealmSystem \(support)",
    "Tests/Engine/RealmCryptoTests": "RealmCrypto RealmStorage RealmTestSupport",
    "Tests/Engine/RealmStorageTests": "RealmStorage RealmCheck \(support)",
    "Tests/Engine/RealmQueryTests": "RealmQuery \(support)",
    "Tests/Engine/RealmCheckTests": "RealmStorage RealmCheck \(support)",
    "Sources/Database/CSwiftRuntime": "",
    "Sources/Database/RegnumMacros": "SwiftSyntaxMacros SwiftCompilerPlugin",
    "Sources/Database/RealmRuntime": "CSwiftRuntime RealmSystem RealmStorage RealmQuery RealmCheck",
    "Sources/Database/RealmSwift":
        "CSwiftRuntime \(engine) RealmRuntime RealmSyncCore RealmSync RealmSyncTransport RegnumCombine",
    "Sources/Database/Realm": "RealmSwift",
    "Sources/Database/RegnumCombine": openCombine,
    "Sources/Database/RealmSwiftCombine": "RealmRuntime RealmSwift RegnumCombine OpenCombine OpenCombineDispatch",
    "Sources/Database/RealmSwiftLegacy": "RealmSwift RegnumMacros",
    "Tests/Database/RealmSwiftTests":
        "Realm RealmSwift RealmCheck RealmRuntime RealmSyncCore RealmTools SyncTestSupport \(support)",
    "Tests/Database/RealmRuntimeTests": "RealmRuntime RealmSystem RealmStorage RealmQuery RealmTestSupport",
    "Tests/Database/RealmSwiftCombineTests": "RealmRuntime RealmSwift RealmSwiftCombine \(support)",
    "Sources/Sync/RealmSyncCore": "RealmSystem RealmStorage",
    "Sources/Sync/RealmSync": "RealmSystem RealmStorage RealmValues RealmSyncCore",
    "Sources/Sync/RealmSyncTransport": "RealmSyncCore NIOSSL \(nio)",
    "Tests/Sync/SyncTestSupport": "RealmStorage RealmSyncCore RealmSync RealmTestSupport",
    "Tests/Sync/RealmSyncCoreTests": "RealmSystem RealmStorage RealmSyncCore SyncTestSupport \(support)",
    "Tests/Sync/RealmSyncTests": "RealmStorage RealmSyncCore RealmSync SyncTestSupport \(support)",
    "Tests/Sync/RealmSwiftSyncTests":
        "RealmRuntime RealmSwift RealmSwiftCombine RealmAccounts RealmSyncServer RealmSyncCore ServerTestSupport chat "
        + support,
    "Sources/Server/RealmPostgres": "RealmSystem",
    "Sources/Server/RealmAccounts":
        "RealmSystem RealmStorage RealmSyncCore RealmPostgres HTTPServing JWTKit Crypto _CryptoExtras Logging",
    "Sources/Server/HTTPServing": nio,
    "Sources/Server/RealmSyncServer":
        "\(engine) RealmSyncCore RealmSync RealmSyncTransport RealmAccounts RealmPostgres HTTPServing LoopbackServer "
        + "NIOSSL Logging Metrics CoreMetrics Tracing ServiceLifecycle \(nio)",
    "Sources/Server/LoopbackServer": "HTTPServing \(nio)",
    "Tests/Server/ServerTestSupport":
        "RealmSyncServer RealmAccounts HTTPServing RealmSyncCore RealmSync RealmStorage RealmSystem RealmTestSupport "
        + "RealmPostgres SyncTestSupport Logging NIOSSL \(nio)",
    "Tests/Server/HTTPServingTests": "HTTPServing PageTestSupport TestTraits \(nio)",
    "Tests/Server/LoopbackServerTests": "LoopbackServer HTTPServing PageTestSupport",
    "Tests/Server/RealmPostgresTests": "RealmPostgres RealmSystem ServerTestSupport \(support)",
    "Tests/Server/RealmAccountsTests":
        "RealmAccounts HTTPServing RealmStorage RealmCheck RealmSyncCore RealmPostgres ServerTestSupport JWTKit "
        + "_CryptoExtras Logging \(support)",
    "Tests/Server/RealmSyncServerTests":
        "RealmSyncServer RealmAccounts RealmSyncCore RealmSystem RealmStorage RealmQuery RealmSync RealmTools "
        + "SyncTestSupport ServerTestSupport PageMessages PageTestSupport regnum-server-test realm-server Crypto "
        + "Logging RealmPostgres Metrics Tracing InMemoryTracing NIOSSL \(support) \(nio)",
    "Sources/Tools/RealmTools": "\(engine) RealmRuntime RealmSyncCore RealmSync ArgumentParser",
    "Sources/Tools/RealmStudio": "RealmSystem RealmStorage RealmValues RealmQuery RealmTools",
    "Tests/Tools/RealmStudioTests":
        "RealmStudio RealmStorage RealmTools PageMessages PageTestSupport RealmTestSupport RealmCommand",
    "Tests/Tools/RealmToolsTests": "RealmTools RealmCrypto RealmValues RealmSync SyncTestSupport watch \(support)",
    "Sources/Toolkit/PageMessages": "",
    "Tests/Toolkit/PageTestSupport": "PageMessages",
    "Sources/Tools/RealmCommand": "RealmTools",
    "Sources/Server/realm-server": "RealmSyncServer RealmAccounts ArgumentParser Logging ServiceLifecycle",
    "Examples/Chat chat": "RealmSwift ArgumentParser",
    "Examples/DoggoDB doggodb": "RealmSwift",
    "Examples/Watch watch": "RealmTools",
    "Tests/Engine/CrashChild regnum-crash-child": "RealmStorage RealmTestSupport",
    "Tests/Engine/CrashTest regnum-crash-test": "RealmStorage RealmTestSupport",
    "Tests/Database/LiveTest regnum-live-test": "RealmRuntime RealmSwift",
    "Tests/Database/HostileTest regnum-hostile": "RealmSwift RealmCrypto RealmTestSupport",
    "Tests/Sync/SyncSimulation regnum-sync-sim": "RealmSyncCore RealmTestSupport SyncTestSupport",
    "Tests/Sync/SyncedTest regnum-synced-test": "RealmSwift RealmTestSupport ServerTestSupport",
    "Tests/Server/ServerTest regnum-server-test":
        "ServerTestSupport RealmSyncServer RealmPostgres RealmSystem RealmStorage RealmSync RealmSyncCore RealmTools "
        + "RealmQuery RealmTestSupport SyncTestSupport Logging ServiceLifecycle",
]
// Apple's platforms have SwiftUI and Combine. A module of a package is found before the one of the SDK, so ours must
// not exist there, and `RealmSwift` contains the publishers and the wrappers. No condition of SwiftPM removes a target.
#if canImport(Darwin)
    let isApple = true
    let others: KeyValuePairs = [
        "Sources/Database/RealmSwiftUI": "RealmSwift",
        "Tests/Database/RealmSwiftUITests": "RealmSwift RealmSwiftUI",
    ]
#else
    let isApple = false
    let others: KeyValuePairs = [
        "Sources/Database/RealmSwiftUI": "RealmRuntime RealmSwift RealmSwiftCombine RegnumUI OpenCombine",
        "Tests/Database/RealmSwiftUITests":
            "RealmSwift RealmSwiftUI SwiftUI Combine RegnumUITesting RealmTestSupport OpenCombine TestTraits",
        "Tests/Database/RegnumCombineTests": "RegnumCombine Combine TestTraits",
        "Sources/Toolkit/RegnumUI": "PageMessages RegnumMacros RegnumCombine OpenCombine",
        "Sources/Toolkit/RegnumUITesting": "RegnumUI",
        "Sources/Toolkit/RegnumUIServer": "RegnumUI HTTPServing LoopbackServer",
        "Sources/Toolkit/SwiftUI": "RegnumUI RegnumUIServer RealmSwiftUI",
        "Sources/Toolkit/Combine": "RealmSwiftCombine RegnumCombine OpenCombine",
        "Tests/Toolkit/DoggoAppTests":
            "doggo-app RealmSwift SwiftUI RegnumUI RegnumUIServer RegnumUITesting PageTestSupport RealmTestSupport "
            + "RealmAccounts ServerTestSupport TestTraits",
        "Tests/Toolkit/RegnumUITests": "RegnumUI RegnumUITesting PageTestSupport TestTraits OpenCombine",
        "Tests/Toolkit/RegnumUIServerTests":
            "RegnumUI RegnumUIServer LoopbackServer PageTestSupport RealmTestSupport RegnumUIPageApp OpenCombine",
        "Tests/Toolkit/SwiftUITests": "SwiftUI RegnumUITesting TestTraits",
        "Examples/DoggoApp doggo-app": "RealmSwift SwiftUI",
        "Tests/Toolkit/PageApp RegnumUIPageApp": "SwiftUI",
    ]
#endif
func words(_ text: String) -> [String] { text.split(separator: " ").map(String.init) }
/// The files of a page: the modules of its script, and those named with a suffix.
func page(_ names: String) -> [Resource] {
    words(names).map { .embedInCode("Page/\($0)" + ($0.contains(".") ? "" : ".js")) }
}
/// Returns the target of an entry. Names in lowercase are programs.
func target(_ place: String, _ names: String) -> Target {
    let (folder, name) = (words(place)[0], String(place.split { " /".contains($0) }.last!))
    let traits = ["RealmSyncTransport": sync, "HTTPServing": http, "HTTPServingTests": http, "LoopbackServer": http]
    let dependencies = words(names).map { item -> Target.Dependency in
        packages.first { words($0.products).contains(item) }
            .map { .product(name: item, package: $0.name, condition: traits[name] ?? $0.when) }
            ?? .byName(name: item, condition: item == "RealmPostgres" ? postgres : nil)
    }
    switch name {
    case "CProcessor", "CSwiftRuntime": return .systemLibrary(name: name, path: folder)
    case "RegnumMacros": return .macro(name: name, dependencies: dependencies, path: folder)
    case _ where name.hasSuffix("Tests"): return .testTarget(name: name, dependencies: dependencies, path: folder)
    case _ where name.first!.isLowercase, "RealmCommand", "RegnumUIPageApp", "FuzzFile", "FuzzOperations":
        return .executableTarget(name: name, dependencies: dependencies, path: folder)
    default: return .target(name: name, dependencies: dependencies, path: folder)
    }
}
let package = Package(
    name: "Regnum",
    platforms: [.macOS(.v13), .iOS(.v16), .tvOS(.v16), .watchOS(.v9), .visionOS(.v1)],
    products: words("RealmSwift Realm RealmSwiftLegacy RealmSwiftCombine").map { .library(name: $0, targets: [$0]) } + [
        .library(name: "RealmSwiftUI", targets: ["RealmSwiftUI"] + (isApple ? [] : ["SwiftUI", "Combine"])),
        .library(name: "RealmSyncServer", targets: ["RealmSyncServer", "RealmAccounts"]),
        .executable(name: "realm", targets: ["RealmCommand"]),
        .executable(name: "realm-server", targets: ["realm-server"]),
    ],
    traits: [
        .trait(name: "PersistedMembers", description: "The macro of that name in RealmSwiftLegacy (swift-syntax)."),
        .trait(name: "Previews", description: "The macro #Preview on other platforms (swift-syntax)."),
        .trait(name: "Publishers", description: "Publishers where there is no Combine (OpenCombine)."),
        .trait(name: "Browser", description: "The server that shows a SwiftUI app in a browser (SwiftNIO)."),
        .trait(name: "Server", description: "The sync server `realm-server` and its library RealmSyncServer."),
        .trait(name: "PostgreSQL", description: "A sync server on PostgreSQL.", enabledTraits: ["Server"]),
        .trait(name: "Sync", description: "Synchronised Realms where Foundation has no WebSocket (SwiftNIO)."),
        .trait(
            name: "Development", description: "Work on Regnum itself: all but the macros (Scripts/test-macros).",
            enabledTraits: ["Publishers", "Browser", "PostgreSQL", "Sync"]),
        // An app that depends on the local database alone fetches the same packages by path, registry, and URL.
        .default(enabledTraits: []),
    ],
    dependencies: packages.map { .package(url: "https://github.com/\($0.owner)/\($0.name)", $0.from) },
    targets: (Array(targets) + Array(others)).map(target))
// Coverage-guided fuzzing has no main function of its own and needs an unsafe flag: Scripts/fuzz-coverage builds it.
for name in words("FuzzFile FuzzOperations") where Context.environment["REGNUM_FUZZ"] == "1" {
    package.targets.append(target("Fuzzing/Sources/\(name)", "RealmStorage RealmTestSupport"))
}
/// The modules that mark each unsafe operation, and those that are optimised in a debug build, too.
let strict = "\(engine) RealmPostgres RealmSyncCore RealmSync RealmRuntime RealmSwift RealmSwiftCombine RealmSwiftUI"
let optimised = "\(engine) RealmSyncCore RealmSync RealmSyncServer RealmTools RealmTestSupport"
for target in package.targets where target.type != .system {
    target.swiftSettings = [.swiftLanguageMode(.v6)]
    if words(strict).contains(target.name) { target.swiftSettings?.append(.strictMemorySafety()) }
    #if compiler(>=6.3)  // Which accepts such flags in a dependency. `DEBUG` and assertions stay in effect.
        let condition = BuildSettingCondition.when(configuration: .debug, traits: ["Development"])
        let isOptimised = words(optimised).contains(target.name)
        if isOptimised { target.swiftSettings?.append(.unsafeFlags(["-O", "-assert-config", "Debug"], condition)) }
    #endif
    // Set by `.ci/run`. It isn't the default, so that a newer compiler's warning never breaks an app's build.
    if Context.environment["REGNUM_STRICT"] == "1" { target.swiftSettings?.append(.treatAllWarnings(as: .error)) }
    if target.name.hasPrefix("Fuzz") { target.swiftSettings?.append(.unsafeFlags(["-parse-as-library"])) }
    switch target.name {
    case "RealmStorageTests": target.exclude = ["Values/decimals.py", "Values/decimals.txt"]
    case "RealmQueryTests": target.exclude = ["EngineAnswers/differences.txt"]
    case "ProjectTests": target.exclude = ["behaviours-left.txt", "skips.txt"]
    case "RealmSwift" where !isApple: target.exclude = ["Publishers", "SwiftUI"]
    case "RealmSwiftUITests" where isApple:  // Without the tests that read the output of our own toolkit.
        target.sources = ["CombineImportTests.swift", "Models.swift", "WrapperTests.swift", "Hosted"]
    case "RealmSwiftCombine" where !isApple: target.path = "Sources/Database/RealmSwift/Publishers"
    case "RealmSwiftUI" where !isApple: target.path = "Sources/Database/RealmSwift/SwiftUI"
    case "PageTestSupport" where !isApple: target.dependencies.append("RegnumUI")
    case "RegnumUITesting": package.products.append(.library(name: target.name, targets: [target.name]))
    case "doggo-app": target.exclude = ["README.md", "Screenshots"]
    case "doggodb": target.resources = [.embedInCode("dogs.csv")]
    case "RegnumUIServer":
        target.resources = page("ui.css ui tree elements show symbols batches texts actions pages places connection")
    case "RealmSyncServer": target.resources = page("admin.css admin.html admin tables requests")
    case "RealmStudio":
        target.resources = page(
            "studio.css studio.html studio connection elements table scale query object editor graph bytes facts")
        target.dependencies += ["HTTPServing", "LoopbackServer"].map { .byName(name: $0, condition: browser) }
    case "RealmCommand": target.dependencies.append(.byName(name: "RealmStudio", condition: browser))
    default: break
    }
}
// `REGNUM_ONLY=RealmSwiftTests,ProjectTests` leaves only those targets and the targets they depend on, so that work on
// one part doesn't build the others' tests: `swift build` and `swift test` have no such option.
if let only = Context.environment["REGNUM_ONLY"] {
    var kept: Set<String> = []
    func keep(_ name: String) {
        guard kept.insert(name).inserted else { return }
        guard let target = (package.targets.first { $0.name == name }) else { fatalError("no target is named \(name)") }
        for case .byNameItem(let name, _) in target.dependencies { keep(name) }
    }
    only.split(separator: ",").map(String.init).forEach(keep)
    package.targets.removeAll { !kept.contains($0.name) }
    package.products.removeAll { product in
        !kept.isSuperset(of: (product as? Product.Library)?.targets ?? (product as! Product.Executable).targets)
    }
}

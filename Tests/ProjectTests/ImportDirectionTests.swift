// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Testing

/// Imports point downward only (DESIGN.md, "Modules").
@Suite struct ImportDirectionTests {
    /// The modules that each target may import, ours and others.
    static let allowed: [String: Set<String>] = [
        "RealmSystem": ["CProcessor", "Darwin", "Glibc", "Musl", "Atomics"],
        "RealmCrypto": ["RealmSystem", "CommonCrypto", "Darwin"],
        "RealmStorage": ["CProcessor", "RealmSystem"],
        "RealmQuery": ["RealmSystem", "RealmStorage", "Darwin", "Glibc", "Musl"],
        "RealmValues": ["RealmSystem", "RealmStorage"],
        "RealmCheck": ["RealmSystem", "RealmStorage"],
        "RealmSyncCore": ["RealmSystem", "RealmStorage"],
        "RealmSync": ["RealmSystem", "RealmStorage", "RealmValues", "RealmSyncCore"],
        "RealmPostgres": ["RealmSystem", "Dispatch"],
        "RealmAccounts": [
            "HTTPServing", "RealmPostgres", "RealmSystem", "RealmStorage", "RealmSyncCore", "Foundation", "Dispatch",
            "Logging",
            "JWTKit", "Crypto", "_CryptoExtras",
        ],
        "HTTPServing": ["NIOConcurrencyHelpers", "NIOCore", "NIOHTTP1", "NIOPosix", "NIOWebSocket"],
        "RealmSyncServer": [
            "HTTPServing", "LoopbackServer", "RealmSystem", "RealmCrypto", "RealmStorage", "RealmValues", "RealmQuery",
            "RealmCheck", "RealmSyncCore", "RealmSync", "RealmSyncTransport", "RealmAccounts", "RealmPostgres",
            "Foundation", "Dispatch", "Logging", "CoreMetrics", "Metrics", "Tracing", "ServiceLifecycle",
            "NIOConcurrencyHelpers",
            "NIOCore", "NIOHTTP1", "NIOPosix", "NIOSSL", "NIOWebSocket",
        ],
        "realm-server": [
            "RealmSyncServer", "RealmAccounts", "ArgumentParser", "Logging", "ServiceLifecycle", "Foundation",
            "FoundationEssentials", "FoundationNetworking",
        ],
        "RealmSyncTransport": [
            "RealmSyncCore", "Foundation", "NIOConcurrencyHelpers", "NIOCore", "NIOHTTP1", "NIOPosix", "NIOSSL",
            "NIOWebSocket",
        ],
        "RealmRuntime": [
            "CSwiftRuntime", "RealmSystem", "RealmStorage", "RealmQuery", "RealmCheck", "Dispatch", "Foundation",
            "Observation",
        ],
        "RealmSwift": [
            "CSwiftRuntime", "RealmSystem", "RealmCrypto", "RealmStorage", "RealmValues", "RealmQuery", "RealmCheck",
            "RealmRuntime", "RealmSyncCore", "RealmSync", "Foundation", "FoundationNetworking", "Dispatch",
            "Swift", "ObjectiveC", "MachO", "Observation", "RegnumCombine",
        ],
        "RegnumCombine": ["Foundation", "OpenCombine", "OpenCombineDispatch", "OpenCombineFoundation"],
        "RealmSwiftCombine": [
            "RealmRuntime", "RealmSwift", "RegnumCombine", "Foundation", "Dispatch", "Combine",
        ],
        "Combine": ["RealmSwiftCombine", "RegnumCombine"],
        "RealmSwiftLegacy": ["RealmSwift"],
        "Realm": ["RealmSwift"],
        "PageMessages": [],
        "RegnumUI": [
            "PageMessages", "Foundation", "Dispatch", "Swift", "Observation", "Synchronization", "RegnumCombine",
        ],
        "RegnumUITesting": ["RegnumUI", "Dispatch"],
        "LoopbackServer": ["HTTPServing", "Foundation", "NIOConcurrencyHelpers", "NIOCore", "NIOPosix"],
        "RegnumUIServer": ["RegnumUI", "HTTPServing", "LoopbackServer", "Dispatch", "Foundation"],
        "SwiftUI": ["RegnumUI", "RegnumUIServer", "RealmSwiftUI"],
        "RealmSwiftUI": [
            "RealmRuntime", "RealmSwift", "RealmSwiftCombine", "RegnumUI", "SwiftUI", "Combine", "RegnumCombine",
            "Dispatch",
            "Foundation",
        ],
        "RegnumMacros": ["SwiftCompilerPlugin", "SwiftDiagnostics", "SwiftSyntax", "SwiftSyntaxMacros"],
        "RealmTools": [
            "RealmSystem", "RealmCrypto", "RealmStorage", "RealmValues", "RealmQuery", "RealmCheck", "RealmRuntime",
            "RealmSyncCore", "RealmSync", "ArgumentParser", "Dispatch", "Foundation",
        ],
        "RealmStudio": [
            "RealmSystem", "RealmStorage", "RealmValues", "RealmQuery", "RealmTools", "HTTPServing", "LoopbackServer",
            "Dispatch",
            "Foundation",
        ],
        "RealmCommand": ["RealmTools", "RealmStudio"],
    ]

    @Test func everyImportPointsDownward() throws {
        let files = try SourceFile.all(in: ["Sources"])
        #expect(files.count > 50, "the sources were not found")
        for file in files {
            let target = try #require(file.target)
            let allowed = try #require(Self.allowed[target], "an unknown target: \(target)")
            for (number, line) in file.lines.enumerated() {
                guard let module = Self.importedModule(line) else { continue }
                #expect(allowed.contains(module), "\(file.path):\(number + 1) imports \(module)")
            }
        }
    }

    /// The module needs macOS 15 and iOS 18. Our own toolkit isn't built on Apple's platforms.
    @Test func onlyTheToolkitImportsSynchronization() throws {
        for file in try SourceFile.all(in: ["Sources", "Tests", "Examples"]) {
            guard file.lines.contains(where: { Self.importedModule($0) == "Synchronization" }) else { continue }
            #expect(file.path.hasPrefix("Sources/Toolkit/RegnumUI/"), "\(file.path) doesn't compile for macOS 13")
        }
    }

    /// The module that a line imports, regardless of attributes, access levels, and submodules.
    static func importedModule(_ line: String) -> String? {
        guard line.containsBytes(of: "import ") else { return nil }
        let words = line.split(separator: " ").map(String.init)
        guard let position = words.firstIndex(of: "import"), position + 1 < words.count,
            words[..<position].allSatisfy({
                $0.hasPrefix("@") || ["public", "package", "internal", "private"].contains($0)
            })
        else { return nil }
        let kinds = ["class", "enum", "func", "let", "protocol", "struct", "typealias", "var"]
        let path = kinds.contains(words[position + 1]) ? words.dropFirst(position + 2) : words.dropFirst(position + 1)
        return path.first?.split(separator: ".").first.map(String.init)
    }

    @Test func importsAreRecognised() {
        #expect(Self.importedModule("import RealmSystem") == "RealmSystem")
        #expect(Self.importedModule("@_spi(Reflection) import Swift") == "Swift")
        #expect(Self.importedModule("@_exported import protocol RegnumCombine.ObservableObject") == "RegnumCombine")
        #expect(Self.importedModule("/// import nothing") == nil)
    }
}

// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmTestSupport
import Testing

/// The layers in modules: a folder uses only types of earlier folders in its module's list.
@Suite struct FolderDirectionTests {
    /// The folders of RealmSwift that are one layer, because its public types refer to each other: an object has a
    /// Realm, which has objects. Lower folders use none of them, and none of them uses the upper folders.
    static let model: Set = [
        "Adding", "Changes", "Collections", "Configuration", "Dynamic", "Legacy", "Migration", "Notifications",
        "Object",
        "Property", "Query", "Realm", "Results", "Schema", "Tracking", "Values", "Writing",
    ]

    /// The folders of the app services client: an app has users, and a user its app.
    static let sync: Set = [
        "Sync", "Sync/BSON", "Sync/Documents", "Sync/Network", "Sync/Sessions", "Sync/Subscriptions", "Sync/Users",
    ]

    /// The folders of each module, from the lowest to the highest. "." is the files outside the folders.
    static let floors = [
        "RealmSystem": ["Calls", "Threads", "Memory", "Files", "Sessions"],
        "RealmStorage": [
            "Format", "Nodes", "Header", "Values", "Columns", "ColumnEditors", "BPlusTree", "Cluster", "Sorting",
            "Index", "Collections",
            "Table", "Scan", "FreeSpace", "Encryption", "Sharing", "RowTables", "Database", "Commit", "Instructions",
            "Upgrade", "Compaction", "Diff", "Dump",
        ],
        "RealmQuery": [
            "Geo", "Predicate", "Text", "Parser", "Resolve", "Run", "Plan", "Sort", "Aggregate", "Statement",
        ],
        "RealmValues": ["Values", "Schema", "Undo"],
        "RealmRuntime": [
            "Support", "Confinement", "Notifications", "Opening", "Reading", "Queries", "Changes", "Schema", "Writing",
            "Instances", "Objects", "Collections", "LiveQueries",
        ],
        "RealmSyncCore": [
            "Values", "Documents", "Compression", "Changesets", "Codec", "Merge", "History", "Messages", "Sessions",
        ],
        "RealmSync": ["Recording", "Applying", "History", "Subscriptions", "Reset", "Copies"],
        "RealmPostgres": ["Library", "Connections", "Schema"],
        "RealmAccounts": [
            "Documents", "Configuration", "Requests", "Store", "Limits", "Passwords", "Tokens", ".", "Routes",
            "Administration",
        ],
        "RealmSyncServer": [
            "Metrics", "Records", "Ingest", "Schemas", "Rules", "Permissions", "Views", "Store", "Subscriptions",
            "Postgres", "Transfer", "Documents", "Mirror", "Network", "Administration", "Backup", "Import", ".",
        ],
        "RealmCheck": ["Bytes", "Audit", "Container", "Values", "Tables", "Indexes", "RowTables", "."],
        "RealmTools": [
            "Output", "File", "Schema", "Info", "Dump", "Check", "Values", "Query", "Compare", "Transfer", "Salvage",
            "Watch", "Shell", "Commands", ".",
        ],
    ]

    @Test(arguments: floors.keys.sorted()) func foldersUseOnlyFoldersBelowThem(_ module: String) throws {
        let map = try FolderMap(of: module)
        let floors = try #require(FolderDirectionTests.floors[module])
        try requireEqual(map.folders, floors.sorted(), "the folders of \(module)")
        let found = map.uses().filter { use in
            guard let from = floors.firstIndex(of: use.from), let to = floors.firstIndex(of: use.to) else {
                return true
            }
            return to > from
        }
        #expect(found.isEmpty, "\(found.map(\.text).joined(separator: "\n"))")
    }

    @Test func floorsOfRealmSwift() throws {
        let map = try FolderMap(of: "RealmSwift")
        let floors = [
            "Internal", "Geo", "model", "sync", "Isolation", "Projection", "Sections", "History",
            "Watching",
            "Query/Foundation", "Codable", "Grouping", "Publishers", "Publishers/Sync", "SwiftUI",
        ]
        let (model, sync) = (FolderDirectionTests.model, FolderDirectionTests.sync)
        try requireEqual(
            Set(map.folders), model.union(sync).union(floors).subtracting(["model", "sync"]),
            "the folders of RealmSwift")
        func floor(_ folder: String) -> Int? {
            floors.firstIndex(of: model.contains(folder) ? "model" : sync.contains(folder) ? "sync" : folder)
        }
        let found = map.uses().filter { use in
            let places = [floor(use.from), floor(use.to)]
            guard let from = places[0], let to = places[1] else { return true }
            return to > from
        }
        #expect(found.isEmpty, "\(found.map(\.text).joined(separator: "\n"))")
    }

    /// The test itself detects a use of a type that only a higher folder declares.
    @Test func aUseIsFound() {
        let low = SourceFile(path: "Sources/F/M/Low/A.swift", lines: ["struct A { let b: B // C", "}"])
        let high = SourceFile(path: "Sources/F/M/High/B.swift", lines: ["struct B {}", "package final class C {}"])
        let map = FolderMap("M", [low, high])
        #expect(map.uses().map(\.text) == ["Low/A.swift uses B of High"])
    }
}

/// The types that each folder of a module declares and uses.
private struct FolderMap {
    let files: [String: [SourceFile]]
    private let owners: [String: Set<String>]

    struct Use {
        let from: String
        let to: String
        let text: String
    }

    var folders: [String] { files.keys.sorted() }

    init(of module: String) throws {
        self.init(module, try SourceFile.all(in: [SourceFile.folder(of: module)]))
    }

    init(_ module: String, _ all: [SourceFile]) {
        files = Dictionary(grouping: all) { file in
            let parts = file.path.split(separator: "/")
            return parts.count > 4 ? parts[3..<parts.count - 1].joined(separator: "/") : "."
        }
        var owners: [String: Set<String>] = [:]
        for (folder, files) in files {
            for name in files.flatMap(\.declaredTypes) { owners[name, default: []].insert(folder) }
        }
        self.owners = owners
    }

    /// Uses of types that one other folder declares. A nested type of the folder with the same name takes precedence.
    func uses() -> [Use] {
        folders.flatMap { folder -> [Use] in
            let files = files[folder] ?? []
            let own = Set(files.flatMap(\.nestedTypes))
            return files.flatMap { file -> [Use] in
                file.usedTypes.subtracting(own).sorted().compactMap { name in
                    guard let owner = owners[name], owner.count == 1, let to = owner.first, to != folder else {
                        return nil
                    }
                    let place = file.path.split(separator: "/").suffix(2).joined(separator: "/")
                    return Use(from: folder, to: to, text: "\(place) uses \(name) of \(to)")
                }
            }
        }
    }
}

extension SourceFile {
    private static let keywords: Set<Substring> = ["struct", "class", "enum", "protocol", "actor", "typealias"]

    /// The names of declared types, either nested or at top level, by the indentation of their lines.
    private func types(isNested: Bool) -> [String] {
        code.compactMap { line in
            guard (line.first == " ") == isNested else { return nil }
            let words = line.split { $0 == " " || $0 == ":" || $0 == "<" || $0 == "{" }
            guard let index = words.firstIndex(where: SourceFile.keywords.contains), index + 1 < words.count,
                isNested || !words[..<index].contains("private")
            else { return nil }
            return words[index + 1].first?.isUppercase == true ? String(words[index + 1]) : nil
        }
    }

    fileprivate var declaredTypes: [String] { types(isNested: false) }
    fileprivate var nestedTypes: [String] { types(isNested: true) }

    /// The lines without comments and the texts of literals.
    private var code: [String] {
        lines.map { line in
            guard line.containsBytes(of: "\"") || line.containsBytes(of: "//") else { return line }
            let parts = line.split(separator: "\"", omittingEmptySubsequences: false)
            let bare = stride(from: 0, to: parts.count, by: 2).map { parts[$0] }.joined(separator: "\"\"")
            return bare.firstRange(of: "//").map { String(bare[..<$0.lowerBound]) } ?? bare
        }
    }

    /// Capitalised names that don't follow a dot.
    fileprivate var usedTypes: Set<String> {
        var found: Set<String> = []
        for line in code {
            var previous: UInt8 = 0
            var rest = line.utf8[...]
            while let first = rest.first {
                let word = rest.prefix { Self.isOfName($0) }
                if word.isEmpty {
                    previous = first
                    rest = rest.dropFirst()
                } else {
                    if UInt8(ascii: "A")...UInt8(ascii: "Z") ~= first, previous != UInt8(ascii: ".") {
                        found.insert(String(Substring(word)))
                    }
                    previous = 0
                    rest = rest[word.endIndex...]
                }
            }
        }
        return found
    }

    private static func isOfName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 0x80...:
            true
        default: false
        }
    }
}

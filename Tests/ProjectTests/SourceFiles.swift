// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmTestSupport
import Testing

/// The files of the repository, for tests that read the code itself.
struct SourceFile {
    /// Relative to the package, with forward slashes: "Sources/Engine/RealmStorage/Nodes/Node.swift".
    let path: String
    let lines: [String]

    var target: String? {
        if path.hasPrefix("Sources/Database/RealmSwift/Publishers/") { return "RealmSwiftCombine" }
        if path.hasPrefix("Sources/Database/RealmSwift/SwiftUI/") { return "RealmSwiftUI" }
        let parts = path.split(separator: "/")
        return parts.first == "Sources" && parts.count > 3 ? String(parts[2]) : nil
    }

    /// The folder of a target in `Sources` or `Tests`: "Sources/Engine/RealmStorage".
    static func folder(of target: String, in top: String = "Sources") throws -> String {
        let floors = try FileManager.default.contentsOfDirectory(atPath: SharedFiles.packageRoot + "/" + top)
        let found = floors.sorted().first {
            FileManager.default.fileExists(atPath: SharedFiles.packageRoot + "/\(top)/\($0)/\(target)")
        }
        return "\(top)/\(try #require(found, "\(top) has no \(target)"))/\(target)"
    }

    /// The files with this suffix in these folders, recursively.
    static func all(in folders: [String], _ suffix: String = ".swift") throws -> [SourceFile] {
        try folders.flatMap { folder -> [SourceFile] in
            let root = SharedFiles.packageRoot + "/" + folder
            let names = FileManager.default.enumerator(atPath: root)?.compactMap { $0 as? String } ?? []
            return try names.filter { $0.hasSuffix(suffix) && !$0.contains(".build") }.sorted().map {
                try SourceFile(at: folder + "/" + $0)
            }
        }
    }

    /// The Markdown files, including those outside the folders.
    static func documents() throws -> [SourceFile] {
        let names = try FileManager.default.contentsOfDirectory(atPath: SharedFiles.packageRoot)
        let front = try names.filter { $0.hasSuffix(".md") }.sorted().map { try SourceFile(at: $0) }
        return try front
            + all(in: ["Documentation", "Sources", "Tests", "Examples", "Benchmarks", "Macros", "Fuzzing"], ".md")
    }

    init(path: String, lines: [String]) {
        self.path = path
        self.lines = lines
    }

    private init(at path: String) throws {
        if let known = SourceFile.lock.withLock({ SourceFile.known[path] }) {
            self = known
            return
        }
        let text = try String(contentsOfFile: SharedFiles.packageRoot + "/" + path, encoding: .utf8)
        self.init(path: path, lines: text.components(separatedBy: "\n"))
        let file = self
        SourceFile.lock.withLock { SourceFile.known[path] = file }
    }

    /// The files that were read, because most tests read all of them. Guarded by `lock`.
    private nonisolated(unsafe) static var known: [String: SourceFile] = [:]
    private static let lock = NSLock()
}

extension String {
    /// Whether the bytes of `text` occur in this text. A search by characters takes a hundred times as long.
    func containsBytes(of text: String) -> Bool {
        let sought = Array(text.utf8)
        guard let first = sought.first else { return true }
        let isFound = utf8.withContiguousStorageIfAvailable { all -> Bool in
            guard let start = all.baseAddress.map({ UnsafeRawPointer($0) }) else { return false }
            var offset = 0
            while let found = memchr(start + offset, Int32(first), all.count - offset) {
                offset = UnsafeRawPointer(found) - start
                guard offset + sought.count <= all.count else { return false }
                if memcmp(found, sought, sought.count) == 0 { return true }
                offset += 1
            }
            return false
        }
        return isFound ?? contains(text)
    }
}

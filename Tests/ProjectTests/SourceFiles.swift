// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmTestSupport

/// The Swift files of the repository, for tests that read the code itself.
struct SourceFile {
    /// Relative to the package, with forward slashes: "Sources/RealmStorage/Nodes/Node.swift".
    let path: String
    let lines: [String]

    /// The target, for a file under Sources.
    var target: String? {
        if path.hasPrefix("Sources/RealmSwift/Publishers/") { return "RealmSwiftCombine" }
        if path.hasPrefix("Sources/RealmSwift/SwiftUI/") { return "RealmSwiftUI" }
        let parts = path.split(separator: "/")
        return parts.first == "Sources" && parts.count > 2 ? String(parts[1]) : nil
    }

    static func all(in folders: [String]) throws -> [SourceFile] {
        try folders.flatMap { folder -> [SourceFile] in
            let root = SharedFiles.packageRoot
            let names = FileManager.default.enumerator(atPath: root + "/" + folder)?.compactMap { $0 as? String } ?? []
            return try names.filter { $0.hasSuffix(".swift") && !$0.contains(".build") }.sorted().map { name in
                let path = folder + "/" + name
                let text = try String(contentsOfFile: root + "/" + path, encoding: .utf8)
                return SourceFile(path: path, lines: text.components(separatedBy: "\n"))
            }
        }
    }
}

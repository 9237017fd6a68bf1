// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSyncCore
import RealmTestSupport
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The recorded facts about synchronisation, of the shared folder.
enum SyncFixtures {
    static let isPresent = SharedFiles.path("fixtures/sync").map { FileManager.default.fileExists(atPath: $0) } ?? false

    /// The lines of a file, each of them a JSON document; none where the shared folder is absent.
    static func lines(_ name: String) throws -> [ArraySlice<UInt8>] {
        guard let path = SharedFiles.path("fixtures/sync/" + name), FileManager.default.fileExists(atPath: path) else {
            return []
        }
        let bytes = name.hasSuffix(".gz") ? try GzipFile.read(path) : [UInt8](try Data(contentsOf: URL(filePath: path)))
        return bytes.split(separator: 0x0A)
    }

    static func documents(_ name: String) throws -> [JSON] {
        try lines(name).map { try JSON(parsing: Array($0)) }
    }
}

extension JSON {
    /// The member, which has to be there.
    func member(_ name: String) throws -> JSON {
        guard let value = self[name] else { throw Failure("\(name) is missing in \(String(description.prefix(200)))") }
        return value
    }

    func string(_ name: String) throws -> String {
        let value = try member(name)
        return try #require(value.text, "\(name)")
    }

    func int(_ name: String) throws -> Int {
        let value = try member(name)
        return try #require(value.integer(), "\(name)")
    }

    func bytes(_ name: String) throws -> [UInt8] {
        let text = try string(name)
        return try #require(Hexadecimal.bytes(text), "\(name)")
    }

}

/// A file of text.
enum TextFile {
    static func read(_ path: String) throws -> String { try String(contentsOf: URL(filePath: path), encoding: .utf8) }
}

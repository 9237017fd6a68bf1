// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmSyncCore
import RealmTestSupport

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

package enum SyncFixtures {
    package static func lines(_ name: String) throws -> [ArraySlice<UInt8>] {
        let path = Fixtures.path("sync/" + name)
        let bytes = name.hasSuffix(".gz") ? try GzipFile.read(path) : [UInt8](try Data(contentsOf: URL(filePath: path)))
        return bytes.split(separator: 0x0A)
    }

    package static func recordings() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: Fixtures.folder("sync/messages"))
            .filter { $0.hasSuffix(".jsonl") }.sorted()
    }

    package static func documents(_ name: String) throws -> [JSON] {
        try lines(name).map { try JSON(parsing: Array($0)) }
    }
}

extension JSON {
    package func member(_ name: String) throws -> JSON {
        guard let value = self[name] else { throw Failure("\(name) is missing in \(String(description.prefix(200)))") }
        return value
    }

    package func string(_ name: String) throws -> String {
        let value = try member(name)
        return try unwrap(value.text, "\(name)")
    }

    package func int(_ name: String) throws -> Int {
        let value = try member(name)
        return try unwrap(value.integer(), "\(name)")
    }

    package func bytes(_ name: String) throws -> [UInt8] {
        let text = try string(name)
        return try unwrap(Hexadecimal.bytes(text), "\(name)")
    }

}

package enum TextFile {
    package static func read(_ path: String) throws -> String {
        try String(contentsOf: URL(filePath: path), encoding: .utf8)
    }
}

func unwrap<Value>(_ value: Value?, _ what: @autoclosure () -> String = "") throws -> Value {
    guard let value else { throw Failure("nothing: \(what())") }
    return value
}

// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmTestSupport

enum TestFile {
    static func read(_ path: String) throws -> [UInt8] {
        guard let data = FileManager.default.contents(atPath: path) else { throw Failure("\(path) cannot be read") }
        return Array(data)
    }

    static func write(_ bytes: [UInt8], _ path: String) throws {
        try require(FileManager.default.createFile(atPath: path, contents: Data(bytes)), "\(path) cannot be written")
    }
}

// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmCheck
import RealmTestSupport
import Testing

@testable import RealmStorage

/// The last possible versions and key numbers, which no real file reaches.
@Suite struct MadeUpNumbersTests {
    private func isClean(_ file: ImageFile, strict: Bool) throws -> Bool {
        FileChecker.check(bytes: try file.bytes(), options: .init(strict: strict)).isClean
    }

    @Test func aFileAtItsLastVersionTakesNoCommits() throws {
        let file = try ImageFile()
        let database = try Database(file: file, readOnly: false)
        try database.write { _ = try $0.schema.addTable("class_A") }
        database.lock.locked { database.committed.version = FileFormat.versionLimit - 2 }
        try database.write { _ = try $0.schema.addTable("class_B") }
        let before = try file.bytes()
        let reopened = try Database(file: file, readOnly: false)
        for database in [database, reopened] {
            let error = #expect(throws: StorageError.self) {
                try database.write { _ = try $0.schema.addTable("class_C") }
            }
            #expect(error?.code == .limitExceeded && error?.message.contains("\(FileFormat.versionLimit - 1)") == true)
        }
        #expect(try file.bytes() == before && isClean(file, strict: true))
    }

    @Test func aFileBeyondItsLastVersionIsRefusedForWritingOnly() throws {
        let file = try ImageFile()
        let database = try Database(file: file, readOnly: false)
        try database.write { _ = try $0.schema.addTable("class_A") }
        database.lock.locked { database.committed.version = FileFormat.versionLimit - 2 }
        try database.write { _ = try $0.schema.addTable("class_B") }
        var bytes = try file.bytes()
        let old = withUnsafeBytes(of: (FileFormat.versionLimit - 1) << 1 | 1) { Array($0) }
        let places = bytes.indices.dropLast(7).filter { Array(bytes[$0..<$0 + 8]) == old }
        try #require(places.count == 1)
        bytes.replaceSubrange(
            places[0]..<places[0] + 8, with: withUnsafeBytes(of: FileFormat.versionLimit << 1 | 1) { Array($0) })
        try bytes.withUnsafeBytes { try file.write($0, at: 0) }
        let error = #expect(throws: StorageError.self) { try Database(file: file, readOnly: false) }
        #expect(error?.code == .invalidDatabase && error?.message.contains("\(FileFormat.versionLimit)") == true)
        #expect(try Database(file: file, readOnly: true).snapshot().table(named: "class_B") != nil)
        #expect(try isClean(file, strict: false) && !isClean(file, strict: true))
    }

    @Test func aTableAtItsLastKeyTakesNoObjects() throws {
        let file = try ImageFile()
        let database = try Database(file: file, readOnly: false)
        let key = try database.write { transaction in
            let key = try transaction.schema.addTable("class_A")
            let table = try transaction.require(key)
            table.sequence = FileFormat.keyNumberLimit - 1
            transaction.changed(table, .contents)
            return key
        }
        #expect(try isClean(file, strict: true))
        try database.write { _ = try $0.createObject(in: key) }
        #expect(try isClean(file, strict: false) && !isClean(file, strict: true))
        let error = #expect(throws: StorageError.self) { try database.write { _ = try $0.createObject(in: key) } }
        #expect(error?.code == .invalidDatabase)
    }
}

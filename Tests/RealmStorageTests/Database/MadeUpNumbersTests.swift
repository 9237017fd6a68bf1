// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmCheck
import RealmTestSupport
import Testing

@testable import RealmStorage

/// Versions and key numbers that no file reaches, after which the format has no room.
@Suite struct MadeUpNumbersTests {
    private func isClean(_ file: ImageFile, strict: Bool) throws -> Bool {
        FileChecker.check(bytes: try file.bytes(), options: .init(strict: strict)).isClean
    }

    @Test func aFileAtItsLastVersionIsRefusedForWritingOnly() throws {
        let file = try ImageFile()
        let database = try Database(file: file, readOnly: false)
        try database.write { _ = try $0.createTable("class_A") }
        database.lock.locked { database.committed.version = FileFormat.versionLimit - 2 }
        try database.write { _ = try $0.createTable("class_B") }
        #expect(try isClean(file, strict: true))
        try Database(file: file, readOnly: false).write { _ = try $0.createTable("class_C") }
        #expect(try isClean(file, strict: false) && !isClean(file, strict: true))
        let error = #expect(throws: StorageError.self) { try Database(file: file, readOnly: false) }
        #expect(error?.code == .invalidDatabase && error?.message.contains("\(FileFormat.versionLimit)") == true)
        #expect(try Database(file: file, readOnly: true).snapshot().table(named: "class_C") != nil)
    }

    @Test func aTableAtItsLastKeyTakesNoObjects() throws {
        let file = try ImageFile()
        let database = try Database(file: file, readOnly: false)
        let key = try database.write { transaction in
            let key = try transaction.createTable("class_A")
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

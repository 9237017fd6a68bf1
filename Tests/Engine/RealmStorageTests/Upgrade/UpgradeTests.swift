// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmCheck
import RealmStorage
import RealmSystem
import RealmTestSupport
import Testing

/// Files of older formats: read as they are, and upgraded like in the original.
@Suite struct UpgradeTests {
    private static func content(of path: String) throws -> [String] {
        try ContentText.lines(of: Database.open(path, readOnly: true).snapshot())
    }

    private static func expected(_ file: OldFile) throws -> [String] {
        try content(of: try #require(file.upgradedPath))
    }

    @Test(arguments: OldFile.upgradable) func openedReadOnlyItIsAsIfUpgraded(_ file: OldFile) throws {
        var content = try Self.content(of: file.path)
        // The only content that an upgrade removes.
        if file.name == "downgrade_asymmetric" { content.removeAll { $0.contains(": int(") } }
        #expect(try content == Self.expected(file))
    }

    @Test(arguments: OldFile.upgradable) func primaryKeysAreFoundInFilesThatAreOpenedReadOnly(_ file: OldFile) throws {
        let snapshot = try Database.open(file.path, readOnly: true).snapshot()
        for key in try snapshot.tableKeys() {
            guard let table = try snapshot.table(key), let primary = table.primaryKey else { continue }
            try table.clusters.forEachLeaf { leaf in
                for row in 0..<leaf.count where row % 16 == 0 {
                    let value = try table.value(primary, of: leaf.key(at: row))
                    let others = try table.objects(primary, equalTo: value)
                    #expect(others.contains(leaf.key(at: row)))
                }
                return true
            }
        }
    }

    @Test(arguments: OldFile.all) func openingReadOnlyTouchesNothing(_ file: OldFile) throws {
        let folder = try TemporaryFolder()
        let path = try file.copy(into: folder)
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        if let database = try? Database.open(path, readOnly: true) {
            _ = try ContentText.lines(of: database.snapshot())
            #expect(throws: StorageError.self) { try database.beginWrite() }
        }
        let later = try FileManager.default.attributesOfItem(atPath: path)
        #expect(later[.modificationDate] as? Date == attributes[.modificationDate] as? Date)
        #expect(try Images.read(path) == file.bytes())
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["\(file.name).realm"])
    }

    @Test(arguments: OldFile.upgradable) func openedForWritingItIsUpgraded(_ file: OldFile) throws {
        let folder = try TemporaryFolder()
        let path = try file.copy(into: folder)
        let before = try Database.open(path, readOnly: true).version
        do {
            let database = try Database.open(path)
            #expect(database.version == before + 1)
            #expect(try ContentText.lines(of: database.snapshot()) == Self.expected(file))
        }
        let backup = UpgradeBackup.path(for: path, format: file.format)
        #expect(try Images.read(backup) == file.bytes())
        try FileAudit.requireCleanTwice(path: path)
        #expect(try Images.read(path)[20...21].contains(24))

        #expect(try Database.open(path).version == before + 1)
        try Self.edit(path)
        try FileAudit.requireCleanTwice(path: path)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter {
            $0.hasSuffix(".backup.realm")
        }
        #expect(names.count == 1)
    }

    private static func edit(_ path: String) throws {
        try Database.open(path).write { transaction in
            for key in try transaction.tableKeys() {
                let table = try transaction.require(key)
                guard table.kind == .topLevel else { continue }
                var values: [ColumnKey: StoredValue] = [:]
                if let primary = table.primaryKey, let column = table.column(primary) {
                    switch column.type {
                    case .int: values[primary] = .int(123_456_789)
                    case .string: values[primary] = .string("a new primary key")
                    default: continue
                    }
                }
                var first: ObjectKey?
                try table.clusters.forEachLeaf { leaf in
                    first = leaf.key(at: 0)
                    return false
                }
                if let first { try transaction.removeObject(first, from: key) }
                _ = try transaction.createObject(in: key, values)
            }
        }
    }

    @Test(arguments: OldFile.upgradable) func upgradesCanBeDisabled(_ file: OldFile) throws {
        let folder = try TemporaryFolder()
        let path = try file.copy(into: folder)
        var options = OpenOptions()
        options.allowsUpgrade = false
        let error = #expect(throws: StorageError.self) { try Database.open(path, options: options) }
        #expect(error?.code == .upgradeRequired(file.format))
        #expect(error?.message == "Database upgrade required but prohibited.")
        #expect(try Images.read(path) == file.bytes())
        _ = try Database.open(path)
        _ = try Database.open(path, options: options)
    }

    @Test(arguments: OldFile.upgradable) func copiesOfOlderFilesAreOfOurFormat(_ file: OldFile) throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/copy.realm"
        let snapshot = try Database.open(file.path, readOnly: true).snapshot()
        try snapshot.writeCopy(to: try DiskFile.open(path, readOnly: false, creation: .createIfMissing))
        #expect(try Images.read(path)[20] == 24)
        #expect(try Self.content(of: path) == ContentText.lines(of: snapshot))
        let report = FileChecker.check(bytes: try Images.read(path))
        #expect(report.isClean, "\(report.violations.prefix(3))")
    }

    // MARK: Rejected files

    @Test(arguments: [UInt8(0), 1, 12, 19, 25, 255]) func otherFormatsAreRefused(_ format: UInt8) throws {
        guard let file = OldFile.named("test_upgrade_database_1000_22") else { return }
        let folder = try TemporaryFolder()
        let path = try file.copy(into: folder)
        var bytes = try file.bytes()
        bytes[20] = format
        try Images.write(bytes, to: path)
        // A copy that could be restored is kept.
        try Images.write(try file.bytes(), to: UpgradeBackup.path(for: path, format: 22))
        for readOnly in [true, false] {
            let error = #expect(throws: StorageError.self) { try Database.open(path, readOnly: readOnly) }
            #expect(error?.code == .unsupportedFormat(format))
        }
        #expect(try Images.read(path) == bytes)
    }

    @Test(arguments: ["test_upgrade_database_4_10_to_11", "test_upgrade_database_4_23"])
    func filesOfTestBuildsAreRefused(_ name: String) throws {
        guard let file = OldFile.named(name) else { return }
        let folder = try TemporaryFolder()
        let path = try file.copy(into: folder)
        for readOnly in [true, false] {
            let error = #expect(throws: StorageError.self) { try Database.open(path, readOnly: readOnly) }
            #expect(error?.message.contains("test build") == true)
        }
    }

    /// Its clusters have one object each, so both rules give equal keys.
    @Test func aFileOfATestBuildThatCanBeReadIsRead() throws {
        guard let file = OldFile.named("test_upgrade_database_4_22"),
            let standard = OldFile.named("test_upgrade_database_1000_22")
        else { return }
        #expect(try Self.content(of: file.path) == Self.expected(standard))
    }

    // MARK: Histories

    @Test func synchronisedFilesAreReadAndConvertedOnRequest() throws {
        guard let file = OldFile.named("test_flx_metadata_tables_v1") else { return }
        let folder = try TemporaryFolder()
        let path = try file.copy(into: folder)
        let content = try Self.content(of: path)
        #expect(content.contains { $0.contains("TopLevel") })
        let error = #expect(throws: StorageError.self) { try Database.open(path) }
        #expect(error?.code == .incompatibleHistory)
        #expect(try Images.read(path) == file.bytes())
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: folder.path).allSatisfy {
                !$0.hasSuffix(".backup.realm")
            })

        var options = OpenOptions()
        options.historyConversion = .local
        do {
            let snapshot = try Database.open(path, options: options).snapshot()
            #expect(try ContentText.lines(of: snapshot) == content)
            #expect(snapshot.top?.historyType == FileFormat.History.local)
            #expect(snapshot.top?.historySchemaVersion == 1)
            #expect(snapshot.top?.elements[FileFormat.Top.fileIdentifier] == 1)
        }
        try FileAudit.requireCleanTwice(path: path)
        try Self.edit(path)
        try FileAudit.requireClean(path: path)
    }

    /// A file of our format with the history type of a synchronised one.
    @Test(arguments: ["in-schema", "write-copy"]) func synchronisedFilesOfOurFormatAreConvertedToo(
        _ name: String
    ) throws {
        let fixture = Fixtures.path("v24/\(name).realm")
        var bytes = try Images.read(fixture)
        let isStreaming = bytes[23] & 1 == 0 && bytes[0] == 0xFF
        let place = isStreaming ? bytes.count - 16 : 8 * Int(bytes[23] & 1)
        let top = (0..<4).reduce(0) { $0 | Int(bytes[place + $1]) << (8 * $1) }
        let width = (1 << Int(bytes[top + 4] & 7)) >> 4
        #expect(bytes[top + 8 + 7 * width] == 2 << 1 | 1)
        bytes[top + 8 + 7 * width] = 3 << 1 | 1
        let folder = try TemporaryFolder()
        let path = folder.path + "/synchronised.realm"
        try Images.write(bytes, to: path)
        let content = try Self.content(of: fixture)
        #expect(try Self.content(of: path) == content)
        let error = #expect(throws: StorageError.self) { try Database.open(path) }
        #expect(error?.code == .incompatibleHistory)
        #expect(try Images.read(path) == bytes)
        var options = OpenOptions()
        options.historyConversion = .local
        _ = try Database.open(path, options: options)
        #expect(try ContentText.lines(of: Database.open(path).snapshot()) == content)
        try FileAudit.requireClean(path: path)
    }

    /// The type is in slot 7 of the top array, which has elements of 16 bits.
    @Test(arguments: [UInt8(1), 4, 7]) func otherHistoriesAreReadButNotWritten(_ type: UInt8) throws {
        guard let file = OldFile.named("test_flx_metadata_tables_v1") else { return }
        let folder = try TemporaryFolder()
        let path = try file.copy(into: folder)
        var bytes = try file.bytes()
        bytes[3040 + 8 + 7 * 2] = type << 1 | 1
        try Images.write(bytes, to: path)
        var options = OpenOptions()
        options.historyConversion = .local
        let error = #expect(throws: StorageError.self) { try Database.open(path, options: options) }
        #expect(error?.code == .incompatibleHistory)
        #expect(try Images.read(path) == bytes)
        #expect(try Self.content(of: path) == Self.content(of: file.path))
    }
}

// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmCheck
import RealmStorage
import RealmSystem
import RealmTestSupport
import Testing

/// Files of formats 2 to 9, from before 2020: read as they are, and upgraded in one commit.
@Suite struct OlderFilesTests {
    @Test(arguments: OlderFile.plain) func openedReadOnlyItHasItsContent(_ file: OlderFile) throws {
        let folder = try TemporaryFolder()
        let path = try file.copy(into: folder)
        let database = try Database.open(path, readOnly: true)
        try OlderContent.requireEqual(database.snapshot(), to: OlderExpectation.lines(of: file))
        #expect(throws: StorageError.self) { try database.beginWrite() }
        #expect(try Images.read(path) == file.bytes())
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == 1)
    }

    @Test(arguments: OlderFile.plain) func openedForWritingItIsUpgraded(_ file: OlderFile) throws {
        let folder = try TemporaryFolder()
        let path = try file.copy(into: folder)
        let before = try Database.open(path, readOnly: true).snapshot()
        let isEmpty = before.top == nil
        // Only servers have these.
        if before.top?.historyType == FileFormat.History.syncServer { return }
        var options = OpenOptions()
        options.historyConversion = .local
        do {
            let database = try Database.open(path, options: options)
            #expect(database.version == before.version + (isEmpty ? 0 : 1))
            try OlderContent.requireEqual(database.snapshot(), to: OlderExpectation.lines(of: file))
        }
        guard !isEmpty else { return }
        #expect(try Images.read(UpgradeBackup.path(for: path, format: file.format)) == file.bytes())
        try FileAudit.requireClean(path: path)
        #expect(try Images.read(path)[20...21].contains(24))
        // The upgrade runs once and leaves an ordinary file.
        try Self.edit(path, version: before.version + 1)
        try FileAudit.requireClean(path: path)
        // The other checker is slow, and these files cover everything.
        if file.name.hasPrefix("v9/") { try PythonChecker.requireClean(path: path) }
    }

    private static func edit(_ path: String, version: UInt64) throws {
        let database = try Database.open(path)
        #expect(database.version == version)
        try database.write { transaction in
            for key in try transaction.tableKeys() {
                let table = try transaction.require(key)
                guard table.kind == .topLevel else { continue }
                var values: [ColumnKey: StoredValue] = [:]
                if let primary = table.primaryKey {
                    values[primary] = table.column(primary)?.type == .int ? .int(123_456_789) : .string("a new one")
                }
                if try table.count() > 0 { try transaction.removeObject(ObjectKey(0), from: key) }
                _ = try transaction.createObject(in: key, values)
            }
        }
    }

    @Test(arguments: OlderFile.plain(byteLimit: 8192)) func copiesAreOfOurFormat(_ file: OlderFile) throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/copy.realm"
        let snapshot = try Database.open(file.path, readOnly: true).snapshot()
        try snapshot.writeCopy(to: try DiskFile.open(path, readOnly: false, creation: .createIfMissing))
        let copy = try Database.open(path, readOnly: true).snapshot()
        try OlderContent.requireEqual(copy, to: OlderExpectation.lines(of: file))
        let report = FileChecker.check(bytes: try Images.read(path))
        #expect(report.isClean, "\(report.violations.prefix(3))")
    }

    @Test func progressIsReported() throws {
        guard let file = OlderFile.named("v9/scalars-1203-rows") else { return }
        let folder = try TemporaryFolder()
        let reports = LockedReports()
        var options = OpenOptions()
        options.upgradeProgress = { reports.add($0) }
        _ = try Database.open(try file.copy(into: folder), options: options)
        #expect(reports.all.last?.rowsDone == reports.all.last?.rowCount)
        #expect(reports.all.contains { $0.rowCount == 1203 })
    }

    /// Guarded by `lock`.
    private final class LockedReports: @unchecked Sendable {
        private let lock = Lock()
        private var reports: [UpgradeProgress] = []
        func add(_ report: UpgradeProgress) { lock.locked { reports.append(report) } }
        var all: [UpgradeProgress] { lock.locked { reports } }
    }

    // MARK: Rejected files

    @Test(arguments: OlderFile.halfUpgraded) func upgradesThatWereNotFinishedAreRefused(_ file: OlderFile) throws {
        let folder = try TemporaryFolder()
        let path = try file.copy(into: folder)
        for readOnly in [true, false] {
            let error = #expect(throws: StorageError.self) { try Database.open(path, readOnly: readOnly) }
            #expect(error?.code == .invalidDatabase)
            #expect(error?.message.contains("was begun and not finished") == true)
            #expect(error?.message.contains("a Realm 6 to 10 before 10.46 finishes it") == true)
        }
        #expect(try Images.read(path) == file.bytes())
        #expect(!Folder.holds(UpgradeBackup.path(for: path, format: 9)))
    }

    @Test(arguments: [UInt8(0), 1]) func unknownFormatsAreRefused(_ format: UInt8) throws {
        guard let file = OlderFile.named("v2/scalars") else { return }
        let folder = try TemporaryFolder()
        let path = try file.copy(into: folder)
        var bytes = try file.bytes()
        (bytes[20], bytes[21]) = (format, format)
        try Images.write(bytes, to: path)
        let error = #expect(throws: StorageError.self) { try Database.open(path) }
        #expect(error?.code == .unsupportedFormat(format))
        #expect(try Images.read(path) == bytes)
    }

    /// The type is in slot 7 of the top array, which has elements of 16 bits.
    @Test(arguments: [UInt8(1), 2, 3, 4]) func historiesAreLeftOutUnlessTheyAreOfServers(_ type: UInt8) throws {
        guard let file = OlderFile.named("v9/history") else { return }
        let folder = try TemporaryFolder()
        let path = try file.copy(into: folder)
        var bytes = try file.bytes()
        let place = 8 * Int(bytes[23] & 1)
        let top = (0..<4).reduce(0) { $0 | Int(bytes[place + $1]) << (8 * $1) }
        let width = (1 << Int(bytes[top + 4] & 7)) >> 4
        #expect(bytes[top + 8 + 7 * width] == 2 << 1 | 1)
        bytes[top + 8 + 7 * width] = type << 1 | 1
        try Images.write(bytes, to: path)
        let expected = try OlderExpectation.lines(of: file)
        try OlderContent.requireEqual(Database.open(path, readOnly: true).snapshot(), to: expected)
        if type > 2 {
            let error = #expect(throws: StorageError.self) { try Database.open(path) }
            #expect(error?.code == .incompatibleHistory)
            #expect(try Images.read(path) == bytes)
        }
        guard type < 4 else { return }
        var options = OpenOptions()
        options.historyConversion = .local
        try OlderContent.requireEqual(Database.open(path, options: options).snapshot(), to: expected)
        try FileAudit.requireClean(path: path)
    }
}

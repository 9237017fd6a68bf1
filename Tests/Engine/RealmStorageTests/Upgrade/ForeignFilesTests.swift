// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmCheck
import RealmTestSupport
import TestTraits
import Testing

@testable import RealmStorage

/// Files of apps written by other SDKs (row A8).
@Suite struct ForeignFilesTests {
    private static let damaged = "pdd-crlf-damaged-22.realm"
    /// A file of the last release for synchronised Realms, whose service has ended.
    private static let synchronised = "dotnet-guids-sync-schema-23.realm"

    private static var names: [String] {
        guard let folder = SharedFiles.folder(.apps) else { return [] }
        return ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
    }

    private static func copy(_ name: String, into folder: TemporaryFolder) throws -> String {
        let bytes = try Images.read(try #require(SharedFiles.path(.apps, name)))
        try Images.write(bytes, to: folder.path + "/" + name)
        return folder.path + "/" + name
    }

    @Test(.behaviour("A08"), arguments: names.filter { $0 != damaged }) func filesReadByAllEnginesAreClean(
        _ name: String
    )
        throws
    {
        let path = try #require(SharedFiles.path(.apps, name))
        let report = FileChecker.check(bytes: try Images.read(path))
        #expect(report.isClean, "\(report.unreadable ?? "") \(report.violations.prefix(3))")
    }

    @Test(.behaviour("A08"), arguments: names.filter { $0 != damaged }) func itIsUpgradedAndKeepsItsContents(
        _ name: String
    ) throws {
        let folder = try TemporaryFolder()
        let path = try Self.copy(name, into: folder)
        let content = try ContentText.lines(of: Database.open(path, readOnly: true).snapshot())
        var options = OpenOptions()
        options.historyConversion = .local
        do {
            let database = try Database.open(path, options: options)
            #expect(try ContentText.lines(of: database.snapshot()) == content)
        }
        try FileAudit.requireClean(bytes: Images.read(path), strict: false)
    }

    @Test(.behaviour("A08")) func lineEndsThatWereConvertedAreNamed() throws {
        guard let path = SharedFiles.path(.apps, Self.damaged) else { return }
        let error = #expect(throws: StorageError.self) { try Database.open(path, readOnly: true) }
        let text = error.map { "\($0)" } ?? ""
        #expect(text.contains("each line feed got a carriage return") && !text.contains("cut short"), "\(text)")
    }

    @Test(.behaviour("A08")) func theRefusalOfASynchronisedFileNamesTheConversion() throws {
        guard let file = OldFile.named("test_flx_metadata_tables_v1") else { return }
        let folder = try TemporaryFolder()
        let path = try file.copy(into: folder)
        let error = #expect(throws: StorageError.self) { try Database.open(path) }
        #expect("\(error.map { "\($0)" } ?? "")".contains("by opening it with `storage.convertsSyncedFile`"))
    }

    private static func mixedSlots(_ path: String) throws -> [Int] {
        let snapshot = try Database.open(path, readOnly: true).snapshot()
        return try snapshot.tableKeys().compactMap { try snapshot.table($0) }.flatMap { table in
            try table.columns.filter { $0.type == .mixed && !$0.key.isCollection }.flatMap { column in
                var counts: [Int] = []
                try table.clusters.forEachLeaf { leaf in
                    counts.append(try snapshot.space.node(try leaf.node.child(column.leafIndex + 1)).count)
                    return true
                }
                return counts
            }
        }
    }

    @Test(.behaviour("A08")) func leavesOfMixedValuesGetTheirSlots() throws {
        var seen = 0
        for file in OldFile.upgradable where file.format == 23 {
            let folder = try TemporaryFolder()
            let path = try file.copy(into: folder)
            _ = try Database.open(path)
            let slots = try Self.mixedSlots(path)
            seen += slots.count
            #expect(slots.allSatisfy { $0 == FileFormat.Mixed.count }, "\(file): \(slots)")
        }
        #expect(seen > 0 || SharedFiles.folder(.upstream) == nil)
    }
}

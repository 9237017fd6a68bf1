// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmRuntime
import RealmTestSupport
import TestTraits
import Testing

@testable import RealmSwift

/// Files of older formats, and of synchronised Realms, through the SDK.
@Suite struct RealmFormatTests {
    private static func copy(_ name: String, into folder: TemporaryFolder) throws -> URL? {
        guard let path = SharedFiles.path(.upstream, "\(name).realm") else { return nil }
        let url = URL(fileURLWithPath: folder.path + "/\(name).realm")
        try FileManager.default.copyItem(atPath: path, toPath: url.path)
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: url.path)
        return url
    }

    private static func configuration(_ url: URL, readOnly: Bool = false) -> Realm.Configuration {
        Realm.Configuration(fileURL: url, readOnly: readOnly, schemaVersion: 1, objectTypes: [])
    }

    @Test(.behaviour("B-202")) func olderFilesAreUpgradedUnlessThatIsDisabled() throws {
        let folder = try TemporaryFolder()
        guard let url = try Self.copy("test_upgrade_database_1000_22", into: folder) else { return }
        let before = try Data(contentsOf: url)
        var configuration = Self.configuration(url)
        configuration.disableFormatUpgrade = true
        let error = #expect(throws: Realm.Error.self) { _ = try Realm(configuration: configuration) }
        #expect(error?.code == .fileFormatUpgradeRequired)
        #expect(error?.message == "Database upgrade required but prohibited.")
        #expect(error?.fileURL == url)
        _ = try Realm(configuration: Self.configuration(url, readOnly: true))
        #expect(try Data(contentsOf: url) == before)

        _ = try Realm(configuration: Self.configuration(url))
        #expect(try Data(contentsOf: url) != before)
        let backup = folder.path + "/test_upgrade_database_1000_22.v22.backup.realm"
        #expect(try Data(contentsOf: URL(fileURLWithPath: backup)) == before)
        _ = try Realm(configuration: configuration)
    }

    @Test(.behaviour("B-201")) func unknownFormatsAreUnsupported() throws {
        let folder = try TemporaryFolder()
        guard let url = try Self.copy("test_upgrade_database_1000_1", into: folder) else { return }
        var bytes = try Data(contentsOf: url)
        (bytes[20], bytes[21]) = (1, 1)
        try bytes.write(to: url)
        let error = #expect(throws: Realm.Error.self) { _ = try Realm(configuration: Self.configuration(url)) }
        #expect(error?.code == .unsupportedFileFormatVersion)
        #expect(error?.message.hasPrefix("Database has an unsupported version (1) and cannot be upgraded") == true)
    }

    @Test func filesFromBefore2020AreUpgradedWithProgress() throws {
        let folder = try TemporaryFolder()
        guard let url = try Self.copy("test_upgrade_database_1000_1", into: folder) else { return }
        let reports = Locked<[MigrationProgress]>([])
        var configuration = Self.configuration(url)
        configuration.schemaRules.migrationProgress = { report in reports.withLock { $0.append(report) } }
        _ = try Realm(configuration: configuration)
        #expect(reports.withLock { $0.last }?.fraction == 1)
    }

    @Test func synchronisedFilesAreConvertedOnRequest() throws {
        let folder = try TemporaryFolder()
        guard let url = try Self.copy("test_flx_metadata_tables_v1", into: folder) else { return }
        let before = try Data(contentsOf: url)
        let error = #expect(throws: Realm.Error.self) { _ = try Realm(configuration: Self.configuration(url)) }
        #expect(error?.code == .incompatibleHistories)
        #expect(try Data(contentsOf: url) == before)
        var configuration = Self.configuration(url)
        configuration.storage.convertsSyncedFile = true
        _ = try Realm(configuration: configuration)
        _ = try Realm(configuration: Self.configuration(url))
    }
}

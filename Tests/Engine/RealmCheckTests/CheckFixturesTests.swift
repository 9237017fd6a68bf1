// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmCheck
import RealmTestSupport
import TestTraits
import Testing

/// The audit of files that the original engine wrote.
@Suite struct CheckFixturesTests {
    @Test(arguments: Fixtures.names(in: "v24").filter { !$0.hasPrefix("encrypted") })
    func everyFixtureIsCleanInStrictMode(_ name: String) throws {
        let file = try FileEditor(name)
        let report = FileChecker.check(bytes: file.bytes, options: .init(strict: true))
        #expect(report.isClean, "\(report.unreadable ?? "") \(report.violations.prefix(3))")
        #expect(report.remnants.isEmpty)
        let statistics = report.statistics
        #expect(
            name == "empty"
                || statistics.nodeByteCount + statistics.freeByteCount + 24 == statistics.logicalByteCount)
    }

    @Test(arguments: SharedFiles.names(in: .upstream).filter { $0.hasSuffix(".upgraded") })
    func everyUpgradedFileIsClean(_ name: String) throws {
        let file = try FileEditor(path: try #require(SharedFiles.path(.upstream, name + ".realm")))
        let report = FileChecker.check(bytes: file.bytes)
        #expect(report.isClean, "\(report.unreadable ?? "") \(report.violations.prefix(3))")
    }

    @Test func remnantsAreCountedAndAreViolationsInStrictMode() throws {
        guard let path = SharedFiles.path(.upstream, "test_upgrade_database_1000_23.upgraded.realm") else { return }
        let file = try FileEditor(path: path)
        let report = FileChecker.check(bytes: file.bytes)
        #expect(report.remnants == ["2:13.2 W9": 1, "2:13.3 M23": 2, "2:13.5 M33": 2])
        let strict = FileChecker.check(bytes: file.bytes, options: .init(strict: true))
        #expect(Set(strict.violations.map(\.rule)) == Set(report.remnants.keys))
    }

    /// Releases of the original wrote such tags when they upgraded tables. Every engine accepts them.
    @Test(.behaviour("V01"), arguments: [1 << 45, 1 << 36])
    func aTagThatNoCounterExplainsIsARemnant(_ difference: Int) throws {
        var file = try FileEditor("in-schema")
        let keys = file.element(file.spec("class_Dog"), 5)
        let place = file.specIndex("class_Dog", "weight")
        file.set(keys, place, file.element(keys, place) ^ difference)
        let report = FileChecker.check(bytes: file.bytes)
        #expect(report.isClean, "\(report.violations.prefix(3))")
        #expect(report.remnants == ["2:1.2 M24": 1])
        let strict = FileChecker.check(bytes: file.bytes, options: .init(strict: true))
        #expect(strict.violations.map(\.rule) == ["2:1.2 M24"])
    }

    @Test(arguments: OldFile.upgradable) func everyOlderFileIsCleanByItsOwnRules(_ file: OldFile) throws {
        for isStrict in [false, true] {
            let report = FileChecker.check(bytes: try file.bytes(), options: .init(strict: isStrict))
            #expect(report.isClean, "\(report.unreadable ?? "") \(report.violations.prefix(3))")
            #expect(report.statistics.formatVersion == Int(file.format))
        }
    }

    /// Covers free space too.
    @Test func progressIsReported() throws {
        let file = try FileEditor("sparse")
        // `Mutex` needs macOS 15.
        let lock = NSLock()
        nonisolated(unsafe) var shares: [Double] = []
        let options = CheckOptions { done, total in lock.withLock { shares.append(Double(done) / Double(total)) } }
        #expect(FileChecker.check(bytes: file.bytes, options: options).isClean)
        let reported = lock.withLock { shares }
        #expect(reported == reported.sorted())
        #expect(reported.count > 20 && reported[0] < 0.1 && 0.95...1 ~= reported.last ?? 0, "\(reported)")
    }

    @Test func aSynchronisedFileIsClean() throws {
        guard let file = OldFile.named("test_flx_metadata_tables_v1") else { return }
        #expect(FileChecker.check(bytes: try file.bytes(), options: .init(strict: true)).isClean)
    }

    @Test(arguments: ["test_upgrade_database_4_10_to_11", "test_upgrade_database_4_23"])
    func filesOfTestBuildsAreNamedAsSuch(_ name: String) throws {
        guard let file = OldFile.named(name) else { return }
        let report = FileChecker.check(bytes: try file.bytes())
        #expect(report.violations.first?.rule == "2:5.7")
    }

    @Test(arguments: OlderFile.plain) func everyFileBeforeTheClustersIsCleanByItsOwnRules(_ file: OlderFile) throws {
        let report = FileChecker.check(bytes: try file.bytes(), options: .init(strict: true))
        #expect(report.isClean, "\(report.unreadable ?? "") \(report.violations.prefix(3))")
        #expect(report.statistics.formatVersion == Int(file.format))
    }

    /// The upgrade keeps the table as it is, so it must be valid.
    @Test func anInvalidSchemaVersionIsAViolationBeforeTheClusters() throws {
        let columns: [(RowFile.Column, isClean: Bool)] = [
            (RowFile.Column("version", .ints([3])), true), (RowFile.Column("rersion", .ints([3])), false),
            (RowFile.Column("version", .strings(["3"])), false),
            (RowFile.Column("version", .optionalInts([3]), attributes: 16), false),
        ]
        for (column, isClean) in columns {
            var file = RowFile()
            file.add("metadata", [column])
            let report = FileChecker.check(bytes: file.finish(), options: .init(strict: true))
            #expect(report.violations.map(\.rule) == (isClean ? [] : ["3:9"]), "\(report)")
        }
    }

    @Test(arguments: OlderFile.halfUpgraded) func upgradesThatWereNotFinishedAreNamed(_ file: OlderFile) throws {
        let report = FileChecker.check(bytes: try file.bytes())
        #expect(report.violations.first?.message.contains("was begun and not finished") == true)
    }

    @Test func anUnknownFormatIsUnreadable() throws {
        guard var bytes = try OldFile.named("test_upgrade_database_1000_1")?.bytes() else { return }
        (bytes[20], bytes[21]) = (1, 1)
        let report = FileChecker.check(bytes: bytes)
        #expect(report.unreadable?.contains("unsupported format 1") == true)
        #expect(!report.isClean)
    }

    @Test func encryptedFilesAreUnreadable() throws {
        let file = try FileEditor("encrypted-small")
        #expect(FileChecker.check(bytes: file.bytes).unreadable?.contains("mnemonic") == true)
    }

    @Test func tinyFilesAreUnreadable() {
        for count in [0, 1, 8, 23] {
            #expect(FileChecker.check(bytes: Array(repeating: 0x54, count: count)).unreadable != nil)
        }
    }

    @Test func theReportKeepsTheRequestedNumberOfViolations() throws {
        var file = try FileEditor("in-schema")
        for table in ["class_Dog", "class_DogClub", "class_Person"] { file.set(file.table(table), 12, 7) }
        let all = FileChecker.check(bytes: file.bytes)
        let one = FileChecker.check(bytes: file.bytes, options: .init(violationLimit: 1))
        #expect(all.violations.count > 1)
        #expect(one.violations.count == 1)
        #expect(one.violationCount >= all.violations.count)
        #expect(one.violations == Array(all.violations.prefix(1)))
    }
}

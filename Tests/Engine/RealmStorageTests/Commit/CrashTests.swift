// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmCheck
import RealmSystem
import RealmTestSupport
import Testing

@testable import RealmStorage

/// Crashes at any moment. The image opens as a version that isn't older than the last acknowledged one.
@Suite struct CrashTests {
    /// The number of images of each kind per moment, besides those that lose everything or nothing.
    private static var samples: Int { Settings.isContinuousIntegration ? 8 : 1 }

    /// Writes are torn in halves here. `Scripts/crash-test --exhaustive` tears them into pieces of 512 bytes.
    private static let small: [CrashConfiguration] = [.plain, .encryptedInHalves]

    @Test(arguments: CrashWorkload.all.filter(\.isSmall).map(\.name), small.map(\.name))
    func everyImageOfSmallCommits(_ workload: String, _ configuration: String) throws {
        let generator = SeededGenerator(for: "every crash image of \(workload), \(configuration)")
        let run = try #require(CrashTests.run(workload, configuration, generator.seed))
        let extent = try withTrace("seed \(generator.seed)") { try run.tryEveryImage(with: CrashVerifier()) }
        print("crash: \(extent)")
        #expect(extent.images > 20 && extent.completeMoments > 5)
    }

    /// Scripts/crash-test tries many more.
    @Test(arguments: CrashWorkload.all.map(\.name), CrashConfiguration.all.map(\.name))
    func randomImages(_ workload: String, _ configuration: String) throws {
        let generator = SeededGenerator(for: "crash images of \(workload), \(configuration)")
        let run = try #require(CrashTests.run(workload, configuration, generator.seed))
        let verifier = try CrashVerifier()
        let count = Settings.isContinuousIntegration ? 800 : 30
        try withTrace("seed \(generator.seed)") { try run.tryRandomImages(count, with: verifier) }
        #expect(verifier.imageCount >= count)
    }

    private static func run(_ workload: String, _ configuration: String, _ seed: UInt64) -> CrashRun? {
        guard let workload = CrashWorkload.named(workload),
            let configuration = (CrashConfiguration.all + small).first(where: { $0.name == configuration })
        else { return nil }
        return CrashRun(workload, configuration, seed: seed)
    }

    @Test func everyMomentOfAShrinkingFile() throws {
        var generator = SeededGenerator(for: "crash of a shrinking file")
        let folder = try TemporaryFolder()
        let path = folder.path + "/test.realm"
        let file = FaultyFile(try DiskFile.open(path, readOnly: false, creation: .createIfMissing))
        let database = try Database(file: file, readOnly: false)
        (database.spaceAccounting.shrinking.slack, database.spaceAccounting.shrinking.memory) = (4096, 2)
        var history = CrashHistory(events: file.events.count)
        var workload = Workload(generator, size: 10)
        var held: Snapshot?
        for number in 0..<(Settings.isContinuousIntegration ? 60 : 36) {
            let version = try database.write { transaction in
                try workload.change(transaction)
                if number % 20 == 5 {
                    let table = try transaction.schema.addTable("class_Bulk")
                    let data = try transaction.schema.addColumn("data", .binary, to: table)
                    for _ in 0..<4 {
                        let bytes = [UInt8](repeating: 7, count: 8_000 + generator.below(16_000))
                        _ = try transaction.createObject(in: table, [data: .binary(bytes)])
                    }
                } else if number % 20 == 8, let table = try transaction.table(named: "class_Bulk") {
                    try transaction.schema.removeTable(table.key)
                }
                return transaction.baseVersion + 1
            }
            let snapshot = try database.snapshot()
            history.note(version, try SnapshotText.lines(of: snapshot), events: file.events.count)
            if number == 27 { held = snapshot }
            if number == 33 { held = nil }
        }
        withExtendedLifetime(held) {}
        let sizes = file.events.compactMap { if case .resize(let size) = $0 { size } else { nil } }
        #expect(zip(sizes, sizes.dropFirst()).contains { $0 > $1 })
        try history.verifyEveryMoment(from: [], file.events, CrashTests.samples, &generator)
    }

    @Test(arguments: ["write-copy", "group-write", "compacted", "group-write-empty"])
    func everyMomentOfLeavingStreamingForm(_ name: String) throws {
        let fixture = Fixtures.path("v24/\(name).realm")
        var generator = SeededGenerator(for: "crash of \(name)")
        let folder = try TemporaryFolder()
        let path = folder.path + "/test.realm"
        let base = try Images.read(fixture)
        try Images.write(base, to: path)
        let file = FaultyFile(try DiskFile.open(path, readOnly: false))
        let database = try Database(file: file, readOnly: false)
        var history = CrashHistory(events: file.events.count)
        let version = database.version
        history.begin(version, try SnapshotText.lines(of: database.snapshot()))
        for _ in 0..<3 {
            let version = try database.write { transaction in
                _ = try transaction.schema.addTable("class_New\(transaction.baseVersion)")
                return transaction.baseVersion + 1
            }
            history.note(version, try SnapshotText.lines(of: database.snapshot()), events: file.events.count)
        }
        history.isStrict = false
        try history.verifyEveryMoment(from: base, file.events, CrashTests.samples, &generator)
    }
}

private struct CrashHistory {
    private var texts: [UInt64: [String]] = [1: []]
    private var returned: [(version: UInt64, events: Int)]
    var isStrict = true

    init(events: Int) { returned = [(1, 0)] }

    var newest: UInt64 { returned[returned.count - 1].version }

    mutating func begin(_ version: UInt64, _ text: [String]) {
        returned = [(version, 0)]
        texts = [version: text]
    }

    mutating func note(_ version: UInt64, _ text: [String], events: Int) {
        returned.append((version, events))
        texts[version] = text
    }

    func verifyEveryMoment(
        from base: [UInt8], _ events: [FaultyFile.Event], _ samples: Int, _ generator: inout SeededGenerator
    ) throws {
        var image = CrashImage(of: base)
        var seen: Set<[UInt8]> = []
        for moment in 0...events.count {
            if moment > 0 { image.apply(events[moment - 1]) }
            let last = returned.last { $0.events <= moment }?.version ?? 1
            let allowed = last...min(last + 1, newest)
            for kept in CrashImage.Kept.allCases {
                let count = kept == .nothing || kept == .everything ? 1 : image.hasPendingWrites ? samples : 0
                for sample in 0..<count {
                    let bytes = image.crashed(keeping: kept, using: &generator)
                    guard seen.insert(bytes).inserted || sample == 0 && kept == .nothing else { continue }
                    try withTrace("seed \(generator.seed), after event \(moment), keeping \(kept)") {
                        try verify(bytes, allowed, commitsAfterwards: generator.chance(10))
                    }
                }
            }
        }
        print("crash: \(seen.count) images of \(events.count) moments")
    }

    private func verify(_ bytes: [UInt8], _ allowed: ClosedRange<UInt64>, commitsAfterwards: Bool) throws {
        let file = try DiskFile.anonymous(in: TemporaryFolder.base)
        if !bytes.isEmpty { try bytes.withUnsafeBytes { try file.write($0, at: 0) } }
        let database = try Database(file: file, readOnly: false)
        try require(allowed.contains(database.version), "version \(database.version) is not in \(allowed)")
        let text = try SnapshotText.lines(of: database.snapshot())
        try require(text == texts[database.version], "the content of version \(database.version) is another one")
        try audit(file)
        guard commitsAfterwards else { return }
        try database.write { _ = try $0.schema.addTable("class_After") }
        try audit(file)
    }

    private func audit(_ file: DiskFile) throws {
        var bytes = [UInt8](repeating: 0, count: try file.size())
        try bytes.withUnsafeMutableBytes { try file.read(into: $0, at: 0) }
        if isStrict { return try FileAudit.requireClean(bytes: bytes) }
        let report = FileChecker.check(bytes: bytes)
        try require(report.isClean, "the audit is not clean: \(report.violations)")
    }
}

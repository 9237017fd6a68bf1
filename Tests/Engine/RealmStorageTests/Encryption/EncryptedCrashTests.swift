// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmSystem
import RealmTestSupport
import Testing

/// Crashes of an encrypted database on a disk that writes sectors of 512 bytes atomically. The image opens as a version
/// that isn't older than the last acknowledged one.
@Suite struct EncryptedCrashTests {
    private static var samples: Int { Settings.isContinuousIntegration ? 20 : 6 }

    @Test func everyMomentOfANewDatabase() throws {
        var generator = SeededGenerator(for: "encrypted crash")
        let folder = try TemporaryFolder()
        let file = FaultyFile(try DiskFile.open(folder.path + "/a", readOnly: false, creation: .createIfMissing))
        let database = try Database(file: try EncryptedFile(file, cipher: QuickCipher()), readOnly: false)
        var versions = [Version(number: 1, lines: [], events: 0)]
        var workload = Workload(generator, size: 15)
        var held: [Snapshot] = []
        for number in 0..<20 {
            _ = try workload.commit(to: database)
            let snapshot = try database.snapshot()
            versions.append(try Version(snapshot, file.events.count))
            if number % 7 == 3 { held = [snapshot] }
        }
        held.removeAll()
        try verifyEveryMoment(from: [], file.events, versions, &generator)
    }

    @Test func everyMomentOfLeavingStreamingForm() throws {
        let fixture = Fixtures.path("v24/write-copy.realm")
        var generator = SeededGenerator(for: "encrypted crash of streaming form")
        let folder = try TemporaryFolder()
        let base = try EncryptedImage.encrypt(streaming: try Images.read(fixture))
        try Images.write(base, to: folder.path + "/a")
        let file = FaultyFile(try DiskFile.open(folder.path + "/a", readOnly: false))
        let database = try Database(file: try EncryptedFile(file, cipher: QuickCipher()), readOnly: false)
        var versions = [try Version(database.snapshot(), 0)]
        for _ in 0..<3 {
            try database.write { _ = try $0.schema.addTable("class_New\($0.baseVersion)") }
            versions.append(try Version(database.snapshot(), file.events.count))
        }
        try verifyEveryMoment(from: base, file.events, versions, &generator)
    }

    private struct Version {
        let number: UInt64
        let lines: [String]
        let events: Int

        init(number: UInt64, lines: [String], events: Int) {
            (self.number, self.lines, self.events) = (number, lines, events)
        }

        init(_ snapshot: Snapshot, _ events: Int) throws {
            self.init(number: snapshot.version, lines: try SnapshotText.lines(of: snapshot), events: events)
        }
    }

    private func verifyEveryMoment(
        from base: [UInt8], _ events: [FaultyFile.Event], _ versions: [Version], _ generator: inout SeededGenerator
    ) throws {
        var disk = SectorDisk(base)
        // A repeated image is verified only if fewer versions are allowed by then.
        var seen: [[UInt8]: Int] = [:]
        for moment in 0...events.count {
            if moment > 0 { disk.apply(events[moment - 1]) }
            let last = try #require(versions.lastIndex { $0.events <= moment })
            let allowed = versions[last...min(last + 1, versions.count - 1)]
            for share in [0, 100] + (0..<EncryptedCrashTests.samples).map({ _ in generator.below(101) }) {
                let bytes = disk.crashed(keeping: share, &generator)
                guard seen.updateValue(last, forKey: bytes) != last else { continue }
                try withTrace("seed \(generator.seed), after event \(moment), keeping \(share) %") {
                    try verify(bytes, allowed, commitsAfterwards: generator.chance(20))
                }
            }
        }
        print("encrypted crash: \(seen.count) images of \(events.count) moments")
    }

    private func verify(_ bytes: [UInt8], _ allowed: ArraySlice<Version>, commitsAfterwards: Bool) throws {
        let disk = try DiskFile.anonymous(in: TemporaryFolder.base)
        if !bytes.isEmpty { try bytes.withUnsafeBytes { try disk.write($0, at: 0) } }
        let file = try EncryptedFile(disk, cipher: QuickCipher())
        let database = try Database(file: file, readOnly: false)
        let snapshot = try database.snapshot()
        guard let version = allowed.first(where: { $0.number == snapshot.version }) else {
            throw Failure("version \(snapshot.version) is not in \(allowed.map(\.number))")
        }
        try require(try SnapshotText.lines(of: snapshot) == version.lines, "another content")
        try EncryptedImage.audit(disk)
        guard commitsAfterwards else { return }
        try database.write { _ = try $0.schema.addTable("class_After") }
        try EncryptedImage.audit(disk)
    }
}

/// A disk that writes sectors of 512 bytes atomically, and unsynced ones in any order or not at all.
private struct SectorDisk {
    private var bytes: [UInt8]
    private var pending: [FaultyFile.Event] = []

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    mutating func apply(_ event: FaultyFile.Event) {
        switch event {
        case .resize: pending.append(event)
        case .write(let offset, let written):
            var done = 0
            while done < written.count {
                let count = min(512 - (offset + done) % 512, written.count - done)
                pending.append(.write(offset: offset + done, bytes: Array(written[done..<done + count])))
                done += count
            }
        default:
            for event in pending { perform(event) }
            pending.removeAll()
        }
    }

    func crashed(keeping share: Int, _ generator: inout SeededGenerator) -> [UInt8] {
        var copy = self
        let kept = pending.filter { _ in generator.chance(share) }
        for event in share == 100 ? kept : kept.shuffled(using: &generator) { copy.perform(event) }
        return copy.bytes
    }

    private mutating func perform(_ event: FaultyFile.Event) {
        switch event {
        case .resize(let size):
            if size < bytes.count { bytes.removeSubrange(size...) } else { grow(to: size) }
        case .write(let offset, let written):
            grow(to: offset + written.count)
            bytes.replaceSubrange(offset..<offset + written.count, with: written)
        default: break
        }
    }

    private mutating func grow(to size: Int) {
        if size > bytes.count { bytes += [UInt8](repeating: 0, count: size - bytes.count) }
    }
}

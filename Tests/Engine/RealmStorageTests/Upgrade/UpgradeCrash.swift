// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmSystem
import RealmTestSupport
import Testing

/// The upgrade of one file, interrupted by a crash or a failed call.
struct UpgradeCrash {
    private let name: String
    private let bytes: [UInt8]
    private let configuration: CrashConfiguration
    private let old: [String]
    let new: [String]
    private let read: (Snapshot) throws -> [String]

    private var samples: Int { Settings.isContinuousIntegration ? 8 : 2 }

    init(_ file: OldFile) throws {
        (name, bytes, read) = (file.name, try file.bytes(), { try ContentText.lines(of: $0) })
        configuration = .plain
        old = try ContentText.lines(of: Database.open(file.path, readOnly: true).snapshot())
        let upgraded = try #require(file.upgradedPath)
        new = try ContentText.lines(of: Database.open(upgraded, readOnly: true).snapshot())
    }

    init(_ file: OlderFile, isEncrypted: Bool = false) throws {
        let plain = try file.bytes()
        let pages = plain + [UInt8](repeating: 0, count: -plain.count & 4095)
        (name, read) = (file.name, { try OlderContent.lines(of: $0) })
        bytes = isEncrypted ? try EncryptedImage.encrypt(pages) : plain
        configuration = isEncrypted ? .encrypted : .plain
        old = try OlderExpectation.lines(of: file)
        new = old
    }

    private func copy(into folder: TemporaryFolder) throws -> String {
        let path = folder.path + "/old.realm"
        try Images.write(bytes, to: path)
        return path
    }

    func everyMoment() throws {
        var generator = SeededGenerator(for: "crash of the upgrade of \(name)")
        let folder = try TemporaryFolder()
        let file = FaultyFile(try DiskFile.open(try copy(into: folder), readOnly: false))
        let database = try Database(file: configuration.wrap(file), readOnly: false)
        #expect(try read(database.snapshot()) == new)
        let events = file.events
        var image = CrashImage(of: bytes, on: configuration.disk)
        var outcomes: Set<Bool> = []
        var seen: Set<[UInt8]> = []
        for moment in 0...events.count {
            if moment > 0 { image.apply(events[moment - 1]) }
            for kept in CrashImage.Kept.allCases {
                for _ in 0..<(kept == .nothing || kept == .everything ? 1 : samples) {
                    let bytes = image.crashed(keeping: kept, using: &generator)
                    guard seen.insert(bytes).inserted else { continue }
                    try withTrace("seed \(generator.seed), after event \(moment), keeping \(kept)") {
                        _ = outcomes.insert(try verify(bytes))
                    }
                }
            }
        }
        #expect(outcomes == [false, true])
    }

    func everyFailure() throws {
        var failed: Set<FaultyFile.Call> = []
        for count in 0..<1000 {
            let folder = try TemporaryFolder()
            let path = try copy(into: folder)
            let file = FaultyFile(try DiskFile.open(path, readOnly: false))
            file.fail(after: count)
            let database = try? Database(file: configuration.wrap(file), readOnly: false)
            guard let call = file.failedCall else { break }
            failed.insert(call)
            try withTrace("call \(count) fails") {
                if let database { try require(try read(database.snapshot()) == new, "another content") }
                _ = try verify(try Images.read(path))
            }
        }
        // Encrypted pages are read, not mapped.
        #expect(failed.isSuperset(of: [.size, .read, .write, .sync] + (configuration.isEncrypted ? [] : [.map])))
    }

    private func verify(_ bytes: [UInt8]) throws -> Bool {
        let disk = try DiskFile.anonymous(in: TemporaryFolder.base)
        try bytes.withUnsafeBytes { try disk.write($0, at: 0) }
        let file = try configuration.wrap(disk)
        let header = try file.bytes(FileFormat.Header.byteCount, at: 0)
        let isNew = header[20 + Int(header[23] & 1)] == FileFormat.version
        let seen = try read(Database(file: file, readOnly: true).snapshot())
        try require(seen == (isNew ? new : old), "the content is another one")
        try requireUpgraded(disk)
        return isNew
    }

    private func requireUpgraded(_ disk: DiskFile) throws {
        let database = try Database(file: configuration.wrap(disk), readOnly: false)
        try require(try read(database.snapshot()) == new, "the upgraded content is another one")
        let bytes = try configuration.wrap(disk).contents()
        try FileAudit.requireClean(bytes: bytes, isDecrypted: configuration.isEncrypted)
    }
}

// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmCheck
import RealmStorage
import RealmSystem

/// Opens crash images and checks that their content is allowed. Confined to one thread at a time.
package final class CrashVerifier {
    private let memory: ImageFile
    package private(set) var imageCount = 0
    package private(set) var deepCount = 0

    package init() throws { memory = try ImageFile() }

    /// Throws unless the image opens as one of the allowed states, node by node, accepts one more commit, and is clean
    /// afterwards. If `isDeep`, it also reads all content before and after that commit, and tries a crash in the middle
    /// of it.
    package func verify(
        _ image: [UInt8], of recording: CrashRecording, after events: Int, isDeep: Bool,
        using generator: inout SeededGenerator
    ) throws {
        imageCount += 1
        let allowed = recording.allowed(after: events)
        try verifyHeader(of: image, allowed, recording, isDeep)
        guard isDeep else { return try reopen(memory, image, allowed, recording) }
        deepCount += 1
        let file = FaultyFile(memory)
        try reopen(file, image, allowed, recording, isDeep: true)
        try crashAgain(image, file.events, allowed, recording.configuration, &generator)
    }

    private func reopen(
        _ file: any DatabaseFile, _ image: [UInt8], _ allowed: [VersionImage], _ recording: CrashRecording,
        isDeep: Bool = false
    ) throws {
        try memory.load(image)
        let file = try recording.configuration.wrap(file)
        let database = try Database(file: file, readOnly: false)
        let before = try database.snapshot()
        let state = try identify(before, allowed, isDeep)
        try commit(to: database)
        let after = try database.snapshot()
        try requireEqual(after.version, state.version + 1, "the version after one more commit")
        try require(state.isIdentical(to: before), "the commit changed the version before it")
        try audit(file, recording)
        try requireEqual(try after.table(named: CrashVerifier.table)?.count(), 3, "the objects of one more commit")
        guard isDeep else { return }
        let lines = try SnapshotText.lines(of: after)
        try require(state.text.allSatisfy(Set(lines).contains), "the commit changed what it did not touch")
        try requireEqual(lines.count, state.text.count + 5, "the lines after one more commit")
    }

    /// Throws unless a library that ignores records finds an unchanged committed version, at most one before the
    /// allowed ones.
    private func verifyHeader(
        of image: [UInt8], _ allowed: [VersionImage], _ recording: CrashRecording, _ isDeep: Bool
    ) throws {
        guard !recording.configuration.isEncrypted, let oldest = allowed.map(\.version).min() else { return }
        var image = image
        CrashVerifier.eraseRecords(from: &image)
        try memory.load(image)
        // An incomplete new file, and one that is to be upgraded.
        guard let header = try? FileHeader(memory, size: image.count), header.format == FileFormat.version else {
            return
        }
        let snapshot = try Database(file: memory, readOnly: true).snapshot()
        try withTrace("to other libraries") {
            _ = try identify(snapshot, recording.states.filter { $0.version + 1 >= oldest }, isDeep)
            if isDeep { try audit(memory, recording) }
        }
    }

    private static func eraseRecords(from image: inout [UInt8]) {
        let magic = Array("RegnumC1".utf8)
        for offset in stride(from: 0, through: image.count - magic.count, by: magic.count)
        where image[offset] == magic[0] && image[offset..<offset + magic.count].elementsEqual(magic) {
            image[offset] = 0
        }
    }

    private func identify(_ snapshot: Snapshot, _ allowed: [VersionImage], _ isDeep: Bool) throws -> VersionImage {
        guard let state = allowed.first(where: { $0.isIdentical(to: snapshot) }) else {
            let reasons = allowed.map { "not \($0.version): \($0.difference(from: snapshot) ?? "")" }
            throw Failure("version \(snapshot.version) isn't allowed: \(reasons.joined(separator: "; "))")
        }
        if isDeep {
            try require(try SnapshotText.lines(of: snapshot) == state.text, "version \(state.version) reads otherwise")
        }
        return state
    }

    private static let table = "class_AfterTheCrash"

    private func commit(to database: Database) throws {
        try database.write { transaction in
            let table = try transaction.schema.addTable(CrashVerifier.table)
            try transaction.schema.addColumn("number", .int, .indexed, to: table)
            for _ in 0..<3 { _ = try transaction.createObject(in: table) }
        }
    }

    private func audit(_ file: any DatabaseFile, _ recording: CrashRecording) throws {
        let image = try file.contents()
        let options = FileChecker.Options(
            strict: recording.isStrict, violationLimit: 10, isDecrypted: recording.configuration.isEncrypted)
        let report = FileChecker.check(bytes: image, options: options)
        let found = report.violations.map(\.description).joined(separator: "\n  ")
        try require(report.isClean, "the audit is not clean: \(report.unreadable ?? "")\n  \(found)")
    }

    private func crashAgain(
        _ base: [UInt8], _ events: [FaultyFile.Event], _ allowed: [VersionImage], _ configuration: CrashConfiguration,
        _ generator: inout SeededGenerator
    ) throws {
        let newest = try VersionImage(
            try Database(file: try configuration.wrap(memory), readOnly: false).snapshot())
        var image = CrashImage(of: base, on: configuration.disk)
        for event in events.prefix(generator.below(events.count + 1)) { image.apply(event) }
        let kept = generator.pick(CrashImage.Kept.allCases)
        imageCount += 1
        try withTrace("a second crash, keeping \(kept)") {
            try memory.load(image.crashed(keeping: kept, using: &generator))
            let database = try Database(file: try configuration.wrap(memory), readOnly: false)
            _ = try identify(try database.snapshot(), allowed + [newest], true)
        }
    }
}

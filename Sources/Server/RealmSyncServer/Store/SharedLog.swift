// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// The record log of a store that several nodes share.
final class SharedLog: RecordLog {
    private let frames: any SharedFrames
    /// The location for errors.
    private let title: String
    /// The number of the last frame that was passed or appended.
    private var number: UInt64 = 0
    /// The random id of that frame.
    private var id: Int64?
    private var appended: [[UInt8]] = []
    private var ingested: [IngestRecord] = []
    private var snapshot: UInt64 = 0
    private var hasNewSnapshot = false
    private(set) var isLocked = false
    private(set) var size = 0
    private(set) var snapshotSize = 0

    init(_ frames: any SharedFrames, title: String) { (self.frames, self.title) = (frames, title) }

    deinit { frames.abandon() }

    var isShared: Bool { true }
    var store: UInt64 { frames.store }

    func open(_ body: (StoreRecord) throws -> Void) throws {
        var last: UInt64?
        let content = try frames.load { piece in
            switch piece {
            case .part(let part): try StoreRecord.replay(part[...], of: title + ", snapshot", body)
            case .frame(let number, let frame):
                try StoreRecord.replay(frame[...], of: "\(title), frame \(number)", body)
                last = number
            }
        }
        number = last ?? content.snapshot
        guard number >= content.end else { throw SharedLogError("\(title): the frames after \(number) are missing") }
        (snapshot, id) = (content.snapshot, content.lastID ?? content.previousID)
        (size, snapshotSize) = (content.size, content.snapshotSize)
    }

    func lock(_ body: (StoreRecord) throws -> Void) throws {
        guard !isLocked else { return }
        let content = try frames.lock(after: number)
        do { try replay(content, body) } catch {
            frames.abandon()
            throw error
        }
        isLocked = true
    }

    func follow(_ body: (StoreRecord) throws -> Void) throws {
        guard !isLocked else { return }
        try replay(try frames.frames(after: number), body)
    }

    private func replay(_ content: SharedContent, _ body: (StoreRecord) throws -> Void) throws {
        guard number <= content.end else {
            throw SharedLogError(
                "\(title): frame \(number) is gone, because the database was restored to an earlier time")
        }
        guard number + UInt64(content.frames.count) >= content.end else {
            throw SharedLogError("\(title): the frames after \(number) were replaced by a snapshot")
        }
        guard number == 0 || content.previousID == id else {
            throw SharedLogError(
                "\(title): frame \(number) is gone or replaced, because the database has lost it or has a new snapshot")
        }
        for frame in content.frames {
            try StoreRecord.replay(frame[...], of: "\(title), frame \(number + 1)", body)
            number += 1
        }
        id = content.lastID ?? id
        (size, snapshotSize) = (content.size, content.snapshotSize)
        if content.snapshot > snapshot { (snapshot, hasNewSnapshot) = (content.snapshot, true) }
    }

    func append(_ records: [UInt8], ingesting ingested: [IngestRecord]) throws {
        guard isLocked else { throw SharedLogError("\(title): a change was made without the append lock") }
        appended.append(records)
        self.ingested += ingested
    }

    func sync() throws {
        guard isLocked else { return }
        let (frames, ingested) = (appended, ingested)
        discard()
        if frames.isEmpty { return self.frames.abandon() }
        id = try self.frames.commit(frames, ingesting: ingested)
        number += UInt64(frames.count)
        size += frames.reduce(0) { $0 + $1.count }
    }

    func abandon() {
        discard()
        frames.abandon()
    }

    private func discard() { (appended, ingested, isLocked) = ([], [], false) }

    func takeSnapshotChange() -> Bool {
        defer { hasNewSnapshot = false }
        return hasNewSnapshot
    }

    // MARK: Snapshots

    private static let partSize = 1 << 20

    private final class Snapshot: LogSnapshot {
        private let log: SharedLog
        fileprivate private(set) var parts: [[UInt8]] = []
        private var number: UInt64 = 0

        init(_ log: SharedLog) { self.log = log }

        func fill(_ records: ((StoreRecord) throws -> Void) throws -> Void) throws {
            number = log.number
            var writer = RecordWriter()
            try records { record in
                try record.write(to: &writer)
                guard writer.bytes.count >= SharedLog.partSize else { return }
                parts.append(writer.bytes)
                writer = RecordWriter()
            }
            parts.append(writer.bytes)
        }

        func adopt() throws {
            try log.frames.adopt(parts, through: number)
            log.snapshot = max(log.snapshot, number)
            log.snapshotSize = parts.reduce(0) { $0 + $1.count }
            log.size = 0
        }
    }

    func begin(_ records: ((StoreRecord) throws -> Void) throws -> Void) throws {
        let snapshot = Snapshot(self)
        try snapshot.fill(records)
        discard()
        id = try frames.replace(snapshot.parts)
        number += 1
        self.snapshot = number
        (size, snapshotSize) = (0, snapshot.parts.reduce(0) { $0 + $1.count })
    }

    /// Begins a snapshot. All appended frames must be durable before it is filled.
    func beginSnapshot() -> any LogSnapshot { Snapshot(self) }
}

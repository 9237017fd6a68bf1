// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSystem

/// An open database file: hands out snapshots and the right to write.
///
/// Mutable state, all guarded by `lock`: `committed` (the version that new snapshots see), `pins` (who holds which
/// version), `refusal` (why no more writes are taken). `writer` lets one write transaction exist at a time. Everything
/// else is immutable. Usable from any thread.
package final class Database: @unchecked Sendable {
    package let path: String
    package let isReadOnly: Bool
    /// Another one after compaction, which is why it belongs to those who have the right to write or hold a version.
    private(set) var file: any DatabaseFile
    private let session: SessionLock?
    private let lock = Lock()
    let writer = TurnGate()
    /// Belongs to the one who has the right to write.
    let keeper = SpaceKeeper()
    private var committed: Committed
    private var pins: [UInt64: Pin] = [:]
    private var nextPin: UInt64 = 1
    private var refusal: StorageError?

    /// The version that the header on disk selects, and what it takes to read it.
    struct Committed {
        var version: UInt64
        var topRef: Ref
        var logicalSize: Int
        var header: FileHeader
        var mapping: FileMapping

        var record: VersionRecord {
            VersionRecord(version: version, topRef: topRef, logicalSize: logicalSize)
        }
    }

    /// A holder of a version: what keeps its space from being reused.
    package struct Pin: Sendable {
        package let record: VersionRecord
        package let label: String
        package var version: UInt64 { record.version }
    }

    /// Opens the database at `path`.
    ///
    /// Read-write, it takes the session lock first (container 8.7), creates or initialises a missing or empty file,
    /// brings a streaming file into normal form (1.6) and one of an older format up to format 24 (10.3). Read-only, it
    /// changes nothing and creates nothing, and shows an older file as it would be after that. Throws if the file is
    /// no Realm file of format 10 or later, or open elsewhere, or if `options` do not allow what it needs.
    package static func open(
        _ path: String, readOnly: Bool = false, options: OpenOptions = OpenOptions()
    ) throws -> Database {
        do {
            if readOnly {
                return try Database(file: try DiskFile.open(path, readOnly: true), session: nil, readOnly: true)
            }
            guard let session = try SessionLock.acquire(forDatabase: path) else {
                throw StorageError(
                    .alreadyOpen, "the database is open in another process, or in another library; close it there first"
                )
            }
            let file = try DiskFile.open(path, readOnly: false, creation: .createIfMissing)
            let database = try Database(file: file, session: session, readOnly: false, options: options)
            UpgradeBackup.removeExpired(for: path)
            return database
        } catch let error as SystemError {
            throw StorageError(error)
        } catch let error as StorageError {
            throw error.at(path: path)
        }
    }

    /// A database that is gone when its last holder lets go. Its space is an unnamed file in `directory`.
    package static func inMemory(in directory: String) throws -> Database {
        do {
            return try Database(file: try DiskFile.anonymous(in: directory), session: nil, readOnly: false)
        } catch let error as SystemError {
            throw StorageError(error)
        }
    }

    /// Opens what `file` holds: the seam for tests that inject faults. The session lock is the caller's business.
    package init(
        file: any DatabaseFile, session: SessionLock? = nil, readOnly: Bool, options: OpenOptions = OpenOptions()
    ) throws {
        path = file.path
        self.file = file
        self.session = session
        isReadOnly = readOnly
        if !readOnly { try Database.prepareForWriting(file, options) }
        committed = try Database.load(file, readOnly: readOnly, options)
        if !readOnly { try giveBackTail() }
        try bringUpToDate(committed)
    }

    /// Reads the header and the top array it selects (container 1.4, 5.4). Not `readOnly`, it refuses what may not be
    /// written.
    static func load(_ file: any DatabaseFile, readOnly: Bool, _ options: OpenOptions) throws -> Committed {
        let size = try file.size()
        let header = try FileHeader(file, size: size)
        let topRef = try header.topRef(file, size: size)
        let era = FileEra(header.format)
        guard header.format == FileFormat.version || era != nil || (header.format == 0 && topRef == 0) else {
            throw FileEra.refusal(header.format)
        }
        let mapping = try map(file, atLeast: size, withSlab: !readOnly || era != nil)
        guard topRef != 0 else {
            if !readOnly { try validateWritable(header, nil, options) }
            let start = FileFormat.Header.byteCount
            return Committed(version: 1, topRef: 0, logicalSize: start, header: header, mapping: mapping)
        }
        let space = NodeSpace(mapping: mapping, fileEnd: Ref(size), writable: false)
        let top = try TopArray(space, topRef, fileSize: size)
        if !readOnly { try validateWritable(header, top, options) }
        return Committed(
            version: top.version, topRef: topRef, logicalSize: top.logicalSize, header: header, mapping: mapping)
    }

    static func map(_ file: any DatabaseFile, atLeast size: Int, withSlab: Bool) throws -> FileMapping {
        var window = FileMapping.defaultWindow
        while window < size * 2 { window *= 2 }
        return try file.map(fileWindow: window, slabWindow: withSlab ? window : 0)
    }

    // MARK: Versions

    /// The newest version.
    package var version: UInt64 { newest.version }
    var newest: Committed { lock.locked { committed } }

    /// A snapshot of the newest version; `label` says who holds it.
    package func snapshot(label: String = "snapshot") throws -> Snapshot {
        let (state, pin) = lock.locked { (committed, addPin(committed.record, label)) }
        do {
            return try Snapshot(database: self, state: state, pin: pin)
        } catch {
            unpin(pin)
            throw error
        }
    }

    /// Everyone who holds a version, oldest version first.
    package var holders: [Pin] { lock.locked { pins.values.sorted { $0.version < $1.version } } }

    private func addPin(_ record: VersionRecord, _ label: String) -> UInt64 {
        let pin = nextPin
        nextPin += 1
        pins[pin] = Pin(record: record, label: label)
        return pin
    }

    func unpin(_ pin: UInt64) { lock.locked { _ = pins.removeValue(forKey: pin) } }

    // MARK: Writing

    /// Waits for its turn and begins a write transaction on the newest version.
    package func beginWrite() throws -> WriteTransaction {
        guard !isReadOnly else { throw StorageError(.writeRefused, "the database was opened read-only", path: path) }
        writer.enter()
        do {
            let (state, pin, refused) = lock.locked {
                (self.committed, self.addPin(self.committed.record, "writer"), self.refusal)
            }
            do {
                if let refused { throw refused }
                return try WriteTransaction(database: self, base: try roomToGrow(state), pin: pin)
            } catch {
                unpin(pin)
                throw error
            }
        } catch {
            writer.leave()
            throw (error as? SystemError).map(StorageError.init) ?? error
        }
    }

    /// A mapping with room for the file to double; the old mapping lives on with the snapshots that use it.
    private func roomToGrow(_ state: Committed) throws -> Committed {
        guard state.logicalSize > state.mapping.fileWindow / 2 else { return state }
        var state = state
        state.mapping = try Database.map(file, atLeast: state.logicalSize * 2, withSlab: true)
        lock.locked { committed.mapping = state.mapping }
        return state
    }

    /// Every version that anyone may still read, the header's own included, ascending. The first is the horizon
    /// (container 6.2: R).
    var reachable: [VersionRecord] {
        let all = lock.locked { Set(pins.values.map(\.record) + [committed.record]) }
        return all.sorted { $0.version < $1.version }
    }

    /// Makes a commit the newest version.
    func publish(_ state: Committed) { lock.locked { committed = state } }

    /// Puts `new`, which holds the same version and is called `name`, in the place of the file (container 6.9). Returns
    /// false if anybody but the caller, who has the right to write, holds a version. The lock is held over the change of
    /// the name, so that nobody takes a version of the old file after that.
    func replaceFile(with new: any DatabaseFile, at name: String) throws -> Bool {
        let state = try Database.load(new, readOnly: false, OpenOptions())
        return try lock.locked {
            guard pins.count == 1, state.version == committed.version else { return false }
            try DiskFile.rename(name, to: path)
            file = new
            committed = state
            keeper.forget()
            return true
        }
    }

    /// After a commit that failed where its outcome is unknown, the file takes no more writes until it is opened anew.
    func refuseWrites(because error: any Error) {
        lock.locked {
            refusal = StorageError(
                .writeRefused, "an earlier commit failed (\(error)); close the database and open it again", path: path)
        }
    }
}

extension StorageError {
    /// What a failed system call means to a user of the database.
    package init(_ error: SystemError) {
        let code: Code =
            switch error.number {
            case ENOENT: .notFound
            case EEXIST: .alreadyExists
            case EACCES, EPERM, EROFS: .permissionDenied
            case ENOSPC, EDQUOT, EFBIG: .outOfSpace
            case ENOMEM: .addressSpaceExhausted
            default: .fileAccess
            }
        self.init(code, "\(error.call): \(error.reason)", path: error.path)
    }
}

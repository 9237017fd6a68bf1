// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSystem

/// An open database file, which provides snapshots and the write lock.
///
/// All mutable state is guarded by `lock`: `committed` (the current version, the newest that this object has found),
/// `registry` (the pinned versions and their holders), `openingPin` (the pin of the version found by the opening),
/// `refusal` (the reason why writes are rejected), `foreign` (the state observed of other processes), `isWriting`
/// (whether a write transaction of this object is open), `isExclusive` (whether a caller has exclusive access),
/// `durable` (the newest version whose flip is known to be on disk), `hasFlipToSync` (whether the flip of this object's
/// last commit waits for a sync), `hasNewest` (whether no other object can have changed the file since this one's last
/// commit). `writer` serialises write transactions. Everything else is immutable. Usable from any thread. See
/// `SharedAccess` for how processes share the file.
package final class Database: @unchecked Sendable {
    package let path: String
    package let isReadOnly: Bool
    /// Replaced by compaction, so only holders of the write lock or of a version may use it.
    private(set) var file: any DatabaseFile
    package let identity: LatestIdentity
    package let cipher: (any PageCipher)?
    /// Nil if no other process may change the file: for a database in memory, and for an opening outside a session.
    let sharing: SharedAccess?
    /// In the session of a file, other processes preserve this object's versions and notify it of their commits.
    package var takesPart: Bool { sharing != nil }
    let participants: Participants?
    let patience: Patience
    let durability: Durability
    let synchronisedHistory: (any SynchronisedHistory)?
    let lock = Lock()
    let writer = TicketLock()
    /// Accessed only by the holder of the write lock.
    let spaceAccounting = SpaceAccounting()
    var committed: Committed
    var registry: VersionRegistry
    var foreign = ForeignState()
    var isWriting = false
    var isExclusive = false
    var hasNewest = false
    /// The pin of the version found by the opening, until a snapshot takes ownership of it or it isn't needed any more.
    private var openingPin: UInt64?
    /// Descriptions of data that the upgrade of the file couldn't preserve. Set during the opening, by its thread.
    package internal(set) var upgradeNotes: [String] = []
    var refusal: StorageError?
    var durable: UInt64 = 0
    private var hasFlipToSync = false
    let owner = CurrentProcess.identifier
    let number = UniqueNumber.next()

    /// The version that the header on disk selects, with the state needed to read it.
    struct Committed {
        var version: UInt64
        var topRef: Ref
        var logicalSize: Int
        var header: FileHeader
        var mapping: FileMapping
        /// In the view of an older file: the bytes of the slab that contains its nodes.
        var slabByteCount = 0
        /// Whether this is a later version than the one that `header` selects: a crash prevented the write of the
        /// header (`CommitRecord`), and the file must not be changed.
        var isAhead = false

        var record: VersionRecord {
            VersionRecord(version: version, topRef: topRef, logicalSize: logicalSize)
        }
    }

    package enum Joining: Sendable {
        /// Doesn't participate, and creates no files. No process may commit while the database is open.
        case never
        /// Participates if a session of Regnum exists; otherwise like `never`.
        case existing
        /// Participates like an opening for writing, so that its versions are preserved while others commit. Like
        /// `never` if the user may not change or create the management files, or if the disk is full.
        case always
    }

    /// Opens the database at `path`.
    ///
    /// For writing, acquires the session lock first (container 8.7), creates or initialises a missing or empty file,
    /// converts a streaming file to normal form (1.6), and upgrades a file of an older format to format 24 (10.3). Any
    /// number of processes can open it. Read-only, doesn't change the file, presents an older one in its upgraded
    /// state, and participates in the session according to `joining`. With a `cipher` the file is encrypted
    /// (container 9). Throws if the file isn't a Realm file of format 2 or later, if the key is wrong, if it's open in
    /// another library, or if `options` don't allow a necessary change.
    ///
    /// Symbolic links are followed: the database's `path`, and the files next to it, are those of the file itself. A
    /// file with several names is used in one home only (`FileHome`); if another process uses it in another home, this
    /// throws.
    ///
    /// If `holder` isn't nil, the version found stays pinned under that name, for `openedSnapshot`.
    package static func open(
        _ path: String, readOnly: Bool = false, joining: Joining = .never, cipher: (any PageCipher)? = nil,
        options: OpenOptions = OpenOptions(), holder: String? = nil
    ) throws -> Database {
        let path = readOnly ? Folder.followed(path) : Folder.absolute(Folder.followed(path))
        do {
            let open = { (sharing: SharedAccess?) in
                let disk = try openFile(path, readOnly: readOnly, options)
                if let sharing { try disk.claim(sharing.home) } else { try refuseOtherHome(of: disk, path) }
                return try Database(
                    file: try EncryptedFile.wrap(disk, cipher), sharing: sharing, readOnly: readOnly, options: options,
                    holder: holder)
            }
            if readOnly { return try openForReading(path, joining, cipher, options, holder, open) }
            // No files are created next to a missing database.
            if !options.creates { _ = try openFile(path, readOnly: true, options) }
            let database = try openInSession(path, readOnly: false, cipher, options, holder, open)
            UpgradeBackup.removeExpired(for: path)
            if let sharing = database.sharing { removeCompactionLeftovers(path, sharing) }
            return database
        } catch let error as SystemError {
            throw StorageError(error)
        } catch let error as StorageError {
            throw error.at(path: path)
        } catch let timeout as WriteTimeout {
            throw StorageError(.writeTimeout, timeout.message, path: path)
        }
    }

    private static func openForReading(
        _ path: String, _ joining: Joining, _ cipher: (any PageCipher)?, _ options: OpenOptions, _ holder: String?,
        _ open: (SharedAccess?) throws -> Database
    ) throws -> Database {
        switch joining {
        case .never: return try open(nil)
        case .existing:
            guard let session = try SessionLock.join(forDatabase: path) else { return try open(nil) }
            let sharing = try SharedAccess(path, session)
            return try sharing.whileOpening { try open(sharing) }
        case .always:
            // No files are created next to a database that can't be opened.
            _ = try openFile(path, readOnly: true, options)
            do {
                return try openInSession(path, readOnly: true, cipher, options, holder, open)
            } catch let error as SystemError where [EACCES, EPERM, EROFS, ENOSPC, EDQUOT].contains(error.number) {
                return try open(nil)
            }
        }
    }

    /// Opens the database in the file's session, which it begins if it doesn't exist. `open` is used in an existing
    /// session.
    private static func openInSession(
        _ path: String, readOnly: Bool, _ cipher: (any PageCipher)?, _ options: OpenOptions, _ holder: String?,
        _ open: (SharedAccess?) throws -> Database
    ) throws -> Database {
        try Opening.refuseOthers(path, cipher)
        for _ in 0..<10 {
            let session: SessionLock?
            switch try SessionLock.enter(forDatabase: path, mode: options.newFileMode) {
            case nil: throw StorageError(.alreadyOpen, "the database is open in another library; close it there first")
            case .joined(let lock): session = lock
            case .begun(let start):
                let disk = try openFile(path, readOnly: readOnly, options)
                let alone = try ExclusiveOpening(path, disk, cipher, start, readOnly: readOnly, options, holder)
                session = start.letOthersIn()
                if let alone, let session { return try Database(alone, session, keepingPin: holder != nil) }
            }
            if let session {
                let sharing = try SharedAccess(path, session)
                return try sharing.whileOpening { try open(sharing) }
            }
        }
        throw StorageError(.alreadyOpen, "others open and close the database all the time")
    }

    private struct ExclusiveOpening {
        let file: any DatabaseFile
        let isReadOnly: Bool
        let options: OpenOptions
        let folder: OpenFolder
        let own: ParticipantFile
        let registry: VersionRegistry
        let state: Committed
        let pin: UInt64

        init?(
            _ path: String, _ disk: DiskFile, _ cipher: (any PageCipher)?, _ start: SessionStart, readOnly: Bool,
            _ options: OpenOptions, _ holder: String?
        ) throws {
            folder = try SharedAccess.folder(of: path)
            // Not earlier, because users of another home may have written until now.
            try disk.claim(FileHome(lock: start.identity, folder: folder.identity))
            file = try EncryptedFile.wrap(disk, cipher)
            isReadOnly = readOnly
            self.options = options
            guard !options.leavesFile,
                let state = try Opening(file: file, isReadOnly: readOnly, options: options).loadAlone()
            else { return nil }
            self.state = state
            own = try ParticipantFile(in: folder)
            var registry = VersionRegistry(own)
            pin = try registry.pin(state.record, holder ?? Database.opener)
            self.registry = registry
        }
    }

    /// The writers of a file that is read outside a session may have it open under another name.
    private static func refuseOtherHome(of disk: DiskFile, _ path: String) throws {
        guard !Folder.holds(path + ".lock"), disk.isClaimed else { return }
        throw StorageError(
            .alreadyOpen,
            "the same file is open for writing under another name, or its lock file was removed while it "
                + "was open; open it by that name, or close it there first", path: path)
    }

    private static func openFile(_ path: String, readOnly: Bool, _ options: OpenOptions) throws -> DiskFile {
        try DiskFile.open(
            path, readOnly: readOnly, creation: readOnly || !options.creates ? .mustExist : .createIfMissing,
            mode: options.newFileMode,
            calls: SystemCalls(options.durability))
    }

    /// Creates a database that exists until its last reference is released. Its space is an unnamed file in
    /// `directory`, encrypted if `cipher` isn't nil.
    package static func inMemory(in directory: String, cipher: (any PageCipher)? = nil) throws -> Database {
        do {
            let file = try EncryptedFile.wrap(try DiskFile.anonymous(in: directory), cipher)
            return try Database(file: file, readOnly: false)
        } catch let error as SystemError {
            throw StorageError(error)
        }
    }

    /// Opens the contents of `file`, for tests that inject faults. Without `sharing` no other process may open it.
    package init(
        file: any DatabaseFile, sharing: SharedAccess? = nil, readOnly: Bool, options: OpenOptions = OpenOptions(),
        holder: String? = nil
    ) throws {
        path = file.path
        self.file = file
        identity = LatestIdentity(file.identity)
        self.sharing = sharing
        cipher = (file as? EncryptedFile)?.cipher
        isReadOnly = readOnly
        patience = options.patience
        durability = options.durability
        synchronisedHistory = options.synchronisedHistory
        let own = try sharing.map { try ParticipantFile(in: $0.folder) }
        let others = own.flatMap { own in sharing.map { Database.participants(in: $0.folder, own) } }
        participants = others
        var registry = VersionRegistry(own)
        let opening = Opening(file: file, isReadOnly: readOnly, options: options)
        (committed, openingPin) = try opening.load(sharing, others, &registry, holder ?? Database.opener)
        self.registry = registry
        try finishOpening(keepingPin: holder != nil, options.upgradeProgress)
    }

    /// Opens the state of an `ExclusiveOpening`, after which others may have opened the database.
    private init(_ alone: ExclusiveOpening, _ session: SessionLock, keepingPin: Bool) throws {
        path = alone.file.path
        file = alone.file
        identity = LatestIdentity(alone.file.identity)
        sharing = SharedAccess(session, alone.folder)
        cipher = (alone.file as? EncryptedFile)?.cipher
        isReadOnly = alone.isReadOnly
        patience = alone.options.patience
        durability = alone.options.durability
        synchronisedHistory = alone.options.synchronisedHistory
        participants = Database.participants(in: alone.folder, alone.own)
        committed = alone.state
        registry = alone.registry
        openingPin = alone.pin
        try finishOpening(keepingPin: keepingPin)
    }

    /// The holder of a version during the opening, if no other holder is given.
    private static let opener = "opening"

    /// Others may commit from now on, so the version found can be read only while it's pinned.
    private func finishOpening(
        keepingPin: Bool, _ report: (@Sendable (UpgradeProgress) -> Void)? = nil
    ) throws {
        try bringUpToDate(report)
        if !keepingPin { lock.locked { dropOpeningPin() } }
    }

    /// A process that can't reuse its own participant file removes those of dead processes.
    private static func participants(in folder: OpenFolder, _ own: ParticipantFile) -> Participants {
        let participants = Participants(in: folder, own: own.name)
        if own.isNew { participants.removeDead() }
        return participants
    }


    // MARK: Versions

    /// The newest version, including commits of other processes. If these can't be read, the newest known version.
    package var version: UInt64 {
        lock.locked {
            try? adoptNewest()
            return committed.version
        }
    }

    package var header: FileHeader { lock.locked { committed.header } }

    /// `label` identifies the holder.
    ///
    /// Throws if the file has changed and the opened version wasn't protected (`verifyUnmoved`).
    package func snapshot(label: String = "snapshot") throws -> Snapshot {
        do {
            try verifyUnmoved()
            let (state, pin) = try waitAndPin(label)
            return try snapshot(state, pin)
        } catch let error as SystemError {
            throw StorageError(error)
        }
    }

    /// Nil if the version that the opening found isn't pinned any more.
    package func openedSnapshot() throws -> Snapshot? {
        let opened = lock.locked { () -> (Committed, UInt64)? in
            // The current version may have changed since.
            guard let openingPin, registry.version(of: openingPin) == committed.version else { return nil }
            self.openingPin = nil
            return (committed, openingPin)
        }
        return try opened.map { try snapshot($0, $1) }
    }

    func snapshot(_ state: Committed, _ pin: UInt64) throws -> Snapshot {
        do {
            return try Snapshot(database: self, state: state, pin: pin)
        } catch {
            unpin(pin)
            throw error
        }
    }

    /// Guarded by `lock`.
    private func dropOpeningPin() {
        if let openingPin { registry.unpin(openingPin) }
        openingPin = nil
    }

    /// Waits while a caller has exclusive access.
    func waitAndPin(_ label: String) throws -> (Committed, UInt64) {
        while true {
            let pinned = try lock.locked { () -> (Committed, UInt64)? in
                guard !isExclusive else { return nil }
                let pin = try pinNewest(label)
                dropOpeningPin()
                return (committed, pin)
            }
            if let pinned { return pinned }
            // Exclusive access implies the write lock, so wait for the write lock.
            writer.enter()
            writer.leave()
        }
    }

    /// Those of this process, oldest version first.
    package var holders: [VersionPin] { lock.locked { registry.holders } }

    /// Pins a version that is already pinned, or that the caller is committing.
    func pin(_ state: Committed, _ label: String) throws -> UInt64 {
        do {
            return try lock.locked { try registry.pin(state.record, label) }
        } catch let error as SystemError {
            throw StorageError(error)
        }
    }

    func unpin(_ pin: UInt64) { lock.locked { registry.unpin(pin) } }

    // MARK: Writing

    package var hasWaiters: Bool { writer.callerCount > 1 }

    /// Acquires the write lock, first among the threads of this process, then among processes.
    func enterWriting(within limit: Int64? = nil) throws {
        try verifyOwnProcess()
        lock.locked { dropOpeningPin() }
        var patience = patience
        patience.limit = limit ?? patience.limit
        var waiting = Waiting(patience)
        do {
            try writer.enter(&waiting) { foreignWriteHolder }
            do {
                guard let sharing, try !sharing.writeLock.acquire(&waiting) else { return }
                lock.locked { hasNewest = false }
            } catch {
                writer.leave()
                throw error
            }
        } catch let timeout as WriteTimeout {
            throw StorageError(.writeTimeout, timeout.message, path: path)
        }
    }

    func leaveWriting() {
        sharing?.giveBackWriteLock()
        writer.leave()
    }

    func endWrite(pin: UInt64) {
        lock.locked {
            registry.unpin(pin)
            isWriting = false
        }
        leaveWriting()
    }

    /// Gives the file room to double. Snapshots that use the old mapping retain it.
    func roomToGrow(_ state: Committed) throws -> Committed {
        guard state.logicalSize > state.mapping.fileWindow / 2 else { return state }
        // If the address space is limited, the old mapping may have to suffice.
        guard let mapping = try? Database.map(file, atLeast: state.logicalSize * 2, withSlab: true),
            mapping.fileWindow > state.mapping.fileWindow
        else { return state }
        var state = state
        state.mapping = mapping
        lock.locked { committed.mapping = mapping }
        return state
    }

    /// Makes a commit the newest version. The caller holds the write lock. `isFlipDurable`: whether the header that
    /// selects it is on disk.
    func publish(_ state: Committed, isFlipDurable: Bool) {
        lock.locked {
            committed = state
            if isFlipDurable { durable = state.version }
            hasFlipToSync = !isFlipDurable
            hasNewest = true
        }
    }

    /// Syncs the flip, so that other libraries, which use only the header, also find the last version after a crash.
    deinit {
        if hasFlipToSync, owner == CurrentProcess.identifier { try? file.sync() }
    }

    /// Replaces the file by `new`, which has the same version and the path `name` (container 6.9). Requires exclusive
    /// access, because no version of the old file can be pinned afterwards.
    func replaceFile(with new: any DatabaseFile, at name: String) throws {
        let state = try Opening(file: new, isReadOnly: false, options: optionsOfCompacted).load()
        try lock.locked {
            guard state.version == committed.version else {
                throw StorageError(.invalidDatabase, "the compacted file holds another version", path: path)
            }
            try verifyInPlace()
            try DiskFile.rename(name, to: path)
            file = new
            identity.current = new.identity
            committed = state
            hasFlipToSync = false
            spaceAccounting.forget()
        }
        try rewatch()
    }

    /// A compacted file has the same kind of history.
    var optionsOfCompacted: OpenOptions {
        var options = OpenOptions()
        options.synchronisedHistory = synchronisedHistory
        return options
    }

    /// Rejects further writes by this object until the database is reopened, after a commit with unknown outcome. Other
    /// processes rely on the header.
    func refuseWrites(because error: any Error) {
        lock.locked {
            refusal = StorageError(
                .writeRefused, "an earlier commit failed (\(error)); close the database and open it again", path: path)
        }
    }
}

extension StorageError {
    package init(_ error: SystemError) {
        let code: Code =
            switch error.number {
            case ENOENT: .notFound
            case EEXIST: .alreadyExists
            case EACCES, EPERM, EROFS: .permissionDenied
            case ENOSPC, EDQUOT, EFBIG: .outOfSpace
            case ENOMEM: .addressSpaceExhausted
            case EISDIR, ENOTDIR, ELOOP, ENAMETOOLONG, ENXIO: .notAFile
            case EBUSY where error.call == "open": .alreadyOpen
            default: .fileAccess
            }
        self.init(code, "\(error.reason) (\(error.call))", path: error.path)
    }
}

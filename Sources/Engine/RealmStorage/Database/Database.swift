// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSystem

/// An open database file: hands out snapshots and the write lock.
///
/// Mutable state, all guarded by `lock`: `committed` (the newest version that is known here), `registry` (the versions
/// that are held and their holders), `openingPin` (that of what the opening found), `refusal` (why no more writes are
/// taken), `foreign` (what is known of other processes), `isWriting` (whether a write transaction of ours is open),
/// `isExclusive` (whether a caller has exclusive access), `durable` (the newest version whose flip is known to be on
/// disk), `hasFlipToSync` (whether the flip of a commit of ours waits for a sync), `hasNewest` (whether no other object
/// can have changed the file since this one's last commit). `writer` lets one write transaction exist at a time.
/// Everything else is immutable. Usable from any thread. How processes share the file is said in `SharedAccess`.
package final class Database: @unchecked Sendable {
    package let path: String
    package let isReadOnly: Bool
    /// Another one after compaction, which is why it belongs to those that hold the write lock or a version.
    private(set) var file: any DatabaseFile
    /// What the file is encrypted with; nil if it is not.
    package let cipher: (any PageCipher)?
    /// nil where no other process may change the file: in memory, and where it is opened as one that never changes.
    let sharing: SharedAccess?
    /// Whether other processes know of this one, leave its versions whole, and tell it of what they commit.
    package var takesPart: Bool { sharing != nil }
    let participants: Participants?
    /// How long a caller waits for the write lock where nothing else is said.
    let patience: Patience
    let durability: Durability
    let synchronisedHistory: (any SynchronisedHistory)?
    let lock = Lock()
    let writer = TicketLock()
    /// Belongs to the holder of the write lock.
    let keeper = SpaceAccounting()
    var committed: Committed
    var registry: VersionRegistry
    var foreign = ForeignState()
    var isWriting = false
    var isExclusive = false
    var hasNewest = false
    /// The pin of the version that was found by the opening, until a snapshot takes it over or it is of no more use.
    private var openingPin: UInt64?
    /// What could not be kept as it was when the file was upgraded. Set while it is opened, by its thread.
    package internal(set) var upgradeNotes: [String] = []
    var refusal: StorageError?
    var durable: UInt64 = 0
    private var hasFlipToSync = false
    /// The process that opened the database.
    let owner = CurrentProcess.identifier

    /// The version that the header on disk selects, and what it takes to read it.
    struct Committed {
        var version: UInt64
        var topRef: Ref
        var logicalSize: Int
        var header: FileHeader
        var mapping: FileMapping
        /// Of the view of an older file: bytes of the slab that its nodes are in.
        var slabByteCount = 0
        /// Whether this is not the version that `header` selects, but a later one that a crash has kept from it
        /// (`CommitRecord`), in a file that is not to be changed.
        var isAhead = false

        var record: VersionRecord {
            VersionRecord(version: version, topRef: topRef, logicalSize: logicalSize)
        }
    }

    /// How a database that is opened read-only takes part in the session of its file.
    package enum Joining: Sendable {
        /// It does not, and makes nothing beside the file: no process may commit meanwhile.
        case never
        /// If there is a session of ours; else as `never`.
        case existing
        /// Takes part like an opening for writing, so that its versions stay whole while others commit; as `never`
        /// where the user may not change or make the files beside the database, or the disk is full.
        case always
    }

    /// Opens the database at `path`.
    ///
    /// Read-write, it takes the session lock first (container 8.7), creates or initialises a missing or empty file,
    /// brings a streaming file into normal form (1.6) and one of an older format up to format 24 (10.3). Any number of
    /// processes may do so. Read-only, it changes nothing of the file, shows an older one as it would be after that,
    /// and takes part in the session as `joining` says. With a `cipher` the file is an encrypted one (container 9).
    /// Throws if the file is no Realm file of format 2 or later, if the key is not the file's, if it is open in
    /// another library, or if `options` do not allow what it needs.
    ///
    /// Links are followed: `path` of the database, and what lies beside it, are those of the file itself. By whatever
    /// name it is opened, it is used in one home only (`FileHome`); another process's other one is an error.
    ///
    /// With `holder` the version that was found stays pinned under that name, for `openedSnapshot`.
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
            // Beside what is not there nothing is made.
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
            // Beside what cannot be opened nothing is made.
            _ = try openFile(path, readOnly: true, options)
            do {
                return try openInSession(path, readOnly: true, cipher, options, holder, open)
            } catch let error as SystemError where [EACCES, EPERM, EROFS, ENOSPC, EDQUOT].contains(error.number) {
                return try open(nil)
            }
        }
    }

    /// `open` does so for a process that takes part in a session already.
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

    /// What is found and made while no other process has the database open or can open it.
    private struct ExclusiveOpening {
        let file: any DatabaseFile
        let isReadOnly: Bool
        let options: OpenOptions
        let folder: OpenFolder
        let own: ParticipantFile
        let registry: VersionRegistry
        let state: Committed
        let pin: UInt64

        /// nil if something has to be done to the file first.
        init?(
            _ path: String, _ disk: DiskFile, _ cipher: (any PageCipher)?, _ start: SessionStart, readOnly: Bool,
            _ options: OpenOptions, _ holder: String?
        ) throws {
            folder = try SharedAccess.folder(of: path)
            // Only now: users of another home may have written until this moment.
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

    /// Throws for a file that is to be read without taking part in the session of its writers, if the reason is that
    /// these have it open under another name.
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

    /// A database that is gone when its last holder lets go. Its space is an unnamed file in `directory`, encrypted if
    /// there is a cipher.
    package static func inMemory(in directory: String, cipher: (any PageCipher)? = nil) throws -> Database {
        do {
            let file = try EncryptedFile.wrap(try DiskFile.anonymous(in: directory), cipher)
            return try Database(file: file, readOnly: false)
        } catch let error as SystemError {
            throw StorageError(error)
        }
    }

    /// Opens what `file` holds: the seam for tests that inject faults. Without `sharing` no other process may open it.
    package init(
        file: any DatabaseFile, sharing: SharedAccess? = nil, readOnly: Bool, options: OpenOptions = OpenOptions(),
        holder: String? = nil
    ) throws {
        path = file.path
        self.file = file
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

    /// Opens what an `ExclusiveOpening` has found, which has let others in since.
    private init(_ alone: ExclusiveOpening, _ session: SessionLock, keepingPin: Bool) throws {
        path = alone.file.path
        file = alone.file
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

    /// The holder of a version until it is open, where nothing holds it from then on.
    private static let opener = "opening"

    /// Others may commit by now: what was found is read for as long as it is pinned, and no longer.
    private func finishOpening(
        keepingPin: Bool, _ report: (@Sendable (UpgradeProgress) -> Void)? = nil
    ) throws {
        try bringUpToDate(report)
        if !keepingPin { lock.locked { dropOpeningPin() } }
    }

    /// A process that cannot reuse its own participant file cleans up those of dead processes.
    private static func participants(in folder: OpenFolder, _ own: ParticipantFile) -> Participants {
        let participants = Participants(in: folder, own: own.name)
        if own.isNew { participants.removeDead() }
        return participants
    }

    /// What tells the file that is open from others; nil in memory.
    package var identity: FileIdentity? { lock.locked { file.identity } }

    // MARK: Versions

    /// The newest version, other processes' commits included. If these cannot be looked up, the newest that is known.
    package var version: UInt64 {
        lock.locked {
            try? adoptNewest()
            return committed.version
        }
    }

    /// What the file's header says of the newest version that is known here.
    package var header: FileHeader { lock.locked { committed.header } }

    /// A snapshot of the newest version; `label` names its holder.
    ///
    /// Throws if the file has moved on and nothing has kept the version that was opened (`verifyUnmoved`).
    package func snapshot(label: String = "snapshot") throws -> Snapshot {
        do {
            try verifyUnmoved()
            let (state, pin) = try waitAndPin(label)
            return try snapshot(state, pin)
        } catch let error as SystemError {
            throw StorageError(error)
        }
    }

    /// A snapshot of the version that the opening found and kept pinned; nil if it has been let go.
    package func openedSnapshot() throws -> Snapshot? {
        let opened = lock.locked { () -> (Committed, UInt64)? in
            // Another one may be known by now.
            guard let openingPin, registry.version(of: openingPin) == committed.version else { return nil }
            self.openingPin = nil
            return (committed, openingPin)
        }
        return try opened.map { try snapshot($0, $1) }
    }

    private func snapshot(_ state: Committed, _ pin: UInt64) throws -> Snapshot {
        do {
            return try Snapshot(database: self, state: state, pin: pin)
        } catch {
            unpin(pin)
            throw error
        }
    }

    /// Unpins what the opening keeps, which is of no more use. Guarded by `lock`.
    private func dropOpeningPin() {
        if let openingPin { registry.unpin(openingPin) }
        openingPin = nil
    }

    /// Pins the newest version; waits while a caller has exclusive access.
    func waitAndPin(_ label: String) throws -> (Committed, UInt64) {
        while true {
            let pinned = try lock.locked { () -> (Committed, UInt64)? in
                guard !isExclusive else { return nil }
                let pin = try pinNewest(label)
                dropOpeningPin()
                return (committed, pin)
            }
            if let pinned { return pinned }
            // Exclusive access implies the write lock, so wait on the write lock.
            writer.enter()
            writer.leave()
        }
    }

    /// All holders of versions in this process, oldest version first.
    package var holders: [VersionPin] { lock.locked { registry.holders } }

    /// Pins a version that is held already, or that the caller is committing.
    func pin(_ state: Committed, _ label: String) throws -> UInt64 {
        do {
            return try lock.locked { try registry.pin(state.record, label) }
        } catch let error as SystemError {
            throw StorageError(error)
        }
    }

    func unpin(_ pin: UInt64) { lock.locked { registry.unpin(pin) } }

    // MARK: Writing

    /// Whether another thread waits for the write lock, which one has.
    package var hasWaiters: Bool { writer.callerCount > 1 }

    /// Acquires the write lock: first among our threads, then among processes.
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

    /// Called by a write transaction when it is over, whatever its outcome.
    func endWrite(pin: UInt64) {
        lock.locked {
            registry.unpin(pin)
            isWriting = false
        }
        leaveWriting()
    }

    /// A mapping with room for the file to double; the old mapping lives on with the snapshots that use it.
    func roomToGrow(_ state: Committed) throws -> Committed {
        guard state.logicalSize > state.mapping.fileWindow / 2 else { return state }
        // Where addresses are few, the old one may have to do.
        guard let mapping = try? Database.map(file, atLeast: state.logicalSize * 2, withSlab: true),
            mapping.fileWindow > state.mapping.fileWindow
        else { return state }
        var state = state
        state.mapping = mapping
        lock.locked { committed.mapping = mapping }
        return state
    }

    /// Makes a commit the newest version. The caller holds the write lock. `isFlipDurable`: whether the header that
    /// names it is on disk.
    func publish(_ state: Committed, isFlipDurable: Bool) {
        lock.locked {
            committed = state
            if isFlipDurable { durable = state.version }
            hasFlipToSync = !isFlipDurable
            hasNewest = true
        }
    }

    /// Other libraries, which know of nothing but the header, shall find the last version after a crash as well.
    deinit {
        if hasFlipToSync, owner == CurrentProcess.identifier { try? file.sync() }
    }

    /// Puts `new`, which holds the same version and is called `name`, in the place of the file (container 6.9). Needs
    /// exclusive access: no version of the old file can be taken after that.
    func replaceFile(with new: any DatabaseFile, at name: String) throws {
        let state = try Opening(file: new, isReadOnly: false, options: optionsOfCompacted).load()
        try lock.locked {
            guard state.version == committed.version else {
                throw StorageError(.invalidDatabase, "the compacted file holds another version", path: path)
            }
            try verifyInPlace()
            try DiskFile.rename(name, to: path)
            file = new
            committed = state
            hasFlipToSync = false
            keeper.forget()
        }
        try watchAnew()
    }

    /// The options to open a compacted file with: it has the history of this one.
    var optionsOfCompacted: OpenOptions {
        var options = OpenOptions()
        options.synchronisedHistory = synchronisedHistory
        return options
    }

    /// After a commit that failed where its outcome is unknown, the file takes no more writes from this process until
    /// it is opened anew. Other processes go by the header.
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
            case EISDIR, ENOTDIR, ELOOP, ENAMETOOLONG, ENXIO: .notAFile
            case EBUSY where error.call == "open": .alreadyOpen
            default: .fileAccess
            }
        self.init(code, "\(error.call): \(error.reason)", path: error.path)
    }
}

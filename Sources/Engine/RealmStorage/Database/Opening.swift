// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSystem

/// Finds the version that a file's header selects, after mending the file if necessary.
struct Opening {
    let file: any DatabaseFile
    let isReadOnly: Bool
    var options = OpenOptions()

    /// Throws, without creating other files, if the file isn't a Realm file. For an opening that may have to create the
    /// lock file or the management folder.
    static func refuseOthers(_ path: String, _ cipher: (any PageCipher)?) throws {
        for attempt in 1...10 {
            let (hasLock, hasFolder) = (Folder.holds(path + ".lock"), Folder.holds(path + ".management"))
            guard !hasLock || !hasFolder, Folder.holds(path) else { return }
            do {
                let file = try EncryptedFile.wrap(try DiskFile.open(path, readOnly: true), cipher)
                let size = try file.size()
                if try !Database.isBlank(file, size) { _ = try FileHeader(file, size: size) }
                return
            } catch {
                // The lock file may belong to a process that is creating the database.
                guard Folder.holds(path + ".lock"), attempt < 10 else { throw error }
                CurrentProcess.pause(microseconds: 5_000)
            }
        }
    }

    /// Loads the newest version of a file that may be shared with other processes. The version is pinned for `holder`,
    /// because the others may commit before the opening has read all of it.
    ///
    /// In an existing session the file is usually in order, so the opening doesn't wait for a writer. Nor does a
    /// read-only process that begins the session.
    func load(
        _ sharing: SharedAccess?, _ others: Participants?, _ registry: inout VersionRegistry, _ holder: String
    ) throws -> (Database.Committed, pin: UInt64) {
        guard let sharing else { return try prepareAndLoad(readers: [], &registry, holder) }
        if sharing.session.isJoined || isReadOnly, let found = try? loadPinned(&registry, holder) { return found }
        return try sharing.writeLock.locked(options.patience) {
            try file.refresh()
            let readers = try others?.others().flatMap(\.pins).map(\.record) ?? []
            return try prepareAndLoad(readers: readers, &registry, holder)
        }
    }

    /// Loads the newest version for a process with exclusive use of the file. Returns nil if the file must be changed
    /// first, or if its contents don't rule that out.
    func loadAlone() throws -> Database.Committed? {
        let size = try file.size()
        // A file of one page may be new.
        guard size > FileFormat.pageByteCount, !file.needsMending else { return nil }
        let header = try FileHeader(file, size: size)
        guard header.format == FileFormat.version, !header.isStreaming else { return nil }
        let state = try load(header, size: size, after: pendingCommits(header, size))
        guard !state.isAhead || isReadOnly else { return nil }
        return state.topRef != 0 && Opening.end(state.logicalSize) >= size ? state : nil
    }

    /// The caller holds the write lock. `readers` are the versions pinned by others.
    private func prepareAndLoad(
        readers: [VersionRecord], _ registry: inout VersionRegistry, _ holder: String
    ) throws -> (Database.Committed, pin: UInt64) {
        let changes = !isReadOnly && !options.leavesFile
        if changes { try Database.prepareForWriting(file, options) }
        let state = try load()
        if changes {
            let before = try state.predecessor(in: file)
            if before == nil, state.mayFallBack { try state.resolveFlip(in: file) }
            try giveBackTail(of: state, readers + [before].compactMap(\.self))
        }
        return (state, try registry.pin(state.record, holder))
    }

    /// Loads while others may commit. Returns nil if the file must be mended first.
    private func loadPinned(
        _ registry: inout VersionRegistry, _ holder: String
    ) throws -> (Database.Committed, pin: UInt64)? {
        let (named, pin) = try NamedVersion.pinNewest(of: file, in: &registry, holder)
        do {
            let isSettled = try named.isInOrder && !named.hasCommitPending(in: file)
            if isSettled || isReadOnly && named.isEmpty {
                try file.refresh()
                return (try load(at: named), pin)
            }
        } catch {
            registry.unpin(pin)
            throw error
        }
        registry.unpin(pin)
        return nil
    }

    /// Reads the header and the top array it selects (container 1.4, 5.4). For writing, throws if the file must not be
    /// written to. While `named` is pinned, other processes may commit.
    func load(at named: NamedVersion? = nil) throws -> Database.Committed {
        let size = try named?.size ?? file.size()
        let header = try named?.header ?? FileHeader(file, size: size)
        return try load(header, size: size, after: named == nil ? pendingCommits(header, size) : [])
    }

    /// Loads the version that the header selects, or that of the last commit in `pending`.
    private func load(_ header: FileHeader, size: Int, after pending: [CommitRecord]) throws -> Database.Committed {
        let named = try header.topRef(file, size: size)
        let era = LegacyFormat(header.format)
        guard header.format == FileFormat.version || era != nil || (header.format == 0 && named == 0) else {
            throw LegacyFormat.refusal(header.format)
        }
        let mapping = try Database.map(file, atLeast: size, withSlab: !isReadOnly || era != nil)
        guard named != 0 else {
            if !isReadOnly { try Database.validateWritable(header, nil, options) }
            let start = FileFormat.Header.byteCount
            return Database.Committed(version: 1, topRef: 0, logicalSize: start, header: header, mapping: mapping)
        }
        let space = NodeSpace(mapping: mapping, fileEnd: Ref(size), writable: false)
        let topRef = pending.last?.made.topRef ?? named
        let top = try TopArray(space, topRef, fileSize: size)
        if era?.hasRowTables == true { try RowDirectory.validate(top, space) }
        if !isReadOnly { try Database.validateWritable(header, top, options) }
        return Database.Committed(
            version: top.version, topRef: topRef, logicalSize: top.logicalSize, header: header, mapping: mapping,
            isAhead: !pending.isEmpty)
    }

    /// The commits, in order, whose flips were lost in a crash (`CommitRecord`). The file's version is that of the last
    /// one. No process may be committing.
    func pendingCommits(_ header: FileHeader, _ size: Int) throws -> [CommitRecord] {
        guard file.writeUnit == 8, header.format == FileFormat.version, !header.isStreaming else { return [] }
        let topRef = try header.topRef(file, size: size)
        guard topRef != 0, let top = try? TopArray(file, topRef, fileSize: size) else { return [] }
        var base = CommitRecord.VersionName(version: top.version, topRef: topRef)
        var pending: [CommitRecord] = []
        while pending.count < Opening.maxPending,
            let record = try CommitRecord.find(after: base, in: file, size: size)
        {
            pending.append(record)
            base = record.made
        }
        return pending
    }

    /// Two at most; the limit bounds the time spent on a file that claims more.
    private static let maxPending = 4

    /// Truncates the data after the logical end that a crash or the last session left (container 1.6, step 4), except
    /// for versions that can be read.
    ///
    /// Call this after verifying that the file may be written to.
    private func giveBackTail(of state: Database.Committed, _ readers: [VersionRecord]) throws {
        let target = Opening.end(readers.reduce(state.logicalSize) { max($0, $1.logicalSize) })
        if state.topRef != 0, target < (try file.size()) { try file.resize(to: target) }
    }

    private static func end(_ logicalSize: Int) -> Int {
        let page = FileFormat.pageByteCount
        return (logicalSize + page - 1) / page * page
    }
}

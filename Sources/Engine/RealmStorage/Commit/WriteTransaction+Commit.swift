// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSystem

extension WriteTransaction {
    /// Makes the changes the next version, durably, and returns its number. The steps are those of container 6.7, but
    /// for the order of the third and the fourth.
    ///
    /// On an error nothing has happened to the database: until the flip of step 5 the header names the base, none of
    /// whose bytes was written. If the error comes from a sync, or so late that the flip or a record of the commit may
    /// have reached the disk (`DatabaseFile.giveUp`), the database refuses further writes until it is opened anew: what
    /// a failed sync leaves on disk is unknown, and the system may call a later sync a success without it.
    @discardableResult
    package func commit() throws -> UInt64 { try prepareCommit().finish() }

    /// Steps 1 and 2 of a commit: the new version is in the file, where no other process finds it yet.
    ///
    /// What waits for the disk is left to `PreparedCommit.finish()`, which any thread may call; no other process or
    /// thread can write until then.
    package func prepareCommit() throws -> PreparedCommit {
        precondition(isOpen, "the write transaction has ended")
        // An older file stays as it was where its upgrade fails, for example on a full disk.
        let oldSize = LegacyFormat(base.header.format) == nil ? nil : try? database.file.size()
        do {
            let commit = try stage()
            leaveParentCommit(isStaged: true)
            return commit
        } catch {
            // What a parentCommit has in the file stays.
            if parentCommit == nil { _ = database.file.giveUp() }
            if let oldSize { try? database.file.resize(to: oldSize) }
            let failure = (error as? SystemError).map(StorageError.init) ?? error
            // The next one shall find the space that the last commit has freed.
            if parentCommit == nil, (failure as? StorageError)?.code == .outOfSpace {
                try? database.settleFlip(of: base)
            }
            end()
            throw failure
        }
    }

    private func stage() throws -> PreparedCommit {
        let file = database.file
        if let failure = store.failure {
            throw StorageError(
                failure.code, "nothing was written, because a change failed half-way: \(failure.message)")
        }
        guard baseVersion + 1 < FileFormat.versionLimit else {
            throw StorageError(
                .limitExceeded,
                "the file is at version \(baseVersion), the last that there can be; write a copy that begins anew "
                    + "('realm copy --new-version')")
        }
        // Otherwise the file would be made as long again, with zeros.
        try database.verifyOwnProcess()
        try database.verifySize(base)
        let reachable = try database.protectedVersions(before: base, parentCommit)
        // 1. All changed nodes below the top array, children before parents.
        try historyWriter?.writeHistory(of: self)
        try removeUnlinkedTombstones()
        try encodeTables()
        if historyWriter == nil { try writeLocalHistory() }
        try finishTop()
        var free = try freeSpace(reachable)
        let place = try keepRecordPlace(&free)
        disuse(free)
        try moveNodes(free)
        var writer = try makeWriter(free)
        try writeSubtrees(&writer)
        // 2. The free lists of the new version and its top array; the file is as long as they say.
        let topRef = try writeTop(&writer, held: free.held)
        try writer.flush()
        let logicalSize = top.logicalSize
        if try file.size() < logicalSize { try file.resize(to: logicalSize) }
        // Before anything names the version: there may be no addresses for a file of this size.
        let mapping = try database.mapping(base.mapping, for: logicalSize)
        let state = Database.Committed(
            version: top.version, topRef: topRef, logicalSize: logicalSize, header: base.header, mapping: mapping)
        let record = try place.flatMap { place in try makeRecord(of: state, writer.written).map { ($0, place) } }
        return PreparedCommit(self, state, file, reachable, record)
    }

    /// The place for a record of this commit, out of the way of what it writes. nil where it needs two syncs: upon a
    /// version that is not durable, that is no whole file of format 24, or whose writer has left no place, or where
    /// other engines have to find the commit, which don't read records.
    private func keepRecordPlace(_ free: inout FreeSpace) throws -> FreeBlock? {
        guard database.durability != .interchangeable, parentCommit == nil, database.file.writeUnit == 8,
            base.topRef != 0,
            base.header.format == FileFormat.version
        else { return nil }
        let place = CommitRecord.place(behind: try space.node(base.topRef))
        return free.keep(place, freedBy: baseVersion + 1) ? place : nil
    }

    /// nil if this commit has written more than a record can tell, or has freed so much that the next one shall have
    /// it: until the flip is durable the base keeps its space.
    private func makeRecord(of state: Database.Committed, _ written: WrittenBlocks) throws -> CommitRecord? {
        let freedByteCount = store.freed.reduce(0) { $0 + $1.length }
        guard !written.isTooMuch, freedByteCount <= WrittenBlocks.mostBytes else { return nil }
        let baseTop = try space.node(base.topRef)
        var baseSum = Checksum()
        unsafe baseSum.add(UnsafeRawBufferPointer(start: baseTop.payload - 8, count: baseTop.header.byteCount))
        return CommitRecord(base: base.record.name, baseSum: baseSum, made: state.record.name, written: written)
    }

    /// Changed tables become dirty nodes, as do the directory's two arrays.
    func encodeTables() throws {
        for table in loadedTables where unsafe !table.changes.isEmpty {
            directory.elements[table.key.slot] = try table.encode(in: store).element
            directoryChanged = true
        }
        guard directoryChanged || top.ref == 0 else { return }
        typealias Slot = FileFormat.Top
        try store.free(try top.child(Slot.names))
        try store.free(try top.child(Slot.tables))
        top.elements[Slot.names] = try NameList.encode(directory.names, in: store).element
        top.elements[Slot.tables] = try store.create(directory.elements, flags: NodeHeader.Flags.hasRefs).element
    }

    /// One empty history entry: what a sole user of the file has to leave (container 7.2, C8). Files without a
    /// history get one, with the slots that make it a local database's (5.2).
    private func writeLocalHistory() throws {
        try store.freeTree(try top.history())
        setHistory(try makeEmptyEntry(), FileFormat.History.local, schema: FileFormat.History.localSchemaVersion)
    }

    /// A tree of one empty entry of the log that realm-core's sessions share.
    package func makeEmptyEntry() throws -> Ref {
        let parts = [
            try store.create([0]), try store.create(flags: NodeHeader.Flags.blob, width: 1), try store.create([0]),
        ]
        return try store.create(parts.map(\.element), flags: NodeHeader.Flags.hasRefs)
    }

    /// Makes a tree of nodes the history. The one before is the caller's to free or to go on with.
    package func setHistory(_ root: Ref, _ type: UInt64, schema: UInt64) {
        typealias Slot = FileFormat.Top
        while top.elements.count < Slot.count { top.elements.append(0) }
        top.elements[Slot.historyType] = Tagged.encode(type)
        top.elements[Slot.history] = root.element
        top.elements[Slot.historySchemaVersion] = Tagged.encode(schema)
    }

    /// The history that this began with; 0 if there was none.
    package var history: Ref { get throws { try top.history() } }
    package var historySchemaVersion: UInt64 { top.historySchemaVersion }

    /// The ident of a client file (container 5.1, slot 10); 0 as long as no server has given it one.
    package var fileIdent: UInt64 {
        get { top.fileIdent }
        set {
            while top.elements.count < FileFormat.Top.count { top.elements.append(0) }
            top.elements[FileFormat.Top.fileIdentifier] = Tagged.encode(newValue)
        }
    }

    private func finishTop() throws {
        typealias Slot = FileFormat.Top
        if top.elements[Slot.fileIdentifier] == 0 { top.elements[Slot.fileIdentifier] = Tagged.encode(0) }
        // `moveNodes` decides anew in each commit what gives way to a shrinking file, so what another engine noted of
        // its progress is of no use (container 6.8).
        if let evacuation = top.evacuation {
            if evacuation & 1 == 0 { try store.free(Ref(element: evacuation)) }
            top.elements[Slot.evacuation] = 0
        }
    }

    /// The base's free blocks, by whether a reachable version uses them (container 6.2, 6.6).
    private func freeSpace(_ reachable: [VersionRecord]) throws -> FreeSpace {
        guard top.ref != 0 else { return FreeSpace([], reachable: []) { _ in .everything } }
        let list = try FreeList(top, in: space, LegacyFormat(base.header.format))
        return database.keeper.freeSpace(
            list.entries, reachable: reachable, in: space, fileSize: try database.file.size())
    }

    /// Tells the file which parts of it are not needed.
    private func disuse(_ free: FreeSpace) {
        // Where no more is written than what was changed, nothing beside it has to be kept.
        guard database.file.writeUnit > 8 else { return }
        let unused = free.reusable.map(\.range) + [top.logicalSize..<Int.max]
        // Versions that a crash may bring back, or that a reader is only trying to pin, keep their space as long as we
        // do not know better. But a process that came before us may have known, and have given it to a commit that was
        // cut off.
        database.file.disuse(unused, doubtful: free.held.map(\.block.range))
    }

    private func makeWriter(_ free: FreeSpace) throws -> NodeWriter {
        let allocator = SpaceAllocator(
            reusable: free.reusable, logicalSize: Ref(top.logicalSize), unit: database.file.writeUnit,
            limit: database.keeper.shrinking.limit)
        return try NodeWriter(
            space: space, file: database.file, allocator: allocator, expected: store.slabByteCount)
    }

    /// While the file is being made smaller, some nodes near its end become dirty and so find a new place.
    private func moveNodes(_ free: FreeSpace) throws {
        typealias Slot = FileFormat.Top
        let keeper = database.keeper
        let budget = keeper.shrinking.plan(
            free, logicalSize: Ref(top.logicalSize), written: store.slabByteCount)
        guard let budget, let limit = keeper.shrinking.limit else { return }
        var mover = NodeMover(store: store, limit: limit, budget: budget, from: keeper.shrinking.path)
        try mover.run(&top.elements, [Slot.names, Slot.tables])
        keeper.shrinking.note(mover)
    }

    private func writeSubtrees(_ writer: inout NodeWriter) throws {
        typealias Slot = FileFormat.Top
        for slot in [Slot.names, Slot.tables, Slot.history] {
            top.elements[slot] = try writer.write(try top.child(slot)).element
        }
    }

    /// Free lists and top array go into one chunk. The lists have to describe the space that is left after they
    /// themselves have been placed, so the chunk is sized by an upper bound first, and its leftover becomes one more
    /// free block (container 6.5). In that the next commit has the place for its record.
    private func writeTop(_ writer: inout NodeWriter, held: [FreeList.Entry]) throws -> Ref {
        typealias Slot = FileFormat.Top
        for slot in [Slot.freePositions, Slot.freeLengths, Slot.freeVersions] { try store.free(try top.child(slot)) }
        try store.free(top.ref)
        let version = baseVersion + 1
        top.elements[Slot.version] = Tagged.encode(version)
        let freed = store.freed.map { FreeList.Entry(block: $0, freedBy: version) }

        let known = writer.allocator.remainingCount() + freed.count + held.count
        let bound = try Chunk.byteCount(
            entries: known + 6, logicalSize: writer.allocator.logicalSize, version: version,
            topCount: top.elements.count)
        let start = writer.allocator.allocate(bound, expected: bound)
        writer.allocator.keepWholeUnit()
        let available = writer.allocator.remaining().map { FreeList.Entry(block: $0, freedBy: 0) }
        var entries = FreeList.merged(available + held + freed)
        try FreeList.requireDisjoint(entries)
        let logicalSize = cutEnd(&entries, writer.allocator)
        top.elements[Slot.logicalSize] = Tagged.encode(Int(logicalSize))

        let width = PackedWidth.minimal(for: Int64(logicalSize))
        let versionWidth = PackedWidth.minimal(for: Int64(bitPattern: version))
        let topWidth = max(width, top.elements.reduce(0) { max($0, PackedWidth.minimal(for: $1)) })
        let count = entries.count + 1
        let lists = [(width, count), (width, count), (versionWidth, count), (topWidth, top.elements.count)]
        let sizes = lists.map { NodeHeader(flags: 0, widthCode: NodeHeader.code(ofWidth: $0.0), count: $0.1).byteCount }
        let used = sizes.reduce(0, +)
        let leftover = FreeBlock(position: start + Ref(used), length: Ref(bound - used))
        entries.append(FreeList.Entry(block: leftover, freedBy: 0))
        entries.sort { $0.block.position < $1.block.position }

        let refs = sizes.indices.map { start + Ref(sizes[..<$0].reduce(0, +)) }
        top.elements[Slot.freePositions] = refs[0].element
        top.elements[Slot.freeLengths] = refs[1].element
        top.elements[Slot.freeVersions] = refs[2].element
        let contents = [
            entries.map { Int64($0.block.position) }, entries.map { Int64($0.block.length) },
            entries.map { Int64(bitPattern: $0.freedBy) }, top.elements,
        ]
        for (index, elements) in contents.enumerated() {
            let flags = index == 3 ? NodeHeader.Flags.hasRefs : NodeHeader.Flags.plain
            let (header, payload) = NodeWriter.pack(elements, flags: flags, width: lists[index].0)
            unsafe try payload.withUnsafeBytes { unsafe try writer.append(header, $0, at: refs[index]) }
        }
        return refs[3]
    }

    /// Drops free blocks from the end of the lists if the file shall become shorter. No reachable version uses what
    /// `entries` call free since long ago, so all permit it (container 6.8). Returns the logical size.
    private func cutEnd(_ entries: inout [FreeList.Entry], _ allocator: SpaceAllocator) -> Ref {
        let logicalSize = allocator.logicalSize
        database.keeper.shrinking.note(spilled: allocator.spilled)
        let last = entries.last { $0.freedBy == 0 && $0.block.end == logicalSize }
        let tail = last?.block.position ?? logicalSize
        guard let size = database.keeper.shrinking.cut(tail: tail, logicalSize: logicalSize) else { return logicalSize }
        entries.removeLast()
        if tail < size {
            entries.append(
                FreeList.Entry(block: FreeBlock(position: tail, length: size - tail), freedBy: 0))
        }
        return size
    }

    private enum Chunk {
        /// An upper bound of the bytes of three lists and a top array, and of the record behind it. They have to fit
        /// into one section.
        static func byteCount(entries: Int, logicalSize: Ref, version: UInt64, topCount: Int) throws -> Int {
            // Placing the chunk may let the file grow by two sections at most.
            let section = FileFormat.sectionByteCount
            let width = max(32, PackedWidth.minimal(for: Int64(logicalSize) + 2 * Int64(section)))
            let versionWidth = PackedWidth.minimal(for: Int64(bitPattern: version))
            let lists = 8 * 5 + (entries * (2 * width + versionWidth) + 7) / 8 + 8 * 3
            let count = lists + topCount * 8 + CommitRecord.byteCount
            guard count < section else {
                throw StorageError(.limitExceeded, "the file has \(entries) free blocks, too many; compact it")
            }
            return (count + 7) / 8 * 8
        }
    }
}

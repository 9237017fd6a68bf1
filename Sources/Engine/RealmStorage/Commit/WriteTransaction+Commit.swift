// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSystem

extension WriteTransaction {
    /// Commits the changes durably as the next version and returns its number. The steps are those of container 6.7,
    /// with the third and the fourth exchanged.
    ///
    /// If this throws, the database is unchanged: until the flip of step 5 the header names the base, and no byte of
    /// the base was overwritten. If a sync failed, or if the flip or a record of the commit may already have reached
    /// the disk (`DatabaseFile.giveUp`), the database rejects further writes until it's reopened: the state on disk
    /// after a failed sync is unknown, and the system may report a later sync as successful without having written the
    /// data.
    @discardableResult
    package func commit() throws -> UInt64 { try prepareCommit().finish() }

    /// Performs steps 1 and 2 of a commit: the new version is in the file, but other processes can't find it yet.
    ///
    /// The steps that wait for the disk are in `PreparedCommit.finish()`, which any thread can call. No other process
    /// or thread can write until then.
    package func prepareCommit() throws -> PreparedCommit {
        precondition(isOpen, "the write transaction has ended")
        // If the upgrade of an older file fails, for example because the disk is full, the file must be unchanged.
        let oldSize = LegacyFormat(base.header.format) == nil ? nil : try? database.file.size()
        do {
            let commit = try stage()
            leaveParentCommit(isStaged: true)
            return commit
        } catch {
            // The data that a parent commit has written must stay.
            if parentCommit == nil { _ = database.file.giveUp() }
            if let oldSize { try? database.file.resize(to: oldSize) }
            let failure = (error as? SystemError).map(StorageError.init) ?? error
            // The next attempt can use the space that the last commit has freed.
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
        // Otherwise the file would be extended with zeros to its old length.
        try database.verifyOwnProcess()
        try database.verifySize(base)
        let reachable = try database.protectedVersions(before: base, parentCommit)
        // 1. All changed nodes below the top array, children before parents.
        try historyWriter?.writeHistory(of: self)
        try tombstones.removeUnlinked()
        try encodeTables()
        if historyWriter == nil { try writeLocalHistory() }
        try finishTop()
        var free = try freeSpace(reachable)
        let place = try keepRecordPlace(&free)
        discardUnused(free)
        try moveNodes(free)
        var writer = try makeWriter(free)
        try writeSubtrees(&writer)
        // 2. The free lists of the new version and its top array; the file has the length that they imply.
        let topRef = try writeTop(&writer, held: free.held)
        try writer.flush()
        let logicalSize = top.logicalSize
        if try file.size() < logicalSize { try file.resize(to: logicalSize) }
        // Must happen before anything names the version: the address space may be too small for a file of this size.
        let mapping = try database.mapping(base.mapping, for: logicalSize)
        let state = Database.Committed(
            version: top.version, topRef: topRef, logicalSize: logicalSize, header: base.header, mapping: mapping)
        let record = try place.flatMap { place in try makeRecord(of: state, writer.written).map { ($0, place) } }
        return PreparedCommit(self, state, file, reachable, record)
    }

    /// Reserves the block for this commit's record, so that the commit doesn't write there. Returns nil if two syncs
    /// are needed: if the base isn't durable or isn't a plain file of format 24, if its writer has reserved no block,
    /// or if other engines, which don't read records, have to find the commit.
    private func keepRecordPlace(_ free: inout FreeSpace) throws -> FreeBlock? {
        guard database.durability != .interchangeable, parentCommit == nil, database.file.writeUnit == 8,
            base.topRef != 0,
            base.header.format == FileFormat.version
        else { return nil }
        let place = CommitRecord.place(behind: try space.node(base.topRef))
        return free.keep(place, freedBy: baseVersion + 1) ? place : nil
    }

    /// Returns nil if this commit has written more than a record can hold, or has freed so much space that the next
    /// commit should be able to use it: until the flip is durable, the base's space stays in use.
    private func makeRecord(of state: Database.Committed, _ written: WrittenBlocks) throws -> CommitRecord? {
        let freedByteCount = store.freed.reduce(0) { $0 + $1.length }
        guard !written.isTooMuch, freedByteCount <= WrittenBlocks.maxBytes else { return nil }
        let baseTop = try space.node(base.topRef)
        var baseSum = Checksum()
        unsafe baseSum.add(UnsafeRawBufferPointer(start: baseTop.payload - 8, count: baseTop.header.byteCount))
        return CommitRecord(base: base.record.name, baseSum: baseSum, made: state.record.name, written: written)
    }

    /// Encodes the changed tables, and the directory's two arrays, as dirty nodes.
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

    /// Writes one empty history entry, as required of a sole user of the file (container 7.2, C8). Files without a
    /// history get one, with the slots of a local database (5.2).
    private func writeLocalHistory() throws {
        try store.freeTree(try top.history())
        setHistory(try makeEmptyEntry(), FileFormat.History.local, schema: FileFormat.History.localSchemaVersion)
    }

    /// Creates a tree with one empty entry of the log that realm-core's sessions share.
    package func makeEmptyEntry() throws -> Ref {
        let parts = [
            try store.create([0]), try store.create(flags: NodeHeader.Flags.blob, width: 1), try store.create([0]),
        ]
        return try store.create(parts.map(\.element), flags: NodeHeader.Flags.hasRefs)
    }

    /// Replaces the history by a tree of nodes. The caller frees or continues the previous history.
    package func setHistory(_ root: Ref, _ type: UInt64, schema: UInt64) {
        typealias Slot = FileFormat.Top
        while top.elements.count < Slot.count { top.elements.append(0) }
        top.elements[Slot.historyType] = Tagged.encode(type)
        top.elements[Slot.history] = root.element
        top.elements[Slot.historySchemaVersion] = Tagged.encode(schema)
    }

    /// The root of the history, or 0.
    package var history: Ref { get throws { try top.history() } }
    package var historySchemaVersion: UInt64 { top.historySchemaVersion }

    /// The ident of a client file (container 5.1, slot 10); 0 until a server assigns one.
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
        // `moveNodes` decides again in each commit which nodes to move out of a shrinking file, so the progress
        // recorded by another engine isn't needed (container 6.8).
        if let evacuation = top.evacuation {
            if evacuation & 1 == 0 { try store.free(Ref(element: evacuation)) }
            top.elements[Slot.evacuation] = 0
        }
    }

    /// The base's free blocks, grouped by whether a reachable version uses them (container 6.2, 6.6).
    private func freeSpace(_ reachable: [VersionRecord]) throws -> FreeSpace {
        guard top.ref != 0 else { return FreeSpace([], reachable: []) { _ in .everything } }
        let list = try FreeList(top, in: space, LegacyFormat(base.header.format))
        return database.spaceAccounting.freeSpace(
            list.entries, reachable: reachable, in: space, fileSize: try database.file.size())
    }

    /// Passes the unused parts of the file to `DatabaseFile.discardUnused`.
    private func discardUnused(_ free: FreeSpace) {
        // A file that writes only the changed bytes preserves nothing else on the page.
        guard database.file.writeUnit > 8 else { return }
        let unused = free.reusable.map(\.range) + [top.logicalSize..<Int.max]
        // Versions that a crash may restore, or that a reader is just trying to pin, keep their space until they are
        // known to be unreachable. But an earlier process may have had that information, and reused the space for a
        // commit that was interrupted.
        database.file.discardUnused(unused, doubtful: free.held.map(\.block.range))
    }

    private func makeWriter(_ free: FreeSpace) throws -> NodeWriter {
        let allocator = SpaceAllocator(
            reusable: free.reusable, logicalSize: Ref(top.logicalSize), unit: database.file.writeUnit,
            limit: database.spaceAccounting.shrinking.limit)
        return try NodeWriter(
            space: space, file: database.file, allocator: allocator, expected: store.slabByteCount)
    }

    /// While the file is shrinking, marks some nodes near its end as dirty, so that they are written elsewhere.
    private func moveNodes(_ free: FreeSpace) throws {
        typealias Slot = FileFormat.Top
        let spaceAccounting = database.spaceAccounting
        let budget = spaceAccounting.shrinking.plan(
            free, logicalSize: Ref(top.logicalSize), written: store.slabByteCount)
        guard let budget, let limit = spaceAccounting.shrinking.limit else { return }
        var mover = NodeMover(store: store, limit: limit, budget: budget, from: spaceAccounting.shrinking.path)
        try mover.run(&top.elements, [Slot.names, Slot.tables])
        spaceAccounting.shrinking.note(mover)
    }

    private func writeSubtrees(_ writer: inout NodeWriter) throws {
        typealias Slot = FileFormat.Top
        for slot in [Slot.names, Slot.tables, Slot.history] {
            top.elements[slot] = try writer.write(try top.child(slot)).element
        }
    }

    /// The free lists and the top array are written as one chunk. The lists must describe the space left after the
    /// chunk itself is allocated, so the chunk is first sized by an upper bound, and its remainder becomes one more
    /// free block (container 6.5). The next commit's record fits in that block.
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

    /// Drops free blocks from the end of the lists if the file should shrink, and returns the logical size. No
    /// reachable version uses the blocks of `entries` that have been free for long, so every version permits it
    /// (container 6.8).
    private func cutEnd(_ entries: inout [FreeList.Entry], _ allocator: SpaceAllocator) -> Ref {
        let logicalSize = allocator.logicalSize
        database.spaceAccounting.shrinking.note(spilled: allocator.spilled)
        let last = entries.last { $0.freedBy == 0 && $0.block.end == logicalSize }
        let tail = last?.block.position ?? logicalSize
        guard let size = database.spaceAccounting.shrinking.cut(tail: tail, logicalSize: logicalSize) else {
            return logicalSize
        }
        entries.removeLast()
        if tail < size {
            entries.append(
                FreeList.Entry(block: FreeBlock(position: tail, length: size - tail), freedBy: 0))
        }
        return size
    }

    private enum Chunk {
        /// An upper bound of the bytes of three lists, a top array, and the record after it. They have to fit into one
        /// section.
        static func byteCount(entries: Int, logicalSize: Ref, version: UInt64, topCount: Int) throws -> Int {
            // Allocating the chunk grows the file by at most two sections.
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

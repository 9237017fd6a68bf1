// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSystem

extension WriteTransaction {
    struct CommitSpace {
        let reachable: [VersionRecord]
        let free: FreeSpace
        /// Nil if two syncs are needed.
        let recordPlace: FreeBlock?
    }

    struct Layout {
        let topRef: Ref
        let written: WrittenBlocks
        let space: CommitSpace
    }

    /// If the file can't grow, a commit that removes data is laid out again. It may then use the space that other
    /// commits must leave free (`SpaceReserve`), and that of the version before the base.
    func layOut() throws -> Layout {
        let space = try commitSpace()
        try moveNodes(space.free)
        let unwritten = top
        let freedByteCount = store.freed.reduce(0) { $0 + $1.length }
        try freeTop()
        // Before anything is written: in a damaged file, a block listed as free may be a node of the base.
        store.sortFreed()
        try space.free.requireDisjoint(from: store.freed)
        do {
            return try write(in: space)
        } catch let failure where isOutOfSpace(failure) {
            top = unwritten
            // In a plain file, only free space was written to.
            guard parentCommit == nil, try isRemoval(freedByteCount),
                database.file.giveUp() || database.file.writeUnit == 8
            else { throw failure }
            try database.settleFlip(of: base)
            return try write(in: try commitSpace(), isDiskFull: true)
        }
    }

    private func write(in space: CommitSpace, isDiskFull: Bool = false) throws -> Layout {
        var writer = try makeWriter(space.free, isDiskFull: isDiskFull)
        try writeSubtrees(&writer)
        let topRef = try writeTop(&writer, held: space.free.held, isDiskFull: isDiskFull)
        try writer.flush()
        return Layout(topRef: topRef, written: writer.written, space: space)
    }

    /// Whether the commit frees at least as many bytes as it writes, or removes more objects than it creates. The
    /// object counts matter because the remaining keys may need more bytes, and a synchronised file also records the
    /// removal.
    private func isRemoval(_ freedByteCount: Ref) throws -> Bool {
        typealias Slot = FileFormat.Top
        let dirty = try [Slot.names, Slot.tables, Slot.history].reduce(0) { sum, slot in
            sum + (try dirtyByteCount(try top.child(slot)))
        }
        return try dirty <= Int(freedByteCount) || objectCount(in: directory) < baseObjectCount()
    }

    private func dirtyByteCount(_ ref: Ref, depth: Int = 0) throws -> Int {
        guard ref != 0, space.isDirty(ref), depth < NodeStore.maximumDepth else { return 0 }
        let node = try space.node(ref)
        guard node.header.hasRefs, node.header.schemeCode == 0 else { return node.header.byteCount }
        return try node.elements().reduce(node.header.byteCount) { sum, element in
            guard element != 0, !Tagged.isTagged(element) else { return sum }
            return sum + (try dirtyByteCount(Ref(element: element), depth: depth + 1))
        }
    }

    private func baseObjectCount() throws -> Int {
        guard base.topRef != 0, LegacyFormat(base.header.format) == nil else { return 0 }
        return try objectCount(
            in: try TableDirectory(try TopArray(space, base.topRef, fileSize: base.logicalSize), in: space))
    }

    private func objectCount(in directory: TableDirectory) throws -> Int {
        try (0..<directory.count).reduce(0) { sum, slot in
            let ref = directory.ref(slot)
            guard ref != 0 else { return sum }
            return sum + (try Table(space: space, ref: ref, slot: slot, name: directory.names[slot]).count())
        }
    }

    private func commitSpace() throws -> CommitSpace {
        let reachable = try database.protectedVersions(before: base, parentCommit)
        var free = try freeSpace(reachable)
        let recordPlace = try keepRecordPlace(&free)
        discardUnused(free)
        return CommitSpace(reachable: reachable, free: free, recordPlace: recordPlace)
    }

    private func freeTop() throws {
        typealias Slot = FileFormat.Top
        for slot in [Slot.freePositions, Slot.freeLengths, Slot.freeVersions] { try store.free(try top.child(slot)) }
        try store.free(top.ref)
    }

    /// Reserves the block for this commit's record. Returns nil if two syncs are needed: if the base isn't durable or
    /// isn't a plain file of format 24, if its writer has reserved no block, or if other engines, which don't read
    /// records, must find the commit.
    private func keepRecordPlace(_ free: inout FreeSpace) throws -> FreeBlock? {
        guard database.durability != .interchangeable, parentCommit == nil, database.file.writeUnit == 8,
            base.topRef != 0,
            base.header.format == FileFormat.version
        else { return nil }
        let place = CommitRecord.place(behind: try space.node(base.topRef))
        return free.keep(place, freedBy: baseVersion + 1) ? place : nil
    }

    /// The base's free blocks, grouped by whether a reachable version uses them (container 6.2, 6.6).
    private func freeSpace(_ reachable: [VersionRecord]) throws -> FreeSpace {
        guard top.ref != 0 else { return FreeSpace([], reachable: []) { _ in .everything } }
        let list = try FreeList(top, in: space, LegacyFormat(base.header.format))
        return database.spaceAccounting.freeSpace(
            list.entries, reachable: reachable, in: space, fileSize: try database.file.size())
    }

    private func discardUnused(_ free: FreeSpace) {
        // A file that writes only the changed bytes preserves nothing else on the page.
        guard database.file.writeUnit > 8 else { return }
        let unused = free.reusable.map(\.range) + [top.logicalSize..<Int.max]
        // Versions that a crash may restore, or that a reader is about to pin, keep their space until they are known to
        // be unreachable. An earlier process may have had that information, and have reused the space for an
        // interrupted commit.
        database.file.discardUnused(unused, doubtful: free.held.map(\.block.range))
    }

    private func makeWriter(_ free: FreeSpace, isDiskFull: Bool) throws -> NodeWriter {
        let file = database.file
        let entryCount = free.reusable.count + free.held.count
        let allocator = SpaceAllocator(
            reusable: free.reusable, logicalSize: Ref(top.logicalSize), unit: file.writeUnit,
            limit: database.spaceAccounting.shrinking.limit,
            reserve: reserve(entryCount, of: Ref(top.logicalSize), isDiskFull: isDiskFull),
            isDiskFull: isDiskFull
        ) { size in
            if try file.size() < Int(size) { try file.resize(to: Int(size)) }
        }
        return try NodeWriter(space: space, file: file, allocator: allocator, expected: store.slabByteCount)
    }

    private func reserve(_ entryCount: Int, of logicalSize: Ref, isDiskFull: Bool) -> Ref {
        let unit = database.file.writeUnit
        guard !isDiskFull else { return SpaceReserve.minByteCount(unit: unit) }
        return SpaceReserve.byteCount(logicalSize: logicalSize, entryCount: entryCount, unit: unit)
    }

    /// Makes some nodes near the end of a shrinking file dirty, so that they are written elsewhere.
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
    private func writeTop(
        _ writer: inout NodeWriter, held: [FreeList.Entry], isDiskFull: Bool
    ) throws -> Ref {
        typealias Slot = FileFormat.Top
        let version = baseVersion + 1
        top.elements[Slot.version] = Tagged.encode(version)
        let freed = store.freed.map { FreeList.Entry(block: $0, freedBy: version) }

        let known = writer.allocator.remainingCount() + freed.count + held.count
        let bound = try Chunk.byteCount(
            entries: known + 6, logicalSize: writer.allocator.logicalSize, version: version,
            topCount: top.elements.count)
        let start = try writer.allocator.allocate(bound, expected: bound)
        let reserve = reserve(known, of: writer.allocator.logicalSize, isDiskFull: isDiskFull)
        try writer.allocator.fillReserve(to: reserve)
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

    /// Removes free blocks from the end of the lists if the file should shrink. Returns the logical size. No reachable
    /// version uses the blocks with `freedBy` 0 in `entries`, so every version permits it (container 6.8).
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
        /// An upper bound of the bytes of three lists, a top array, and the record after it. They must fit into one
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

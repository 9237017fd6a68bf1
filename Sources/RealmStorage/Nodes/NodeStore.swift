// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// The nodes of one write transaction: copy-on-write access to the base snapshot's nodes, and new ones.
///
/// Every function that changes a node takes its ref `inout`: a committed node is copied into the slab first, a dirty
/// one may move when it outgrows its block. The caller stores the new ref in the parent; nothing else points to it,
/// because the nodes of a snapshot form a tree (container 2.7). Committed nodes are never written (W10). One
/// transaction, one thread at a time.
package final class NodeStore {
    package let space: NodeSpace
    /// Touched by every change, from one thread, never across a call that could come back here.
    @exclusivity(unchecked) private(set) var slab: Slab
    /// Committed nodes that this transaction replaced or dropped; the commit puts them on the free list (C5).
    package private(set) var freed: [FreeBlock] = []
    private var freedByteCount: Ref = 0
    /// Why a node could not be made, or an instruction not be finished. The caller may have done half of its work, so
    /// the transaction must not be committed (`WriteTransaction.commit`).
    package private(set) var failure: StorageError?
    /// Elements per leaf and children per branch of a B+tree, keys per index node. Tests make it small; any file that
    /// leaves the process is written with the format's constant.
    package var treeCapacity: Int {
        get { unsafe storedTreeCapacity }
        set { unsafe storedTreeCapacity = newValue }
    }
    /// Rows per cluster leaf and children per cluster branch; likewise.
    package var clusterCapacity: Int {
        get { unsafe storedClusterCapacity }
        set { unsafe storedClusterCapacity = newValue }
    }
    /// Touched as `slab`.
    @exclusivity(unchecked) private var storedTreeCapacity = FileFormat.treeNodeCapacity
    /// Touched as `slab`.
    @exclusivity(unchecked) private var storedClusterCapacity = FileFormat.clusterCapacity

    package init(space: NodeSpace) {
        self.space = space
        unsafe slab = Slab(space: space)
    }

    /// More levels than any legal file has: a hundred nested collections take up to five nodes each.
    static let maximumDepth = 1024

    var slabByteCount: Int { unsafe slab.byteCount }

    // MARK: Life

    /// A node with a zeroed payload.
    package func create(flags: UInt8 = NodeHeader.Flags.plain, width: Int = 0, count: Int = 0) throws -> Ref {
        let header = NodeHeader(flags: flags, widthCode: NodeHeader.code(ofWidth: width), count: count)
        guard count <= NodeHeader.maximumCount else {
            throw StorageError(.limitExceeded, "a node of \(count) elements; the limit is \(NodeHeader.maximumCount)")
        }
        let ref = try allocate(header.byteCount)
        let address = unsafe space.base + Int(ref)
        unsafe (address + 8).initializeMemory(as: UInt8.self, repeating: 0, count: header.byteCount - 8)
        setHeader(ref, header)
        return ref
    }

    /// A node of packed signed integers at the smallest width, or at `minimumWidth` if that is larger.
    package func create(
        _ values: some Collection<Int64>, flags: UInt8 = NodeHeader.Flags.plain, minimumWidth: Int = 0
    ) throws -> Ref {
        let width = values.reduce(minimumWidth) { max($0, PackedWidth.minimal(for: $1)) }
        let ref = try create(flags: flags, width: width, count: values.count)
        let payload = unsafe space.base + Int(ref) + 8
        let code = NodeHeader.code(ofWidth: width)
        for (index, value) in values.enumerated() { unsafe Node.store(payload, index, code, value) }
        return ref
    }

    /// A node of packed unsigned integers (container 2.5); its width is at least 8, also when it is empty.
    package func create(unsigned values: some Collection<UInt64>) throws -> Ref {
        let width = values.reduce(8) { max($0, PackedWidth.minimalUnsigned(for: $1)) }
        let ref = try create(width: width, count: values.count)
        let payload = unsafe space.base + Int(ref) + 8
        let code = NodeHeader.code(ofWidth: width)
        for (index, value) in values.enumerated() {
            unsafe Node.store(payload, index, code, Int64(bitPattern: value))
        }
        return ref
    }

    /// A node of raw bytes; of scheme `bytes` if `flags` says so, then `count` elements of `width` bytes each.
    package func create(
        bytes: UnsafeRawBufferPointer, flags: UInt8 = NodeHeader.Flags.blob, width: Int = 1, count: Int? = nil
    ) throws -> Ref {
        let ref = try create(flags: flags, width: width, count: count ?? bytes.count)
        if let start = bytes.baseAddress {
            unsafe (space.base + Int(ref) + 8).copyMemory(from: start, byteCount: bytes.count)
        }
        return ref
    }

    private func allocate(_ byteCount: Int) throws -> Ref {
        do {
            return unsafe try slab.allocate(byteCount)
        } catch let error as StorageError {
            failure = error
            throw error
        }
    }

    /// Gives up one node. A ref of 0 is no node.
    package func free(_ ref: Ref) throws {
        guard ref != 0 else { return }
        if space.isDirty(ref) {
            unsafe try slab.release(ref)
        } else {
            let length = Ref(try space.node(ref).header.byteCount)
            freedByteCount += length
            // A damaged file may lead here again and again; a sound one has no more to give than it holds.
            guard freedByteCount <= space.fileEnd else {
                throw StorageError.corrupt("nodes that are used more than once; the file is damaged", at: ref)
            }
            freed.append(FreeBlock(position: ref, length: length))
        }
    }

    /// Copies a committed node as it is, so that the commit gives it another place.
    func makeDirty(_ ref: inout Ref) throws {
        let node = try space.node(ref)
        ref = try writable(ref, node, byteCount: node.header.byteCount)
    }

    /// Gives up a node and everything below it.
    package func freeTree(_ ref: Ref, depth: Int = 0) throws {
        guard ref != 0 else { return }
        let node = try space.node(ref)
        guard depth < NodeStore.maximumDepth else {
            throw StorageError.corrupt("nodes nested without end; the file is damaged", at: ref)
        }
        if node.header.hasRefs, node.header.schemeCode == 0 {
            for index in 0..<node.count {
                let element = node[index]
                if element != 0, element & 1 == 0 {
                    try freeTree(Ref(element: element), depth: depth + 1)
                }
            }
        }
        try free(ref)
    }

    /// Runs an instruction that, if it fails, may have done a part of its work.
    func whole<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch {
            failure = failure ?? error as? StorageError ?? StorageError(.writeRefused, "\(error)")
            throw error
        }
    }

    // MARK: Packed integers

    package func node(_ ref: Ref) throws -> Node { try space.node(ref) }

    package func set(_ ref: inout Ref, _ index: Int, _ value: Int64) throws {
        var node = try space.integers(ref)
        precondition(index < node.count)
        let isDirty = space.isDirty(ref)
        if isDirty, PackedWidth.minimal(for: value) <= node.width {
            unsafe Node.store(mutablePayload(ref), index, node.header.widthCode, value)
        } else if isDirty || node[index] != value {
            let width = max(node.width, PackedWidth.minimal(for: value))
            node = try resized(&ref, node, count: node.count, width: width)
            unsafe Node.store(mutablePayload(ref), index, node.header.widthCode, value)
        }
    }

    /// Stores a packed element where it fits without another node; false, and nothing done, where it does not.
    @inline(__always)
    func overwrite(_ node: Node, _ index: Int, _ value: Int64) -> Bool {
        guard space.isDirty(node.ref), node.header.isPlain, index < node.count,
            PackedWidth.fits(value, node.width)
        else { return false }
        unsafe Node.store(mutablePayload(node.ref), index, node.header.widthCode, value)
        return true
    }

    /// Makes 0 of an element of a dirty node of packed elements, if that is as `isGone` wants it; whether it was.
    @inline(__always)
    func clear(_ node: Node, _ index: Int, if isGone: (Int64) -> Bool) -> Bool {
        guard space.isDirty(node.ref), node.header.schemeCode == 0, 0..<node.count ~= index, isGone(node[index]) else {
            return false
        }
        unsafe Node.store(mutablePayload(node.ref), index, node.header.widthCode, 0)
        return true
    }

    /// Adds to the tagged integer that a dirty node of elements of 64 bits has at `index`.
    @inline(__always)
    func add(_ delta: Int, toTagged index: Int, of node: Node) {
        precondition(space.isDirty(node.ref) && node.width == 64 && 0..<node.count ~= index)
        let slot = unsafe mutablePayload(node.ref) + index &* 8
        let sum = unsafe Tagged.decode(slot.loadUnaligned(as: Int64.self)) &+ UInt64(bitPattern: Int64(delta))
        unsafe slot.storeBytes(of: Tagged.encode(sum), as: Int64.self)
    }

    /// Overwrites like `overwrite`, but an element of eight bytes in a node of scheme `bytes`.
    func overwrite(_ node: Node, _ index: Int, _ value: Double) -> Bool {
        guard space.isDirty(node.ref), node.header.schemeCode == NodeScheme.bytes.rawValue, node.width == 8,
            index < node.count
        else { return false }
        unsafe mutablePayload(node.ref).storeBytes(of: value.bitPattern, toByteOffset: index * 8, as: UInt64.self)
        return true
    }

    package func insert(_ ref: inout Ref, _ index: Int, _ value: Int64) throws {
        var node = try space.integers(ref)
        let count = node.count
        precondition(index <= count)
        node = try resized(&ref, node, count: count + 1, width: max(node.width, PackedWidth.minimal(for: value)))
        let payload = unsafe mutablePayload(ref)
        let code = node.header.widthCode
        if index < count { unsafe Node.move(payload, from: index, to: index + 1, count: count - index, code) }
        unsafe Node.store(payload, index, code, value)
    }

    package func insert(_ ref: inout Ref, _ index: Int, contentsOf values: [Int64]) throws {
        var node = try space.integers(ref)
        let count = node.count
        precondition(index <= count)
        let width = max(node.width, PackedWidth.minimal(for: values))
        node = try resized(&ref, node, count: count + values.count, width: width)
        let payload = unsafe mutablePayload(ref)
        let code = node.header.widthCode
        unsafe Node.move(payload, from: index, to: index + values.count, count: count - index, code)
        for (offset, value) in values.enumerated() { unsafe Node.store(payload, index + offset, code, value) }
    }

    package func append(_ ref: inout Ref, _ value: Int64) throws {
        try insert(&ref, try space.integers(ref).count, value)
    }

    package func remove(_ ref: inout Ref, _ index: Int) throws {
        try remove(&ref, index..<index + 1)
    }

    package func remove(_ ref: inout Ref, _ range: Range<Int>) throws {
        try remove(&ref, space.integers(ref), range)
    }

    /// Removes the elements in `range` from the node at `ref`, which has packed elements and is `node`.
    func remove(_ ref: inout Ref, _ node: Node, _ range: Range<Int>) throws {
        let count = node.count
        precondition(range.upperBound <= count)
        ref = try writable(ref, node, byteCount: node.header.byteCount)
        unsafe Node.move(
            mutablePayload(ref), from: range.upperBound, to: range.lowerBound, count: count - range.upperBound,
            node.header.widthCode)
        setHeader(ref, node.header.with(count: count - range.count))
    }

    /// Removes the elements at `rows`, which ascend.
    package func remove(_ ref: inout Ref, _ rows: [Int]) throws {
        guard let last = rows.last else { return }
        let node = try space.integers(ref)
        let count = node.count
        precondition(last < count)
        ref = try writable(ref, node, byteCount: node.header.byteCount)
        let payload = unsafe mutablePayload(ref)
        NodeStore.forEachGap(in: rows, of: count) { source, target, length in
            unsafe Node.move(payload, from: source, to: target, count: length, node.header.widthCode)
        }
        setHeader(ref, node.header.with(count: count - rows.count))
    }

    /// Removes the elements at `rows`, which ascend, from a node of scheme `bytes`.
    package func removeElements(_ ref: inout Ref, _ rows: [Int]) throws {
        guard let last = rows.last else { return }
        let node = try space.node(ref)
        let (count, width) = (node.count, node.width)
        precondition(node.header.schemeCode == NodeScheme.bytes.rawValue && last < count)
        ref = try writable(ref, node, byteCount: node.header.byteCount)
        let payload = unsafe mutablePayload(ref)
        NodeStore.forEachGap(in: rows, of: count) { source, target, length in
            unsafe (payload + target * width).copyMemory(from: payload + source * width, byteCount: length * width)
        }
        setHeader(ref, node.header.with(count: count - rows.count))
    }

    /// Calls `move` with each run of elements behind a removed one: where it is, where it goes, and its length.
    @inline(__always)
    private static func forEachGap(in rows: [Int], of count: Int, _ move: (Int, Int, Int) -> Void) {
        var target = rows[0]
        for index in rows.indices {
            let start = rows[index] + 1
            let end = index + 1 < rows.count ? rows[index + 1] : count
            if start < end { move(start, target, end - start) }
            target += end - start
        }
    }

    /// Keeps the first `count` elements.
    package func truncate(_ ref: inout Ref, to count: Int) throws {
        let old = try space.integers(ref).count
        if count < old { try remove(&ref, count..<old) }
    }

    /// Adds `value` to every element from `start` on.
    package func adjust(_ ref: inout Ref, from start: Int, by delta: Int64) throws {
        guard delta != 0 else { return }
        let node = try space.integers(ref)
        guard start < node.count else { return }
        var width = node.width
        for index in start..<node.count { width = max(width, PackedWidth.minimal(for: node[index] &+ delta)) }
        let resized = try resized(&ref, node, count: node.count, width: width)
        let payload = unsafe mutablePayload(ref)
        let code = resized.header.widthCode
        for index in start..<resized.count { unsafe Node.store(payload, index, code, resized[index] &+ delta) }
    }

    /// Adds `value` to the unsigned elements from `start` on, which ascend. False, and nothing done, where that takes
    /// another node: a dirty one of their width, which stays also when they get smaller.
    func adjustUnsignedInPlace(_ node: Node, from start: Int, by delta: Int64) -> Bool {
        let last = node.unsigned(node.count - 1) &+ UInt64(bitPattern: delta)
        guard space.isDirty(node.ref), PackedWidth.minimalUnsigned(for: last) <= node.width else { return false }
        let payload = unsafe mutablePayload(node.ref)
        let range = start..<node.count
        switch node.width {
        case 8: unsafe NodeStore.add(UInt8(truncatingIfNeeded: delta), to: payload, range)
        case 16: unsafe NodeStore.add(UInt16(truncatingIfNeeded: delta), to: payload, range)
        case 32: unsafe NodeStore.add(UInt32(truncatingIfNeeded: delta), to: payload, range)
        case 64: unsafe NodeStore.add(UInt64(truncatingIfNeeded: delta), to: payload, range)
        default: return false
        }
        return true
    }

    /// A loop that the compiler makes vector instructions of.
    @inline(__always)
    private static func add<Element: FixedWidthInteger>(
        _ delta: Element, to payload: UnsafeMutableRawPointer, _ range: Range<Int>
    ) {
        let elements = unsafe payload.assumingMemoryBound(to: Element.self)
        for index in range { unsafe elements[index] &+= delta }
    }

    /// Sets or clears the header's context bit.
    package func setContext(_ ref: inout Ref, _ isSet: Bool) throws {
        let node = try space.node(ref)
        guard node.header.hasContext != isSet else { return }
        ref = try writable(ref, node, byteCount: node.header.byteCount)
        setHeader(ref, NodeHeader(bits: node.header.bits ^ 0x2000_0000))
    }

    // MARK: Bytes

    /// Replaces a range of payload bytes and sets the number of elements; for nodes of scheme `bytes` and `blob`.
    package func splice(
        _ ref: inout Ref, _ range: Range<Int>, with bytes: UnsafeRawBufferPointer, count: Int
    ) throws {
        let node = try space.node(ref)
        let old = node.header.payloadByteCount
        precondition(node.header.schemeCode != 0 && range.upperBound <= old)
        guard count <= NodeHeader.maximumCount else {
            throw StorageError(.limitExceeded, "a value or list needs a node of \(count) elements")
        }
        let new = old - range.count + bytes.count
        let header = node.header.with(count: count)
        precondition(header.payloadByteCount == new)
        ref = try writable(ref, node, byteCount: header.byteCount)
        let payload = unsafe mutablePayload(ref)
        unsafe (payload + range.lowerBound + bytes.count).copyMemory(
            from: payload + range.upperBound, byteCount: old - range.upperBound)
        if let start = bytes.baseAddress {
            unsafe (payload + range.lowerBound).copyMemory(from: start, byteCount: bytes.count)
        }
        setHeader(ref, header)
    }

    /// Overwrites payload bytes in place.
    package func overwrite(_ ref: inout Ref, at offset: Int, with bytes: UnsafeRawBufferPointer) throws {
        let node = try space.node(ref)
        precondition(offset + bytes.count <= node.header.payloadByteCount)
        ref = try writable(ref, node, byteCount: node.header.byteCount)
        if let start = bytes.baseAddress {
            unsafe (mutablePayload(ref) + offset).copyMemory(from: start, byteCount: bytes.count)
        }
    }

    // MARK: Below

    /// The node at `ref`, writable, with room for `count` elements of `width` bits, its elements widened and its
    /// count set.
    private func resized(_ ref: inout Ref, _ node: Node, count: Int, width: Int) throws -> Node {
        guard count <= NodeHeader.maximumCount else {
            throw StorageError(.limitExceeded, "a list needs a node of \(count) elements")
        }
        let header = NodeHeader(
            flags: node.header.flags, widthCode: NodeHeader.code(ofWidth: width), count: count)
        ref = try writable(ref, node, byteCount: max(header.byteCount, node.header.byteCount))
        let payload = unsafe mutablePayload(ref)
        if header.widthCode != node.header.widthCode {
            for index in stride(from: node.count - 1, through: 0, by: -1) {
                let value = unsafe Node.load(payload, index, node.header.widthCode)
                unsafe Node.store(payload, index, header.widthCode, value)
            }
        }
        setHeader(ref, header)
        return unsafe Node(ref: ref, header: header, payload: UnsafeRawPointer(payload))
    }

    /// A dirty copy of the node, or the node itself if it is dirty and its block is large enough.
    ///
    /// The copy has room for the node as it stands too, since the caller shortens it only afterwards.
    private func writable(_ ref: Ref, _ node: Node, byteCount: Int) throws -> Ref {
        if space.isDirty(ref), unsafe slab.capacity(of: ref) >= byteCount { return ref }
        let byteCount = max(byteCount, node.header.byteCount)
        // A little room to grow: a node that is written once is likely to be written again.
        let roomy = min(byteCount + byteCount >> 2, NodeHeader.maximumByteCount - 8)
        let copy = try allocate(max(byteCount, roomy))
        unsafe (space.base + Int(copy) + 8).copyMemory(from: node.payload, byteCount: node.header.byteCount - 8)
        setHeader(copy, node.header)
        try free(ref)
        return copy
    }

    func mutablePayload(_ ref: Ref) -> UnsafeMutableRawPointer { unsafe space.base + Int(ref) + 8 }

    func setHeader(_ ref: Ref, _ header: NodeHeader) {
        assert(space.isDirty(ref), "a committed node must not be written")
        unsafe (space.base + Int(ref)).storeBytes(of: header.bits.bigEndian, toByteOffset: 4, as: UInt32.self)
    }
}

/// A range of the data space that a snapshot does not use.
package struct FreeBlock: Hashable, Sendable {
    package var position: Ref
    package var length: Ref

    package init(position: Ref, length: Ref) {
        self.position = position
        self.length = length
    }

    package var end: Ref { position + length }

    var range: Range<Int> { Int(position)..<Int(end) }
}

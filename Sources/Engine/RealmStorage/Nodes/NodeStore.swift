// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// The nodes of one write transaction: copy-on-write access to the base snapshot's nodes, and new ones.
///
/// Every function that changes a node takes its ref `inout`. A committed node is copied into the slab first; a dirty
/// node may move when it outgrows its block. The caller must store the new ref in the parent. There is no other ref to
/// the node, because the nodes of a snapshot form a tree (container 2.7). Committed nodes are never written (W10).
///
/// One transaction, one thread at a time. Properties with unchecked exclusivity are never accessed across a call that
/// could reenter here.
package final class NodeStore {
    package let space: NodeSpace
    @exclusivity(unchecked) private(set) var slab: Slab
    /// Committed nodes that this transaction replaced or removed. The commit adds them to the free list (C5).
    package private(set) var freed: [FreeBlock] = []
    private var freedByteCount: Ref = 0
    /// The error that prevented the creation of a node or the completion of an instruction. The caller may have done
    /// half of its work, so the transaction must not be committed (`WriteTransaction.commit`).
    package private(set) var failure: StorageError?
    /// Elements per leaf and children per branch of a B+tree, keys per index node. Tests make it small. Every file for
    /// other programs must be written with the format's constant.
    package var treeCapacity: Int {
        get { unsafe storedTreeCapacity }
        set { unsafe storedTreeCapacity = newValue }
    }
    /// Rows per cluster leaf and children per cluster branch. The restriction of `treeCapacity` applies.
    package var clusterCapacity: Int {
        get { unsafe storedClusterCapacity }
        set { unsafe storedClusterCapacity = newValue }
    }
    @exclusivity(unchecked) private var storedTreeCapacity = FileFormat.treeNodeCapacity
    @exclusivity(unchecked) private var storedClusterCapacity = FileFormat.clusterCapacity

    package init(space: NodeSpace) {
        self.space = space
        unsafe slab = Slab(space: space)
    }

    /// More levels than any valid file has: a hundred nested collections need up to five nodes each.
    static let maximumDepth = 1024

    var slabByteCount: Int { unsafe slab.byteCount }

    // MARK: Creation and removal

    /// Creates a node with a zeroed payload.
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

    /// Creates a node of packed signed integers at the smallest width, or at `minimumWidth` if that is larger.
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

    /// Creates a node of packed unsigned integers (container 2.5). Its width is at least 8, even if it's empty.
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

    /// Creates a node of raw bytes. With scheme `bytes` in `flags`, it has `count` elements of `width` bytes.
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

    package func free(_ ref: Ref) throws {
        guard ref != 0 else { return }
        if space.isDirty(ref) {
            unsafe try slab.release(ref)
        } else {
            let length = Ref(try space.node(ref).header.byteCount)
            freedByteCount += length
            // A damaged file may free a node more than once. A valid file can't free more bytes than it contains.
            guard freedByteCount <= space.fileEnd else {
                throw StorageError.corrupt("nodes that are used more than once; the file is damaged", at: ref)
            }
            freed.append(FreeBlock(position: ref, length: length))
        }
    }

    func sortFreed() { freed.sort { $0.position < $1.position } }

    /// Copies a committed node unchanged, so the commit writes it to another offset.
    func makeDirty(_ ref: inout Ref) throws {
        let node = try space.node(ref)
        ref = try writable(ref, node, byteCount: node.header.byteCount)
    }

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

    /// Runs an instruction that may leave partial work if it fails. Records the failure.
    func whole<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch {
            failure = failure ?? error as? StorageError ?? StorageError(.writeRefused, "\(error)")
            throw error
        }
    }

    package func node(_ ref: Ref) throws -> Node { try space.node(ref) }

    package func setContext(_ ref: inout Ref, _ isSet: Bool) throws {
        let node = try space.node(ref)
        guard node.header.hasContext != isSet else { return }
        ref = try writable(ref, node, byteCount: node.header.byteCount)
        setHeader(ref, NodeHeader(bits: node.header.bits ^ 0x2000_0000))
    }

    // MARK: Writing

    /// Returns the node at `ref`, writable, with space for `count` elements of `width` bits. Its elements are widened,
    /// and its count is set.
    func resized(_ ref: inout Ref, _ node: Node, count: Int, width: Int) throws -> Node {
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

    /// Returns a dirty copy of the node, or the node itself if it's dirty and its block is large enough.
    ///
    /// The copy has space for the whole node, because the caller shortens it only afterwards.
    func writable(_ ref: Ref, _ node: Node, byteCount: Int) throws -> Ref {
        if space.isDirty(ref), unsafe slab.capacity(of: ref) >= byteCount { return ref }
        let byteCount = max(byteCount, node.header.byteCount)
        // A node that is written once is likely to be written again, so it gets some space to grow.
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

/// A range of the data space that a snapshot doesn't use.
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

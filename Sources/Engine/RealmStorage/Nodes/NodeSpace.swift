// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSystem

/// Resolves refs to nodes: the committed nodes of one snapshot and, for a writer, the dirty nodes of its slab.
///
/// ```
/// 0        24                        fileEnd = L        slabStart                slabEnd
/// | header | nodes of this snapshot | not ours         | dirty nodes            |
/// ```
///
/// A ref becomes an address by one addition. The bytes below `fileEnd` that belong to a pinned snapshot never change,
/// and the slab is touched by the one writer only, so copies of this struct may be used from any thread that holds
/// the snapshot or the write transaction; that holder also keeps the mapping alive. (This is the guard behind the
/// unchecked `Sendable`.)
@safe @frozen @usableFromInline
package struct NodeSpace: @unchecked Sendable {
    @usableFromInline package let base: UnsafeMutableRawPointer
    /// The logical file size of the snapshot: committed nodes end at or below it.
    @usableFromInline package private(set) var fileEnd: Ref
    @usableFromInline package let slabStart: Ref
    @usableFromInline package private(set) var slabEnd: Ref
    /// Decrypts the committed pages of an encrypted file before they are read. The mapping keeps it alive.
    @usableFromInline let pages: Unmanaged<LazyPages>?

    package init(mapping: FileMapping, fileEnd: Ref, writable: Bool) {
        unsafe base = mapping.base
        self.fileEnd = fileEnd
        slabStart = Ref(mapping.fileWindow)
        // If the slab can't get memory, it has no room and an allocation fails.
        slabEnd = writable && mapping.openSlab() ? slabStart + Ref(mapping.slabWindow) : slabStart
        unsafe pages = mapping.pages.map { unsafe Unmanaged.passUnretained($0) }
    }

    /// A read-only view of the same file at another version, which ends at `end`.
    func version(endingAt end: Ref) throws -> NodeSpace {
        guard end <= slabStart else { throw badRef(end) }
        var space = self
        (space.fileEnd, space.slabEnd) = (end, slabStart)
        return space
    }

    @inlinable package func isDirty(_ ref: Ref) -> Bool { ref >= slabStart }

    /// The node at `ref`, after the checks that make it safe to read (container R23): alignment, bounds, scheme, end.
    @inlinable package func node(_ ref: Ref) throws -> Node {
        if let node = nodeOrNil(ref) { return node }
        throw try nodeFailure(ref)
    }

    /// The error for a `ref` at which there isn't a node.
    @usableFromInline @inline(never) func nodeFailure(_ ref: Ref) throws -> any Error {
        guard let limit = limit(ref) else { return badRef(ref) }
        try decrypt(ref, limit)
        return badNode(ref)
    }

    /// The end of the part of the space that `ref` leads into; nil unless a header fits there.
    @inlinable @inline(__always) func limit(_ ref: Ref) -> Ref? {
        let limit = ref < slabStart ? fileEnd : slabEnd
        return ref & 7 == 0 && ref >= 24 && ref < limit && limit &- ref >= 8 ? limit : nil
    }

    /// The node at `ref`, or nil if `node` throws: for fast paths that fall back to a slow one.
    @inlinable @inline(__always) package func nodeOrNil(_ ref: Ref) -> Node? {
        guard let limit = limit(ref) else { return nil }
        if unsafe pages != nil, !isDecrypted(ref, limit) { return nil }
        let header = header(ref)
        guard header.isPossible(in: limit &- ref) else { return nil }
        return unsafe Node(ref: ref, header: header, payload: UnsafeRawPointer(base + Int(bitPattern: ref) + 8))
    }

    /// The leaf of packed elements that own nothing (`Node.isPlain`) at `ref`; nil if `nodeOrNil` is nil, for other
    /// nodes, and if pages may have to be decrypted first.
    @inlinable @inline(__always) package func plainOrNil(_ ref: Ref) -> Node? {
        guard let limit = limit(ref), unsafe pages == nil || isDirty(ref) else { return nil }
        let header = header(ref)
        guard header.isPlain, header.isPossible(in: limit &- ref) else { return nil }
        return unsafe Node(ref: ref, header: header, payload: UnsafeRawPointer(base + Int(bitPattern: ref) + 8))
    }

    /// A node that was found here before.
    @inlinable @inline(__always) package func node(header: NodeHeader, payload: UnsafeRawPointer) -> Node {
        unsafe Node(ref: Ref(bitPattern: payload - UnsafeRawPointer(base)) &- 8, header: header, payload: payload)
    }

    /// Makes the pages of a committed node readable, or those of its header if the node is impossible. `ref` is in
    /// bounds.
    func decrypt(_ ref: Ref, _ limit: Ref) throws {
        guard ref < slabStart, let pages = unsafe pages else { return }
        unsafe try pages._withUnsafeGuaranteedRef { pages in
            try pages.require(Int(ref), 8)
            let byteCount = header(ref).byteCount
            guard Ref(truncatingIfNeeded: byteCount) <= limit &- ref else { return }
            try pages.require(Int(ref), byteCount)
        }
    }

    /// Decrypts like `decrypt` and returns whether it succeeded, for paths that cannot throw.
    @usableFromInline @inline(never) func isDecrypted(_ ref: Ref, _ limit: Ref) -> Bool {
        (try? decrypt(ref, limit)) != nil
    }

    /// The header of a node at `ref`, unchecked; it is in memory.
    @inlinable @inline(__always) func header(_ ref: Ref) -> NodeHeader {
        unsafe NodeHeader(
            bits: UInt32(bigEndian: (base + Int(bitPattern: ref)).loadUnaligned(fromByteOffset: 4, as: UInt32.self)))
    }

    /// A node that must hold packed elements.
    @inlinable package func integers(_ ref: Ref) throws -> Node {
        if let node = nodeOrNil(ref), node.header.schemeCode == 0 { return node }
        throw try failure(ref)
    }

    /// A node that must hold packed elements which may be refs.
    @inlinable package func refs(_ ref: Ref) throws -> Node {
        if let node = nodeOrNil(ref), node.header.schemeCode == 0, node.header.hasRefs { return node }
        throw try failure(ref)
    }

    /// The error for a `ref` at which there isn't a node of the expected kind.
    @usableFromInline @inline(never) func failure(_ ref: Ref) throws -> any Error {
        nodeOrNil(ref) == nil ? try nodeFailure(ref) : badNode(ref)
    }

    /// A node that must hold raw bytes.
    package func blob(_ ref: Ref) throws -> Node {
        let node = try node(ref)
        guard node.header.schemeCode == NodeScheme.blob.rawValue else { throw badNode(ref) }
        return node
    }

    @usableFromInline @inline(never) func badRef(_ ref: Ref) -> any Error {
        StorageError.corrupt("a reference to a place outside the file; the file is damaged", at: ref)
    }

    @usableFromInline @inline(never) func badNode(_ ref: Ref) -> any Error {
        StorageError.corrupt("a node with an impossible header; the file is damaged", at: ref)
    }
}

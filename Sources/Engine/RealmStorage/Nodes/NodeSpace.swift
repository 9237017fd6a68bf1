// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSystem

/// Resolves refs to nodes: the committed nodes of one snapshot and, for a writer, the dirty nodes of its slab.
///
/// ```
/// 0        24                        fileEnd = L        slabStart                slabEnd
/// | header | nodes of this snapshot | not ours         | dirty nodes            |
/// ```
///
/// A ref is converted to an address by one addition.
///
/// The guard behind the unchecked `Sendable`: bytes below `fileEnd` that belong to a pinned snapshot never change, and
/// only the one writer accesses the slab. Copies of this struct may therefore be used from any thread that holds the
/// snapshot or the write transaction. That holder also keeps the mapping alive.
@safe @frozen @usableFromInline
package struct NodeSpace: @unchecked Sendable {
    @usableFromInline package let base: UnsafeMutableRawPointer
    /// The logical file size of the snapshot. Committed nodes end at or below it.
    @usableFromInline package private(set) var fileEnd: Ref
    @usableFromInline package let slabStart: Ref
    @usableFromInline package private(set) var slabEnd: Ref
    /// Decrypts the committed pages of an encrypted file before they are read. Retained by the mapping.
    @usableFromInline let pages: Unmanaged<LazyPages>?

    package init(mapping: FileMapping, fileEnd: Ref, writable: Bool) {
        unsafe base = mapping.base
        self.fileEnd = fileEnd
        slabStart = Ref(mapping.fileWindow)
        // If the slab can't get memory, it's empty and every allocation fails.
        slabEnd = writable && mapping.openSlab() ? slabStart + Ref(mapping.slabWindow) : slabStart
        unsafe pages = mapping.pages.map { unsafe Unmanaged.passUnretained($0) }
    }

    /// Returns a read-only view of the same file at another version, which ends at `end`.
    func version(endingAt end: Ref) throws -> NodeSpace {
        guard end <= slabStart else { throw badRef(end) }
        var space = self
        (space.fileEnd, space.slabEnd) = (end, slabStart)
        return space
    }

    @inlinable package func isDirty(_ ref: Ref) -> Bool { ref >= slabStart }

    /// Returns the node at `ref`, after the checks that make it safe to read (container R23): alignment, bounds,
    /// scheme, end.
    @inlinable package func node(_ ref: Ref) throws -> Node {
        if let node = nodeOrNil(ref) { return node }
        throw try nodeFailure(ref)
    }

    @usableFromInline @inline(never) func nodeFailure(_ ref: Ref) throws -> any Error {
        guard let limit = limit(ref) else { return badRef(ref) }
        try decrypt(ref, limit)
        return badNode(ref)
    }

    /// Returns the end of the part of the space that contains `ref`; nil if a header doesn't fit there.
    @inlinable @inline(__always) func limit(_ ref: Ref) -> Ref? {
        let limit = ref < slabStart ? fileEnd : slabEnd
        return ref & 7 == 0 && ref >= 24 && ref < limit && limit &- ref >= 8 ? limit : nil
    }

    /// Returns nil if `node` throws. For fast paths that fall back to a slow one.
    @inlinable @inline(__always) package func nodeOrNil(_ ref: Ref) -> Node? {
        guard let limit = limit(ref) else { return nil }
        if unsafe pages != nil, !isDecrypted(ref, limit) { return nil }
        let header = header(ref)
        guard header.isPossible(in: limit &- ref) else { return nil }
        return unsafe Node(ref: ref, header: header, payload: UnsafeRawPointer(base + Int(bitPattern: ref) + 8))
    }

    /// Returns a leaf of packed elements that own nothing (`Node.isPlain`). Nil if `nodeOrNil` is nil, for other nodes,
    /// and if pages may have to be decrypted first.
    @inlinable @inline(__always) package func plainOrNil(_ ref: Ref) -> Node? {
        guard let limit = limit(ref), unsafe pages == nil || isDirty(ref) else { return nil }
        let header = header(ref)
        guard header.isPlain, header.isPossible(in: limit &- ref) else { return nil }
        return unsafe Node(ref: ref, header: header, payload: UnsafeRawPointer(base + Int(bitPattern: ref) + 8))
    }

    /// Makes the pages of a committed node readable, or those of its header if the node is invalid. `ref` must be in
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

    /// For paths that can't throw. Returns whether `decrypt` succeeded.
    @usableFromInline @inline(never) func isDecrypted(_ ref: Ref, _ limit: Ref) -> Bool {
        (try? decrypt(ref, limit)) != nil
    }

    /// The header is unchecked. Its page must be readable.
    @inlinable @inline(__always) func header(_ ref: Ref) -> NodeHeader {
        unsafe NodeHeader(
            bits: UInt32(bigEndian: (base + Int(bitPattern: ref)).loadUnaligned(fromByteOffset: 4, as: UInt32.self)))
    }

    @inlinable package func integers(_ ref: Ref) throws -> Node {
        if let node = nodeOrNil(ref), node.header.schemeCode == 0 { return node }
        throw try failure(ref)
    }

    @inlinable package func refs(_ ref: Ref) throws -> Node {
        if let node = nodeOrNil(ref), node.header.schemeCode == 0, node.header.hasRefs { return node }
        throw try failure(ref)
    }

    @usableFromInline @inline(never) func failure(_ ref: Ref) throws -> any Error {
        nodeOrNil(ref) == nil ? try nodeFailure(ref) : badNode(ref)
    }

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

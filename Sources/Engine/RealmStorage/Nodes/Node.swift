// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// A node whose header has been validated: typed reads of its elements.
///
/// A borrowed view, valid for the lifetime of the snapshot or write transaction that produced it. It must not be stored
/// beyond a call, except in caches that compare versions. An index read from the file must use the throwing
/// `element(_:)`. The subscript is for an index that our own logic has bounded.
@safe @frozen @usableFromInline
package struct Node {
    @usableFromInline package let ref: Ref
    @usableFromInline package let header: NodeHeader
    @usableFromInline package let payload: UnsafeRawPointer

    @inlinable package init(ref: Ref, header: NodeHeader, payload: UnsafeRawPointer) {
        self.ref = ref
        self.header = header
        unsafe self.payload = unsafe payload
    }

    /// Recreates a node that was validated in this space before.
    @inlinable @inline(__always) package init(header: NodeHeader, payload: UnsafeRawPointer, in space: NodeSpace) {
        let ref = unsafe Ref(bitPattern: payload - UnsafeRawPointer(space.base)) &- 8
        unsafe self.init(ref: ref, header: header, payload: payload)
    }

    @inlinable @inline(__always) package var count: Int { header.count }
    @inlinable @inline(__always) package var width: Int { header.width }

    /// The packed element at `index`, which must be below `count` (container 2.4).
    @inlinable package subscript(index: Int) -> Int64 {
        precondition(UInt(bitPattern: index) < UInt(bitPattern: count))
        return unsafe Node.load(payload, index, header.widthCode)
    }

    @inlinable package func element(_ index: Int) throws -> Int64 {
        guard UInt(bitPattern: index) < UInt(bitPattern: count) else { throw tooShort() }
        return unsafe Node.load(payload, index, header.widthCode)
    }

    /// The packed element as an unsigned number (container 2.5).
    @inlinable package func unsigned(_ index: Int) -> UInt64 {
        let value = UInt64(bitPattern: self[index])
        return width >= 64 ? value : value & ((1 << UInt64(width)) &- 1)
    }

    /// Returns the child at `index`, or 0 if there isn't one. A tagged integer there is damage.
    @inlinable package func child(_ index: Int) throws -> Ref {
        let value = try element(index)
        guard value & 1 == 0 else { throw notARef() }
        return Ref(element: value)
    }

    /// Returns the tagged integer at `index`; raw 0 reads as 0 (container 5.1).
    @inlinable package func tagged(_ index: Int) throws -> UInt64 { Tagged.decode(try element(index)) }

    @inlinable @inline(__always)
    package static func load(_ payload: UnsafeRawPointer, _ index: Int, _ widthCode: Int) -> Int64 {
        switch widthCode {
        case 4: return unsafe Int64(payload.loadUnaligned(fromByteOffset: index, as: Int8.self))
        case 5: return unsafe Int64(payload.loadUnaligned(fromByteOffset: index &* 2, as: Int16.self))
        case 6: return unsafe Int64(payload.loadUnaligned(fromByteOffset: index &* 4, as: Int32.self))
        case 7: return unsafe payload.loadUnaligned(fromByteOffset: index &* 8, as: Int64.self)
        case 0: return 0
        default:
            // Widths of 1, 2 or 4 bits have codes 1, 2, 3. Eight, four or two elements share a byte.
            let code = widthCode &- 1
            let byte = unsafe payload.loadUnaligned(fromByteOffset: index >> (3 &- code), as: UInt8.self)
            let shift = (index << code) & 7
            return Int64((byte &>> UInt8(truncatingIfNeeded: shift)) & ((1 << (1 << UInt8(code))) &- 1))
        }
    }

    /// The packed element at `index`. Unlike the subscript it's inlined into its caller, so branch prediction adapts to
    /// the width of each leaf.
    @inlinable @inline(__always) package func inlinedElement(_ index: Int) -> Int64 {
        precondition(UInt(bitPattern: index) < UInt(bitPattern: count))
        return unsafe Node.load(payload, index, header.widthCode)
    }

    /// The number in a row of a leaf, read without a throw and inlined. Nil for a leaf of another form, whose value is
    /// then read through its column. No row may be negative.
    @inlinable @inline(__always) package func int(_ row: Int) -> Int64? {
        guard row < count else { return nil }
        let code = header.elementCode
        // Most numbers are small, so eight bits are tried first.
        if code == 4 { return unsafe Node.load(payload, row, 4) }
        return code < 8 ? unsafe Node.load(payload, row, code) : nil
    }

    /// Reads a leaf of nullable numbers. Its first element is the number that represents null. Nil as for `int(_:)`.
    @inlinable @inline(__always) package func optionalInt(_ row: Int) -> Int64?? {
        guard header.schemeCode == 0, row &+ 1 < count else { return nil }
        let value = unsafe Node.load(payload, row &+ 1, header.widthCode)
        let null = unsafe Node.load(payload, 0, header.widthCode)
        return .some(value == null ? nil : value)
    }

    /// Returns the ref of the child at `index`; nil if the node has fewer elements. `payload` and `header` must be
    /// those of a valid node.
    @inlinable @inline(__always)
    package static func childRef(_ index: Int, of payload: UnsafeRawPointer, _ header: NodeHeader) -> Ref? {
        index < header.count ? unsafe Ref(element: Node.load(payload, index, header.widthCode)) : nil
    }

    /// The payload of a node of scheme `bytes` or `blob`.
    @inlinable package var bytes: UnsafeRawBufferPointer {
        unsafe UnsafeRawBufferPointer(start: payload, count: header.payloadByteCount)
    }

    /// The bytes of the whole node in the file, including the header.
    package var image: UnsafeRawBufferPointer {
        unsafe UnsafeRawBufferPointer(start: payload - 8, count: header.byteCount)
    }

    @usableFromInline @inline(never) func tooShort() -> any Error {
        StorageError.corrupt("a node with too few elements; the file is damaged", at: ref)
    }

    @usableFromInline @inline(never) func notARef() -> any Error {
        StorageError.corrupt("a number where a reference belongs; the file is damaged", at: ref)
    }
}

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

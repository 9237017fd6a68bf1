// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// The bytes of a data space, readable only through bounds checks.
///
/// The audit validates a node's extent before it reads the payload. So a read outside the image would be a bug of the
/// audit; it returns zero and never accesses other memory. The creator of a value keeps the image alive meanwhile.
@safe
struct CheckedBytes {
    private let image: UnsafeRawBufferPointer

    init(_ image: UnsafeRawBufferPointer) { unsafe self.image = image }

    var count: Int { unsafe image.count }

    func byte(at offset: Int) -> UInt8 {
        guard offset >= 0, offset < count else { return 0 }
        return unsafe image[offset]
    }

    func load<Number: FixedWidthInteger>(_ type: Number.Type = Number.self, at offset: Int) -> Number {
        guard contains(offset, MemoryLayout<Number>.size) else { return 0 }
        return Number(littleEndian: unsafe image.loadUnaligned(fromByteOffset: offset, as: type))
    }

    /// Returns packed elements (container 2.4). Widths below 8 are unsigned; from 8 on the elements have the type
    /// `Number`.
    func elements<Number: FixedWidthInteger>(at offset: Int, count n: Int, width: Int) -> [Number] {
        guard width > 0, n > 0, contains(offset, (n * width + 7) >> 3) else { return Array(repeating: 0, count: n) }
        let isSigned = Number.isSigned
        switch width {
        case 8: return isSigned ? whole(offset, n, Int8.self) : whole(offset, n, UInt8.self)
        case 16: return isSigned ? whole(offset, n, Int16.self) : whole(offset, n, UInt16.self)
        case 32: return isSigned ? whole(offset, n, Int32.self) : whole(offset, n, UInt32.self)
        case 64: return whole(offset, n, UInt64.self)
        default: return packed(offset, n, width)
        }
    }

    func isZero(from start: Int, to end: Int) -> Bool {
        var at = start
        while at + 8 <= end {
            if load(UInt64.self, at: at) != 0 { return false }
            at += 8
        }
        while at < end {
            if byte(at: at) != 0 { return false }
            at += 1
        }
        return true
    }

    func array(from start: Int, count n: Int) -> [UInt8] {
        guard n > 0, contains(start, n) else { return [] }
        return unsafe Array(image[start..<start + n])
    }

    private func contains(_ offset: Int, _ n: Int) -> Bool { offset >= 0 && n <= count && offset <= count - n }

    private func whole<Stored: FixedWidthInteger, Number: FixedWidthInteger>(
        _ offset: Int, _ n: Int, _ type: Stored.Type
    ) -> [Number] {
        let size = MemoryLayout<Stored>.size
        return unsafe Array(unsafeUninitializedCapacity: n) { buffer, initialized in
            for i in 0..<n {
                let stored = unsafe image.loadUnaligned(fromByteOffset: offset &+ i &* size, as: type)
                unsafe buffer.initializeElement(at: i, to: Number(truncatingIfNeeded: Stored(littleEndian: stored)))
            }
            initialized = n
        }
    }

    private func packed<Number: FixedWidthInteger>(_ offset: Int, _ n: Int, _ width: Int) -> [Number] {
        let mask = UInt8(1 << width - 1)
        return unsafe Array(unsafeUninitializedCapacity: n) { buffer, initialized in
            for i in 0..<n {
                let bit = i &* width
                let element = unsafe image[offset &+ bit >> 3] >> UInt8(truncatingIfNeeded: bit & 7) & mask
                unsafe buffer.initializeElement(at: i, to: Number(truncatingIfNeeded: element))
            }
            initialized = n
        }
    }
}

// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

extension Node {
    package func elements() -> [Int64] { elements { $0 } }

    @inline(__always)
    func elements<Element>(_ make: (Int64) -> Element) -> [Element] {
        unsafe [Element](unsafeUninitializedCapacity: count) { elements, filled in
            switch header.widthCode {
            case 4: unsafe widen(Int8.self, into: elements, make)
            case 5: unsafe widen(Int16.self, into: elements, make)
            case 6: unsafe widen(Int32.self, into: elements, make)
            default: for index in 0..<count { unsafe elements.initializeElement(at: index, to: make(self[index])) }
            }
            filled = count
        }
    }

    /// The compiler vectorises this loop.
    @inline(__always)
    private func widen<Packed: FixedWidthInteger, Element>(
        _: Packed.Type, into elements: UnsafeMutableBufferPointer<Element>, _ make: (Int64) -> Element
    ) {
        let size = MemoryLayout<Packed>.size
        for index in 0..<count {
            let packed = unsafe payload.loadUnaligned(fromByteOffset: index &* size, as: Packed.self)
            unsafe elements.initializeElement(at: index, to: make(Int64(truncatingIfNeeded: packed)))
        }
    }

    /// The payload must be zeroed.
    static func store(_ payload: UnsafeMutableRawPointer, _ widthCode: Int, all elements: [Int64]) {
        switch widthCode {
        case 4: unsafe narrow(elements, to: Int8.self, payload)
        case 5: unsafe narrow(elements, to: Int16.self, payload)
        case 6: unsafe narrow(elements, to: Int32.self, payload)
        default: for index in elements.indices { unsafe store(payload, index, widthCode, elements[index]) }
        }
    }

    @inline(__always)
    private static func narrow<Element: FixedWidthInteger>(
        _ elements: [Int64], to type: Element.Type, _ payload: UnsafeMutableRawPointer
    ) {
        let size = MemoryLayout<Element>.size
        for index in elements.indices {
            unsafe payload.storeBytes(
                of: Element(truncatingIfNeeded: elements[index]), toByteOffset: index &* size, as: type)
        }
    }

    @inlinable @inline(__always)
    package static func store(
        _ payload: UnsafeMutableRawPointer, _ index: Int, _ widthCode: Int, _ value: Int64
    ) {
        switch widthCode {
        case 4: unsafe payload.storeBytes(of: Int8(truncatingIfNeeded: value), toByteOffset: index, as: Int8.self)
        case 5:
            unsafe payload.storeBytes(of: Int16(truncatingIfNeeded: value), toByteOffset: index &* 2, as: Int16.self)
        case 6:
            unsafe payload.storeBytes(of: Int32(truncatingIfNeeded: value), toByteOffset: index &* 4, as: Int32.self)
        case 7: unsafe payload.storeBytes(of: value, toByteOffset: index &* 8, as: Int64.self)
        case 0: break
        default:
            let code = widthCode &- 1
            let offset = index >> (3 &- code)
            let shift = UInt8(truncatingIfNeeded: (index << code) & 7)
            let mask: UInt8 = ((1 << (1 << UInt8(code))) &- 1) &<< shift
            let byte = unsafe payload.load(fromByteOffset: offset, as: UInt8.self)
            let bits = (UInt8(truncatingIfNeeded: value) &<< shift) & mask
            unsafe payload.storeBytes(of: byte & ~mask | bits, toByteOffset: offset, as: UInt8.self)
        }
    }

    /// Returns the number of elements that aren't above `value`. The elements are unsigned and must ascend.
    func unsignedCount(notAbove value: UInt64) -> Int {
        switch width {
        case 8: count(of: UInt8.self, notAbove: value)
        case 16: count(of: UInt16.self, notAbove: value)
        case 32: count(of: UInt32.self, notAbove: value)
        case 64: count(of: UInt64.self, notAbove: value)
        default: SortedSearch.prefix(of: count) { unsigned($0) <= value }
        }
    }

    /// Nodes that were filled in sequence have children at equal distances, mostly of a power of two. So the distance
    /// of the first two, or the value's share of the whole distance, usually gives the index. Otherwise the elements
    /// are searched.
    @inline(__always)
    private func count<Element: FixedWidthInteger & UnsignedInteger>(
        of type: Element.Type, notAbove value: UInt64
    ) -> Int {
        func element(_ index: Int) -> UInt64 {
            unsafe UInt64(payload.loadUnaligned(fromByteOffset: index &* (Element.bitWidth >> 3), as: type))
        }
        func isLast(_ index: Int) -> Bool { element(index) <= value && element(index &+ 1) > value }
        guard count > 0, element(0) <= value else { return 0 }
        let (first, last) = (element(0), element(count &- 1))
        guard value < last, first < last else { return count }
        let distance = element(1) &- first
        if distance & (distance &- 1) == 0, distance > 0 {
            let guess = min((value &- first) &>> UInt64(distance.trailingZeroBitCount), UInt64(count &- 2))
            if isLast(Int(guess)) { return Int(guess) &+ 1 }
        }
        let share = Double(value &- first) / Double(last &- first)
        // Below one, except for rounding errors.
        let guess = min(Int(share * Double(count &- 1)), count &- 2)
        return isLast(guess) ? guess &+ 1 : SortedSearch.prefix(of: count) { element($0) <= value }
    }

    package static func move(
        _ payload: UnsafeMutableRawPointer, from source: Int, to target: Int, count: Int, _ widthCode: Int
    ) {
        guard count > 0, widthCode > 0, source != target else { return }
        if widthCode >= 4 {
            let size = 1 << (widthCode - 4)
            unsafe (payload + target * size).copyMemory(from: payload + source * size, byteCount: count * size)
        } else if target < source {
            for index in 0..<count {
                unsafe store(payload, target + index, widthCode, load(payload, source + index, widthCode))
            }
        } else {
            for index in stride(from: count - 1, through: 0, by: -1) {
                unsafe store(payload, target + index, widthCode, load(payload, source + index, widthCode))
            }
        }
    }
}

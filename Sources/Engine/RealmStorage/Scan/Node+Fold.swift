// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Sums and extremes of packed elements, in loops that the compiler vectorises.
extension Node {
    /// Adds at most 256 elements of at most 32 bits.
    func smallSum(from start: Int, count: Int) -> Int64 {
        precondition(start >= 0 && count >= 0 && count <= RowSet.capacity && start <= self.count - count)
        switch header.widthCode {
        case 0: return 0
        case 4: return sum(start, count, Int8.self, Int16.self)
        case 5: return sum(start, count, Int16.self, Int32.self)
        case 6: return sum(start, count, Int32.self, Int64.self)
        default:
            var sum: Int64 = 0
            forEachPacked(from: start, count: count) { sum &+= $0 }
            return sum
        }
    }

    /// `Part` must be able to hold the sum of 128 elements.
    @inline(__always)
    private func sum<Element: FixedWidthInteger & SignedInteger, Part: FixedWidthInteger & SignedInteger>(
        _ start: Int, _ count: Int, _: Element.Type, _: Part.Type
    ) -> Int64 {
        let size = MemoryLayout<Element>.size
        var (total, row): (Int64, Int) = (0, 0)
        while row < count {
            let end = min(row &+ 128, count)
            var part: Part = 0
            while row < end {
                let element = unsafe Element(
                    littleEndian: payload.loadUnaligned(fromByteOffset: (start &+ row) &* size, as: Element.self))
                part &+= Part(truncatingIfNeeded: element)
                row &+= 1
            }
            total &+= Int64(truncatingIfNeeded: part)
        }
        return total
    }

    /// At least one of the elements must differ from `marker`.
    func extremes(from start: Int, count: Int, excluding marker: Int64? = nil) -> ClosedRange<Int64> {
        precondition(start >= 0 && count > 0 && start <= self.count - count)
        switch header.widthCode {
        case 4: return extremes(start, count, marker, Int8.self)
        case 5: return extremes(start, count, marker, Int16.self)
        case 6: return extremes(start, count, marker, Int32.self)
        case 7: return extremes(start, count, marker, Int64.self)
        default:
            var (least, greatest) = (Int64.max, Int64.min)
            forEachPacked(from: start, count: count) { element in
                guard element != marker else { return }
                least = min(least, element)
                greatest = max(greatest, element)
            }
            return least...max(least, greatest)
        }
    }

    @inline(__always)
    private func extremes<Element: FixedWidthInteger & SignedInteger>(
        _ start: Int, _ count: Int, _ marker: Int64?, _: Element.Type
    ) -> ClosedRange<Int64> {
        let size = MemoryLayout<Element>.size
        var (least, greatest) = (Element.max, Element.min)
        guard let marker else {
            for row in start..<start &+ count {
                let element = unsafe Element(
                    littleEndian: payload.loadUnaligned(fromByteOffset: row &* size, as: Element.self))
                least = min(least, element)
                greatest = max(greatest, element)
            }
            return Int64(least)...Int64(max(least, greatest))
        }
        // The marker is an element of the same node, so it has the same width.
        let null = Element(truncatingIfNeeded: marker)
        for row in start..<start &+ count {
            let element = unsafe Element(
                littleEndian: payload.loadUnaligned(fromByteOffset: row &* size, as: Element.self))
            least = min(least, element == null ? .max : element)
            greatest = max(greatest, element == null ? .min : element)
        }
        return Int64(least)...Int64(max(least, greatest))
    }
}

// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Appending a value to a column's leaf that has room for it where it is and in the form that it has: what nearly every
/// new object does to nearly every column.
extension NodeStore {
    /// As `leafInsert` behind the last row; false, and nothing done, where that has more to do, or to refuse.
    func leafAppendInPlace(_ ref: Ref, _ kind: LeafKind, at row: Int, _ value: StoredValue) -> Bool {
        switch kind {
        case .int:
            guard case .int(let number) = value else { return false }
            return appendInPlace(ref, at: row, number)
        case .bool:
            guard case .bool(let flag) = value else { return false }
            return appendInPlace(ref, at: row, flag ? 1 : 0)
        case .link, .collection, .backlink:
            guard case .null = value else { return false }
            return appendInPlace(ref, at: row, 0)
        case .optionalInt:
            guard case .int(let number) = value, optionalIntHolds(ref, number) else { return false }
            return appendInPlace(ref, at: row + 1, number)
        case .float:
            guard case .float(let number) = value else { return false }
            return appendInPlace(ref, at: row, bits: number.bitPattern.littleEndian)
        case .double:
            guard case .double(let number) = value else { return false }
            return appendInPlace(ref, at: row, bits: number.bitPattern.littleEndian)
        case .string:
            guard case .string(let text) = value else { return false }
            return appendShortInPlace(ref, at: row, text)
        case .timestamp:
            guard case .timestamp(let time) = value, time.isValid else { return false }
            return appendInPlace(ref, at: row, time)
        default: return false
        }
    }

    private func optionalIntHolds(_ ref: Ref, _ number: Int64) -> Bool {
        guard let node = space.nodeOrNil(ref), let leaf = try? OptionalIntLeaf(node) else { return false }
        return leaf.holds(number)
    }

    private func appendShortInPlace(_ ref: Ref, at row: Int, _ text: String) -> Bool {
        let length = text.utf8.count
        guard let place = placeToAppend(ref, at: row, .bytes), place.node.width <= 16, length < place.node.width else {
            return false
        }
        let width = place.node.width
        let element = unsafe place.payload + row &* width
        unsafe element.initializeMemory(as: UInt8.self, repeating: 0, count: width)
        var text = text
        text.withUTF8 { bytes in
            if let start = bytes.baseAddress { unsafe element.copyMemory(from: start, byteCount: length) }
        }
        unsafe element.storeBytes(
            of: UInt8(truncatingIfNeeded: width &- 1 &- length), toByteOffset: width &- 1, as: UInt8.self)
        lengthen(place)
        return true
    }

    /// Both parts, or none.
    private func appendInPlace(_ ref: Ref, at row: Int, _ time: Timestamp) -> Bool {
        guard let root = space.nodeOrNil(ref), root.header.schemeCode == 0, root.header.hasRefs, !root.header.isInner,
            root.count == 2
        else { return false }
        let (seconds, nanoseconds) = (Ref(element: root[0]), Ref(element: root[1]))
        guard optionalIntHolds(seconds, time.seconds),
            let first = placeToAppend(seconds, at: row + 1, time.seconds),
            let second = placeToAppend(nanoseconds, at: row, Int64(time.nanoseconds))
        else { return false }
        append(time.seconds, first)
        append(Int64(time.nanoseconds), second)
        return true
    }
}

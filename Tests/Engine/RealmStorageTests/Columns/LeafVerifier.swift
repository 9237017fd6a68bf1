// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import Testing

/// Checks the layout of a leaf from its bytes alone (content 6, appendix A).
struct LeafVerifier {
    let space: NodeSpace

    func verify(_ ref: Ref, _ kind: LeafKind, count: Int) throws {
        let node = try space.node(ref)
        switch kind {
        case .int, .bool, .link, .key, .enumeratedString: expect(node, flags: 0x00, count: count)
        case .collection, .backlink: expect(node, flags: 0x40, count: count)
        case .typedLink: expect(node, flags: 0x00, count: 2 * count)
        case .optionalInt: optionalInt(node, count)
        case .float: expect(node, flags: 0x08, count: count, width: 4)
        case .double: expect(node, flags: 0x08, count: count, width: 8)
        case .string: try string(node, count)
        case .binary: try binary(node, count)
        case .timestamp:
            expect(node, flags: 0x40, count: 2)
            optionalInt(try space.node(node.child(0)), count)
            expect(try space.node(node.child(1)), flags: 0x00, count: count)
        case .decimal:
            check([0x08, 0x28].contains(node.header.flags) && node.count == count)
            check([0, 4, 8, 16].contains(node.width))
        case .objectId: identifiers(node, 12, count)
        case .uuid: identifiers(node, 16, count)
        case .mixed: try mixed(node, count)
        }
    }

    private func optionalInt(_ node: Node, _ count: Int) {
        expect(node, flags: 0x00, count: count + 1)
        if node.width < 64 { check(node[0] == PackedWidth.upperBound(node.width)) }
    }

    private func string(_ node: Node, _ count: Int) throws {
        guard node.header.flags == 0x08 else { return try longBytes(node, count, tail: 1, maximum: 63) }
        expect(node, flags: 0x08, count: count)
        let width = node.width
        check(width <= 16)
        for row in 0..<count where width > 0 {
            let element = Array(node.bytes[row * width..<(row + 1) * width])
            let padding = Int(element[width - 1])
            check(padding <= width)
            check(element[max(0, width - 1 - padding)..<width - 1].allSatisfy { $0 == 0 })
        }
    }

    private func binary(_ node: Node, _ count: Int) throws { try longBytes(node, count, tail: 0, maximum: 64) }

    private func longBytes(_ node: Node, _ count: Int, tail: Int, maximum: Int) throws {
        if node.header.flags == 0x60 {
            check(node.count == count)
            for row in 0..<count where node[row] != 0 {
                let blob = try space.node(node.child(row))
                check(blob.header.flags == 0x10 && blob.count >= tail)
                if tail > 0 { check(blob.bytes[blob.count - 1] == 0) }
            }
            return
        }
        expect(node, flags: 0x40, count: 3)
        let (ends, blob) = (try space.node(node.child(0)), try space.node(node.child(1)))
        let nulls = try space.node(node.child(2))
        expect(ends, flags: 0x00, count: count)
        expect(nulls, flags: 0x00, count: count)
        expect(blob, flags: 0x10, count: count == 0 ? 0 : Int(ends[count - 1]))
        for row in 0..<count {
            let length = Int(ends[row]) - (row == 0 ? 0 : Int(ends[row - 1]))
            check(tail <= length && length <= maximum + tail)
            if tail > 0 { check(blob.bytes[Int(ends[row]) - 1] == 0) }
            check(nulls[row] == 0 || nulls[row] == 1 && length == tail)
        }
    }

    private func identifiers(_ node: Node, _ size: Int, _ count: Int) {
        expect(node, flags: 0x08, count: size * count + (count + 7) / 8, width: 1)
        // The null bits of missing rows stay clear.
        if count % 8 != 0 { check(node.bytes[count / 8 * (8 * size + 1)] >> UInt8(count % 8) == 0) }
    }

    private func mixed(_ node: Node, _ count: Int) throws {
        expect(node, flags: 0x40, count: 6)
        let descriptors = try space.node(node.child(0))
        expect(descriptors, flags: 0x00, count: count)
        var entries: [Int: [Int]] = [:]
        var hasCollection = false
        for row in 0..<count {
            let descriptor = descriptors[row]
            let payload = Int(descriptor >> 5 & 7)
            if descriptor != 0, payload != 0 { entries[payload, default: []].append(Int(descriptor >> 8)) }
            hasCollection = hasCollection || payload == 4
        }
        for slot in 1...4 {
            let ref = try node.child(slot)
            guard ref != 0 else {
                check(entries[slot] == nil)
                continue
            }
            let size = try payloadCount(ref, slot)
            check(entries[slot, default: []].sorted() == Array(0..<size))
        }
        let keys = try node.child(5)
        check(keys != 0 || !hasCollection)
        guard keys != 0 else { return }
        let keyNode = try space.node(keys)
        expect(keyNode, flags: 0x00, count: count)
        for row in 0..<count { check((descriptors[row] >> 5 & 7 == 4) == (keyNode[row] != 0)) }
    }

    private func payloadCount(_ ref: Ref, _ slot: Int) throws -> Int {
        let node = try space.node(ref)
        switch slot {
        case 3:
            let count = node.header.flags == 0x40 ? try space.node(node.child(0)).count : node.count
            try string(node, count)
            return count
        case 4: check(node.header.flags == 0x40)
        default: check(node.header.flags == 0x00)
        }
        return slot == 2 ? node.count / 2 : node.count
    }

    private func expect(
        _ node: Node, flags: UInt8, count: Int, width: Int? = nil, at location: SourceLocation = #_sourceLocation
    ) {
        check(node.header.flags == flags, at: location)
        check(node.count == count, at: location)
        check((width ?? node.width) == node.width, at: location)
    }

    private func check(_ condition: Bool, at location: SourceLocation = #_sourceLocation) {
        #expect(condition, sourceLocation: location)
    }
}

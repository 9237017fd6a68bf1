// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Damages a file by its structure: wrong refs, counts, widths, elements off by one, and top arrays.
///
/// Random bytes seldom hit the few that determine the structure.
package struct NodeMutator {
    package private(set) var bytes: [UInt8]
    package private(set) var record: [String] = []
    private var generator: SeededGenerator
    private var nodes: [Node]

    package struct Node {
        package let offset: Int
        fileprivate let flags: UInt8
        fileprivate let count: Int
        fileprivate let width: Int
        fileprivate let payloadByteCount: Int
        fileprivate let depth: Int
        fileprivate var hasRefs: Bool { flags & 0x40 != 0 }
        fileprivate var isPacked: Bool { flags >> 3 & 3 == 0 }
        fileprivate var payload: Int { offset + 8 }
    }

    package init(_ bytes: [UInt8], _ nodes: [Node], _ generator: SeededGenerator) {
        self.bytes = bytes
        self.nodes = nodes
        self.generator = generator
    }

    /// The nodes below the top array, which is the first one.
    package static func nodes(of bytes: [UInt8]) -> [Node] {
        guard bytes.count > 64 else { return [] }
        let named = bytes.word(at: bytes[23] & 1 == 1 ? 8 : 0)
        let top = named == .max ? bytes.word(at: bytes.count - 16) : named
        var found: [Node] = []
        var seen: Set<Int> = []
        var waiting = [(Int(truncatingIfNeeded: top), 0)]
        while let (offset, depth) = waiting.popLast() {
            guard seen.insert(offset).inserted, let node = node(bytes, offset, depth) else { continue }
            found.append(node)
            guard node.hasRefs else { continue }
            for index in 0..<node.count {
                let element = bytes.element(index, of: node)
                if element != 0, element & 1 == 0 { waiting.append((Int(truncatingIfNeeded: element), depth + 1)) }
            }
        }
        return found
    }

    private static func node(_ bytes: [UInt8], _ offset: Int, _ depth: Int) -> Node? {
        guard offset >= 24, offset % 8 == 0, offset <= bytes.count - 8 else { return nil }
        let flags = bytes[offset + 4]
        let count = Int(bytes[offset + 5]) << 16 | Int(bytes[offset + 6]) << 8 | Int(bytes[offset + 7])
        let width = (1 << Int(flags & 7)) >> 1
        let size =
            switch flags >> 3 & 3 {
            case 0: (width * count + 7) / 8
            case 1: width * count
            default: count
            }
        guard offset + 8 + size <= bytes.count else { return nil }
        return Node(
            offset: offset, flags: flags, count: count, width: width, payloadByteCount: size, depth: depth)
    }

    // MARK: Damage

    package mutating func damage() {
        guard bytes.count > 64 else { return }
        // Nodes cut off by an earlier damage.
        nodes.removeAll { $0.payload + $0.payloadByteCount > bytes.count }
        guard !nodes.isEmpty, !generator.chance(5) else { return damageBytes() }
        switch generator.below(20) {
        case 0...4: damageRef()
        case 5...6: damageCount()
        case 7: damageFlags()
        case 8...12: damageElement(generator.pick(nodes))
        case 13: damagePayload()
        case 14: copyNode()
        case 15...17: damageTop()
        case 18: damageElement(generator.pick(nodes.filter { $0.depth <= 3 }))
        default: damageHeader()
        }
    }

    private mutating func note(_ what: String) { record.append(what) }

    private mutating func limit() -> UInt64 {
        let size = UInt64(bytes.count)
        return generator.pick([
            0, 1, 2, 3, 7, 8, 0x7F, 0x80, 0xFF, 0x100, 0x7FFF, 0x8000, 0xFFFF, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFF,
            1 << 32, 1 << 40, 1 << 62, (1 << 63) - 1, 1 << 63, .max - 1, .max, size, size - 8, 2 * size + 1,
        ])
    }

    private mutating func damageRef() {
        let branches = nodes.filter { $0.hasRefs && $0.count > 0 && $0.width > 0 }
        guard !branches.isEmpty else { return }
        let node = generator.pick(branches)
        let index = generator.below(node.count)
        let value: UInt64
        switch generator.below(5) {
        case 0:
            let other = generator.pick(branches)
            value = bytes.element(generator.below(other.count), of: other)
        case 1: value = UInt64(node.offset)
        case 2: value = limit()
        case 3: value = UInt64(generator.below(bytes.count)) & ~7
        default: value = UInt64(generator.pick(nodes).offset)
        }
        set(value, index, of: node)
        note("ref \(node.offset)[\(index)] = \(value)")
    }

    private mutating func damageCount() {
        let node = generator.pick(nodes)
        let counts = [0, 1, 2, node.count + 1, node.count - 1, node.count * 2, node.count / 2, 1000, 1001, 0xFFFFFF]
        let count = generator.pick(counts) & 0xFFFFFF
        for (place, shift) in [(5, 16), (6, 8), (7, 0)] {
            bytes[node.offset + place] = UInt8(truncatingIfNeeded: count >> shift)
        }
        note("count of \(node.offset) = \(count)")
    }

    private mutating func damageFlags() {
        let node = generator.pick(nodes)
        if generator.chance(50) {
            bytes[node.offset + 4] ^= 1 << UInt8(generator.below(8))
        } else {
            bytes[node.offset + 4] = node.flags & ~7 | UInt8(generator.below(8))
        }
        note("flags of \(node.offset) = \(bytes[node.offset + 4])")
    }

    private mutating func damageElement(_ node: Node) {
        guard node.count > 0, node.width > 0, node.payloadByteCount > 0 else { return }
        guard node.isPacked else { return damagePayload(of: node) }
        let index = generator.below(node.count)
        let old = bytes.element(index, of: node)
        let value: UInt64
        switch generator.below(6) {
        case 0: value = limit()
        case 1: value = old &+ 1
        case 2: value = old &- 1
        case 3: value = old ^ (1 << UInt64(generator.below(node.width)))
        case 4: value = bytes.element(generator.below(node.count), of: node)
        default: value = old &+ 2
        }
        set(value, index, of: node)
        note("element \(node.offset)[\(index)]: \(old) -> \(value)")
    }

    private mutating func damagePayload() { damagePayload(of: generator.pick(nodes)) }

    private mutating func damagePayload(of node: Node) {
        guard node.payloadByteCount > 0 else { return }
        for _ in 0...generator.below(4) {
            bytes[node.payload + generator.below(node.payloadByteCount)] = UInt8(truncatingIfNeeded: generator.next())
        }
        note("payload of \(node.offset)")
    }

    private mutating func copyNode() {
        let (source, target) = (generator.pick(nodes), generator.pick(nodes))
        let count = min(8 + source.payloadByteCount, bytes.count - target.offset)
        bytes.replaceSubrange(
            target.offset..<target.offset + count, with: Array(bytes[source.offset..<source.offset + count]))
        note("node \(source.offset) over \(target.offset)")
    }

    /// Free lists, logical size, version, history.
    private mutating func damageTop() {
        let top = nodes[0]
        guard top.count > 0, top.width > 0 else { return }
        let slot = generator.below(top.count)
        let element = bytes.element(slot, of: top)
        if 3...5 ~= slot, generator.chance(80), let list = NodeMutator.node(bytes, Int(truncatingIfNeeded: element), 1),
            list.count > 0, list.width > 0
        {
            return damageElement(list)
        }
        let value = generator.chance(50) ? limit() : element &+ 2 &* UInt64(generator.below(2000)) &- 2000
        set(value, slot, of: top)
        note("top[\(slot)] = \(value)")
    }

    private mutating func damageHeader() {
        switch generator.below(4) {
        case 0: bytes[20 + generator.below(2)] = generator.pick([10, 11, 12, 20, 21, 22, 23, 24, 25, 0, 255])
        case 1: bytes[generator.below(24)] = UInt8(truncatingIfNeeded: generator.next())
        case 2: bytes[23] ^= 1
        default:
            let ref = generator.chance(50) ? limit() : UInt64(generator.below(bytes.count)) & ~7
            put(ref, at: generator.pick([0, 8]))
        }
        note("header")
    }

    private mutating func damageBytes() {
        let count = min(generator.below(4096), bytes.count)
        let (source, target) = (generator.below(bytes.count - count + 1), generator.below(bytes.count - count + 1))
        switch generator.below(6) {
        case 0: bytes.removeLast(generator.below(bytes.count))
        case 1: bytes += [UInt8](repeating: 0, count: count)
        case 2:
            for _ in 0...generator.below(8) { bytes[generator.below(bytes.count)] ^= 1 << UInt8(generator.below(8)) }
        case 3: bytes.replaceSubrange(target..<target + count, with: [UInt8](repeating: 0, count: count))
        case 4: bytes.replaceSubrange(target..<target + count, with: Array(bytes[source..<source + count]))
        default: put(limit(), at: generator.below(bytes.count / 8) * 8)
        }
        note("bytes at \(source), \(target)")
    }

    private mutating func put(_ value: UInt64, at offset: Int) {
        for place in 0..<8 where offset + place < bytes.count {
            bytes[offset + place] = UInt8(truncatingIfNeeded: value >> UInt64(8 * place))
        }
    }

    private mutating func set(_ value: UInt64, _ index: Int, of node: Node) {
        guard node.isPacked, node.width > 0 else { return }
        guard node.width < 8 else {
            for place in 0..<node.width / 8 {
                let at = node.payload + index * node.width / 8 + place
                if at < bytes.count { bytes[at] = UInt8(truncatingIfNeeded: value >> UInt64(8 * place)) }
            }
            return
        }
        let (at, shift) = (node.payload + index * node.width / 8, UInt8(index * node.width % 8))
        let mask = UInt8((1 << node.width) - 1) << shift
        if at < bytes.count { bytes[at] = bytes[at] & ~mask | (UInt8(truncatingIfNeeded: value) << shift) & mask }
    }
}

extension [UInt8] {
    fileprivate func word(at offset: Int) -> UInt64 {
        (0..<8).reduce(0) { $0 | UInt64(self[offset + $1]) << UInt64(8 * $1) }
    }

    /// An element of a packed node, or 0 if the index is out of range.
    fileprivate func element(_ index: Int, of node: NodeMutator.Node) -> UInt64 {
        let bit = index * node.width
        let at = node.payload + bit / 8
        guard node.isPacked, node.width > 0, at + Swift.max(1, node.width / 8) <= count else { return 0 }
        guard node.width < 8 else {
            return (0..<node.width / 8).reduce(0) { $0 | UInt64(self[at + $1]) << UInt64(8 * $1) }
        }
        return UInt64(self[at] >> UInt8(bit % 8)) & ((1 << UInt64(node.width)) - 1)
    }
}

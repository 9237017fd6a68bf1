// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmTestSupport

@_silgen_name("LLVMFuzzerMutate")
private func mutate(_ data: UnsafeMutablePointer<UInt8>, _ count: Int, _ limit: Int) -> Int

/// libFuzzer's custom mutator: half of the time libFuzzer's default mutation, otherwise a change of a node's structure,
/// since random bytes seldom hit it.
@_cdecl("LLVMFuzzerCustomMutator")
public func mutateNodes(
    _ data: UnsafeMutablePointer<UInt8>, _ count: Int, _ limit: Int, _ seed: CUnsignedInt
) -> Int {
    var generator = SeededGenerator(seed: UInt64(seed))
    let nodes = NodeMutator.nodes(UnsafeBufferPointer(start: data, count: count))
    guard generator.chance(50), !nodes.isEmpty else { return mutate(data, count, limit) }
    for _ in 0...generator.below(2) {
        NodeMutator.change(
            generator.pick(nodes), UnsafeMutableBufferPointer(start: data, count: count), nodes, &generator)
    }
    return count
}

enum NodeMutator {
    /// The offsets of apparent node headers: four letters A at a multiple of eight.
    static func nodes(_ bytes: UnsafeBufferPointer<UInt8>) -> [Int] {
        stride(from: 24, to: bytes.count - 8, by: 8).filter { at in (0..<4).allSatisfy { bytes[at + $0] == 0x41 } }
    }

    static func change(
        _ node: Int, _ bytes: UnsafeMutableBufferPointer<UInt8>, _ nodes: [Int], _ generator: inout SeededGenerator
    ) {
        let payload = node + 8
        let isRefs = bytes[node + 4] & 0x40 != 0
        switch generator.below(6) {
        case 0: bytes[node + 4] ^= 1 << UInt8(generator.below(8))
        case 1: bytes[node + 7] = bytes[node + 7] &+ UInt8(generator.pick([1, 2, 0xFF, 0xFE]))
        case 2: bytes[node + generator.pick([5, 6, 7])] = UInt8(truncatingIfNeeded: generator.next())
        case 3 where isRefs:
            // A ref to another node, at the likely width.
            let width = [0, 0, 0, 0, 1, 2, 4, 8][Int(bytes[node + 4] & 7)]
            guard width > 0 else { return }
            let at = payload + generator.below(8) * width
            let target = generator.pick(nodes)
            for index in 0..<width where at + index < bytes.count {
                bytes[at + index] = UInt8(truncatingIfNeeded: target >> (8 * index))
            }
        case 4:
            let at = payload + generator.below(24)
            if at < bytes.count { bytes[at] = UInt8(truncatingIfNeeded: generator.next()) }
        default:
            let at = payload + generator.below(24)
            if at < bytes.count { bytes[at] = bytes[at] &+ UInt8(generator.pick([1, 2, 8, 0xFF, 0xFE, 0xF8])) }
        }
    }
}

// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// A checksum that detects writes lost or torn by a crash. It doesn't protect against tampering.
///
/// For each word, a step is a bijection of the state. So a difference in a single word is always detected, and in
/// several words all but one in 2^64. There are four parallel states, because the processor can start multiplications
/// faster than it completes them.
struct Checksum: Equatable {
    private(set) var value: UInt64 = 0x243F_6A88_85A3_08D3

    init() {}

    init(value: UInt64) { self.value = value }

    private static let factor: UInt64 = 0x9E37_79B9_7F4A_7C15

    @inline(__always)
    private static func mix(_ state: inout UInt64, _ word: UInt64) {
        let product = (state ^ word) &* factor
        state = product << 29 | product >> 35
    }

    /// `bytes` must be whole words.
    mutating func add(_ bytes: UnsafeRawBufferPointer) {
        precondition(bytes.count & 7 == 0)
        var states = (value, value &+ 1, value &+ 2, value &+ 3)
        let count = bytes.count / 8
        func word(_ index: Int) -> UInt64 {
            UInt64(littleEndian: unsafe bytes.loadUnaligned(fromByteOffset: 8 * index, as: UInt64.self))
        }
        var index = 0
        while index + 4 <= count {
            Checksum.mix(&states.0, word(index))
            Checksum.mix(&states.1, word(index + 1))
            Checksum.mix(&states.2, word(index + 2))
            Checksum.mix(&states.3, word(index + 3))
            index += 4
        }
        while index < count {
            Checksum.mix(&states.0, word(index))
            index += 1
        }
        for state in [states.1, states.2, states.3, UInt64(count)] { Checksum.mix(&states.0, state) }
        value = states.0
    }
}

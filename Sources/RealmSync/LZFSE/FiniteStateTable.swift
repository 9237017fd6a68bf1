// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// A decoder of symbols by their frequencies: of each state the symbol that it stands for, and which state follows by
/// the next bits.
struct FiniteStateTable {
    private struct State {
        /// The least value that the symbol stands for, and how many bits are added to it.
        var base: Int
        var extraBits: Int
        var bits: Int
        var next: Int
    }

    private var states: [State] = []
    let count: Int

    /// - Parameters:
    ///   - count: the number of states, a power of two.
    ///   - frequencies: how many of them each symbol has.
    ///   - values: of each symbol the least value and the number of bits that are added to it.
    init(
        _ count: Int, _ frequencies: ArraySlice<Int>, _ values: [(base: Int, extraBits: Int)]
    ) throws(LZFSE.Failure) {
        self.count = count
        for (frequency, value) in zip(frequencies, values) where frequency > 0 {
            guard frequency <= count - states.count else { throw LZFSE.Failure("frequencies that are too high") }
            // The bits that take the frequency up to the number of states.
            let bits = frequency.leadingZeroBitCount - count.leadingZeroBitCount
            let wide = (2 * count) >> bits - frequency
            for index in 0..<frequency {
                let next = index < wide ? (frequency + index) << bits - count : (index - wide) << (bits - 1)
                states.append(
                    State(
                        base: value.base, extraBits: value.extraBits, bits: index < wide ? bits : bits - 1, next: next)
                )
            }
        }
    }

    /// The value that a state stands for; goes on to the next state.
    func decode(_ state: inout Int, _ input: inout BackwardBits) throws(LZFSE.Failure) -> Int {
        guard states.indices.contains(state) else { throw LZFSE.Failure("a state that there is not") }
        let entry = states[state]
        state = entry.next + (try input.take(entry.bits))
        return entry.base + (try input.take(entry.extraBits))
    }

    /// Values that follow each other without a gap, by the bits that are added to each.
    static func values(_ extraBits: [Int]) -> [(base: Int, extraBits: Int)] {
        var base = 0
        return extraBits.map { bits in
            defer { base += 1 << bits }
            return (base, bits)
        }
    }
}

/// Bits that are read from the last byte to the first, the highest one first.
struct BackwardBits {
    private let bytes: ArraySlice<UInt8>
    /// The number of bits that are left.
    private var count: Int

    /// - Parameter unused: the number of bits at the beginning, the highest of the last byte, that mean nothing.
    init(_ bytes: ArraySlice<UInt8>, unused: Int) throws(LZFSE.Failure) {
        self.bytes = bytes
        count = bytes.count * 8 - unused
        guard 0...7 ~= unused, count >= 0 else { throw LZFSE.Failure("bits that there are not") }
    }

    /// At most 24 of them.
    mutating func take(_ number: Int) throws(LZFSE.Failure) -> Int {
        guard number <= count else { throw LZFSE.Failure("a block that is cut") }
        count -= number
        var word: UInt32 = 0
        let first = bytes.startIndex + count >> 3
        for (place, byte) in bytes[first..<min(first + 4, bytes.endIndex)].enumerated() {
            word |= UInt32(byte) << (8 * place)
        }
        return Int(word >> UInt32(count & 7)) & (1 << number - 1)
    }
}

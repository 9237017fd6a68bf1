// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// The blocks of LZFSE for much data: literals, and triples of how many of them are next, how much is repeated behind
/// them, and from how far back. All four are coded by their frequencies.
struct EntropyBlock {
    private var size = 0
    private var literalCount = 0
    private var tripleCount = 0
    private var literalByteCount = 0
    private var tripleByteCount = 0
    private var unusedLiteralBits = 0
    private var unusedTripleBits = 0
    private var literalStates: [Int] = []
    /// Of the number of literals, the length of the match, its distance.
    private var tripleStates: [Int] = []
    /// Of the symbols of these three, then of the literals.
    private var frequencies: [Int] = []

    private static let lengths = FiniteStateTable.values(Array(repeating: 0, count: 16) + [2, 3, 5, 8])
    private static let matches = FiniteStateTable.values(Array(repeating: 0, count: 16) + [3, 5, 8, 11])
    private static let distances = FiniteStateTable.values((0..<64).map { $0 / 4 })
    private static let literals = FiniteStateTable.values(Array(repeating: 0, count: 256))
    private static let symbolCount = 20 + 20 + 64 + 256

    private static let mostLiterals = 40_000
    private static let mostTriples = 10_000

    // MARK: The header

    /// A header whose numbers have 32 and 16 bits.
    init(wide input: inout BlockReader) throws(LZFSE.Failure) {
        size = Int(try input.word())
        let byteCount = Int(try input.word())
        literalCount = Int(try input.word())
        tripleCount = Int(try input.word())
        literalByteCount = Int(try input.word())
        tripleByteCount = Int(try input.word())
        guard literalByteCount + tripleByteCount == byteCount else {
            throw LZFSE.Failure("a block that contradicts itself")
        }
        unusedLiteralBits = -Int(Int32(bitPattern: try input.word()))
        for _ in 0..<4 { literalStates.append(try input.half()) }
        unusedTripleBits = -Int(Int32(bitPattern: try input.word()))
        for _ in 0..<3 { tripleStates.append(try input.half()) }
        for _ in 0..<Self.symbolCount { frequencies.append(try input.half()) }
        // Fills up a word.
        _ = try input.half()
        try validate()
    }

    /// A header whose numbers have as many bits as they need, those of frequencies by a fixed code.
    init(packed input: inout BlockReader) throws(LZFSE.Failure) {
        let start = input.position - 4
        size = Int(try input.word())
        let words = [try input.number(8), try input.number(8), try input.number(8)]
        func number(_ word: Int, _ shift: UInt64, _ bits: UInt64) -> Int {
            Int(words[word] >> shift & (1 << bits - 1))
        }
        literalCount = number(0, 0, 20)
        literalByteCount = number(0, 20, 20)
        tripleCount = number(0, 40, 20)
        unusedLiteralBits = 7 - number(0, 60, 3)
        literalStates = [number(1, 0, 10), number(1, 10, 10), number(1, 20, 10), number(1, 30, 10)]
        tripleByteCount = number(1, 40, 20)
        unusedTripleBits = 7 - number(1, 60, 3)
        tripleStates = [number(2, 32, 10), number(2, 42, 10), number(2, 52, 10)]
        let rest = number(2, 0, 32) - (input.position - start)
        guard rest >= 0 else { throw LZFSE.Failure("a block that contradicts itself") }
        frequencies = try Self.frequencies(try input.take(rest))
        try validate()
    }

    private func validate() throws(LZFSE.Failure) {
        guard literalCount <= Self.mostLiterals, tripleCount <= Self.mostTriples else {
            throw LZFSE.Failure("a block that is too long")
        }
    }

    /// Each has a prefix by which it has 2, 3, 5, 8 or 14 bits, the lowest first.
    private static func frequencies(_ bytes: ArraySlice<UInt8>) throws(LZFSE.Failure) -> [Int] {
        if bytes.isEmpty { return Array(repeating: 0, count: symbolCount) }
        var (word, bitCount) = (UInt32(0), 0)
        var rest = bytes
        var frequencies: [Int] = []
        for _ in 0..<symbolCount {
            while bitCount <= 24, let byte = rest.popFirst() {
                word |= UInt32(byte) << UInt32(bitCount)
                bitCount += 8
            }
            let (value, bits) = frequency(word)
            guard bits <= bitCount else { throw LZFSE.Failure("frequencies that are cut") }
            frequencies.append(value)
            word >>= UInt32(bits)
            bitCount -= bits
        }
        guard bitCount < 8, rest.isEmpty else { throw LZFSE.Failure("bytes behind the frequencies") }
        return frequencies
    }

    private static func frequency(_ word: UInt32) -> (value: Int, bits: Int) {
        let bits = Int(word)
        switch word & 15 {
        case 0b1111: return (24 + bits >> 4 & 0x3FF, 14)
        case 0b0111: return (8 + bits >> 4 & 0xF, 8)
        case 0b0011, 0b1011: return (4 + bits >> 3 & 3, 5)
        case let low where low & 1 == 1: return (2 + bits >> 2 & 1, 3)
        default: return (bits >> 1 & 1, 2)
        }
    }

    // MARK: The data

    func decode(_ input: inout BlockReader, _ output: inout LZFSEOutput) throws(LZFSE.Failure) {
        let end = output.bytes.count + size
        let literals = try decodeLiterals(try input.take(literalByteCount))
        try decodeTriples(try input.take(tripleByteCount), literals, &output)
        guard output.bytes.count == end else { throw LZFSE.Failure("a block of another size than it says") }
    }

    private func decodeLiterals(_ bytes: ArraySlice<UInt8>) throws(LZFSE.Failure) -> [UInt8] {
        let table = try FiniteStateTable(1024, frequencies[104...], Self.literals)
        var bits = try BackwardBits(bytes, unused: unusedLiteralBits)
        var states = literalStates
        var literals: [UInt8] = []
        while literals.count < literalCount {
            for index in 0..<4 {
                literals.append(UInt8(truncatingIfNeeded: try table.decode(&states[index], &bits)))
            }
        }
        return literals
    }

    private func decodeTriples(
        _ bytes: ArraySlice<UInt8>, _ literals: [UInt8], _ output: inout LZFSEOutput
    ) throws(LZFSE.Failure) {
        let tables = [
            try FiniteStateTable(64, frequencies[..<20], Self.lengths),
            try FiniteStateTable(64, frequencies[20..<40], Self.matches),
            try FiniteStateTable(256, frequencies[40..<104], Self.distances),
        ]
        var bits = try BackwardBits(bytes, unused: unusedTripleBits)
        var states = tripleStates
        var rest = literals[...]
        var distance = 0
        for _ in 0..<tripleCount {
            let length = try tables[0].decode(&states[0], &bits)
            let match = try tables[1].decode(&states[1], &bits)
            let next = try tables[2].decode(&states[2], &bits)
            // 0 is the distance before.
            if next != 0 { distance = next }
            guard length <= rest.count else { throw LZFSE.Failure("more literals than there are") }
            try output.append(rest.prefix(length))
            rest = rest.dropFirst(length)
            try output.repeat(match, distance: distance)
        }
    }
}

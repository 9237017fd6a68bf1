// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmTestSupport

/// Writes blocks of LZFSE, so that they can be read. Each triple is literals, and what is repeated behind them.
struct LZFSEWriter {
    struct Triple {
        var literals: [UInt8]
        var match: Int
        var distance: Int
    }

    var stream: [UInt8] = []

    static func bytes(_ value: UInt64, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> UInt64(8 * $0)) }
    }

    /// What triples stand for, after what there is already.
    static func text(_ triples: [Triple], after before: [UInt8] = []) -> [UInt8] {
        var text = before
        for triple in triples {
            text += triple.literals
            for _ in 0..<triple.match { text.append(text[text.count - triple.distance]) }
        }
        return Array(text.dropFirst(before.count))
    }

    // MARK: Blocks

    mutating func end() { stream += Array("bvx$".utf8) }

    mutating func addPlain(_ bytes: [UInt8]) {
        stream += Array("bvx-".utf8) + Self.bytes(UInt64(bytes.count), 4) + bytes
    }

    mutating func addSimple(_ operations: [UInt8], size: Int) {
        let payload = operations + [6, 0, 0, 0, 0, 0, 0, 0]
        stream += Array("bvxn".utf8) + Self.bytes(UInt64(size), 4) + Self.bytes(UInt64(payload.count), 4) + payload
    }

    mutating func addEntropy(_ triples: [Triple], size: Int, isWide: Bool = false) throws {
        let block = try EntropyBlockWriter(triples)
        stream += isWide ? block.wideHeader(size) : block.packedHeader(size)
        stream += block.literals.bytes + block.triples.bytes
    }
}

/// One block that is coded by frequencies.
struct EntropyBlockWriter {
    var frequencies: [[Int]] = []
    var literals = ReversedBits()
    var triples = ReversedBits()
    var literalStates: [Int] = []
    var tripleStates: [Int] = []
    var literalCount = 0
    var tripleCount = 0

    /// By the ranges of what each symbol stands for.
    private static func code(_ value: Int, _ extraBits: [Int]) -> (symbol: Int, extra: Int, bits: Int) {
        var base = 0
        for (symbol, bits) in extraBits.enumerated() {
            if value < base + 1 << bits { return (symbol, value - base, bits) }
            base += 1 << bits
        }
        preconditionFailure("\(value) has no symbol")
    }

    init(_ written: [LZFSEWriter.Triple]) throws {
        let extraBits = [
            Array(repeating: 0, count: 16) + [2, 3, 5, 8], Array(repeating: 0, count: 16) + [3, 5, 8, 11],
            (0..<64).map { $0 / 4 },
        ]
        tripleCount = written.count
        let columns = [written.map(\.literals.count), written.map(\.match), written.map(\.distance)]
        var coded: [[[(Int, Int)]]] = []
        for (column, extraBits) in zip(columns, extraBits) {
            let codes = column.map { Self.code($0, extraBits) }
            let coder = StateCoder(codes.map(\.symbol), extraBits.count, extraBits.count == 64 ? 256 : 64)
            frequencies.append(coder.frequencies)
            tripleStates.append(coder.first)
            coded.append(zip(coder.steps, codes).map { [$0, ($1.extra, $1.bits)] })
        }
        for index in written.indices { for column in coded { triples.add(column[index]) } }
        var texts = written.flatMap(\.literals).map(Int.init)
        while texts.count % 4 != 0 { texts.append(texts[0]) }
        literalCount = texts.count
        let all = StateCoder.frequencies(texts, 256, 1024)
        frequencies.append(all)
        let coders = (0..<4).map { lane in
            StateCoder(stride(from: lane, to: texts.count, by: 4).map { texts[$0] }, 256, 1024, all)
        }
        literalStates = coders.map(\.first)
        for index in 0..<texts.count / 4 { for coder in coders { literals.add([coder.steps[index]]) } }
        literals.finish()
        triples.finish()
    }

    func wideHeader(_ size: Int) -> [UInt8] {
        func word(_ value: Int) -> [UInt8] { LZFSEWriter.bytes(UInt64(bitPattern: Int64(value)), 4) }
        func half(_ value: Int) -> [UInt8] { LZFSEWriter.bytes(UInt64(value), 2) }
        var header = Array("bvx1".utf8) + word(size) + word(literals.bytes.count + triples.bytes.count)
        header += word(literalCount) + word(tripleCount) + word(literals.bytes.count) + word(triples.bytes.count)
        header += word(-literals.unused) + literalStates.flatMap(half)
        header += word(-triples.unused) + tripleStates.flatMap(half)
        return header + frequencies.joined().flatMap(half) + [0, 0]
    }

    func packedHeader(_ size: Int) -> [UInt8] {
        var table: [UInt8] = []
        var bits: [Bool] = []
        for frequency in frequencies.joined() {
            let (code, count): (Int, Int) =
                switch frequency {
                case 0: (0, 2)
                case 1: (2, 2)
                case 2, 3: (1 | (frequency - 2) << 2, 3)
                case 4...7: (3 | (frequency - 4) << 3, 5)
                case 8...23: (7 | (frequency - 8) << 4, 8)
                default: (15 | (frequency - 24) << 4, 14)
                }
            for bit in 0..<count { bits.append(code >> bit & 1 == 1) }
        }
        for start in stride(from: 0, to: bits.count, by: 8) {
            table.append(
                (start..<min(start + 8, bits.count)).reduce(0) { $0 | (bits[$1] ? 1 << UInt8($1 - start) : 0) })
        }
        func field(_ values: [(Int, Int)]) -> [UInt8] {
            LZFSEWriter.bytes(values.reduce(0) { $0 | UInt64($1.0) << UInt64($1.1) }, 8)
        }
        return Array("bvx2".utf8) + LZFSEWriter.bytes(UInt64(size), 4)
            + field([
                (literalCount, 0), (literals.bytes.count, 20), (tripleCount, 40), (7 - literals.unused, 60),
            ])
            + field([
                (literalStates[0], 0), (literalStates[1], 10), (literalStates[2], 20), (literalStates[3], 30),
                (triples.bytes.count, 40), (7 - triples.unused, 60),
            ])
            + field([
                (32 + table.count, 0), (tripleStates[0], 32), (tripleStates[1], 42), (tripleStates[2], 52),
            ]) + table
    }
}

/// Codes symbols from the last to the first, so that they are read from the first.
struct StateCoder {
    var frequencies: [Int]
    /// For each symbol the bits that lead from its state to the next one, and their number.
    var steps: [(Int, Int)] = []
    var first = 0

    static func frequencies(_ symbols: [Int], _ symbolCount: Int, _ stateCount: Int) -> [Int] {
        var frequencies = Array(repeating: 0, count: symbolCount)
        for symbol in symbols { frequencies[symbol] = 1 }
        if let symbol = symbols.first { frequencies[symbol] += stateCount - frequencies.reduce(0, +) }
        return frequencies
    }

    init(_ symbols: [Int], _ symbolCount: Int, _ stateCount: Int, _ given: [Int]? = nil) {
        frequencies = given ?? Self.frequencies(symbols, symbolCount, stateCount)
        // Each state: its symbol, the least next state, and how many there are, as a number of bits. The states of a
        // symbol share all next states between them in parts of two sizes, the larger ones first.
        var states: [(symbol: Int, next: Int, bits: Int)] = []
        for (symbol, frequency) in frequencies.enumerated() where frequency > 0 {
            var bits = 0
            while frequency << bits < stateCount { bits += 1 }
            let small = frequency << bits == stateCount ? 0 : 2 * frequency - stateCount >> (bits - 1)
            // Those with fewer bits begin the range of next states.
            let few = small
            let many = frequency - few
            for index in 0..<many { states.append((symbol, (few << max(0, bits - 1)) + index << bits, bits)) }
            for index in 0..<few { states.append((symbol, index << (bits - 1), bits - 1)) }
        }
        var next = 0
        for symbol in symbols.reversed() {
            for (index, state) in states.enumerated()
            where state.symbol == symbol && state.next..<state.next + 1 << state.bits ~= next {
                steps.append((next - state.next, state.bits))
                next = index
                break
            }
        }
        steps.reverse()
        first = next
    }
}

/// Bits in the order in which they are read: from the last byte to the first.
struct ReversedBits {
    private var bits: [Bool] = []
    var bytes: [UInt8] = []
    var unused = 0

    mutating func add(_ parts: [(Int, Int)]) {
        for (value, count) in parts { for bit in (0..<count).reversed() { bits.append(value >> bit & 1 == 1) } }
    }

    mutating func finish() {
        unused = (8 - bits.count % 8) % 8
        let all = Array(repeating: false, count: unused) + bits
        bytes = stride(from: 0, to: all.count, by: 8).reversed().map { start in
            all[start..<start + 8].reduce(0) { $0 << 1 | ($1 ? 1 : 0) }
        }
    }
}

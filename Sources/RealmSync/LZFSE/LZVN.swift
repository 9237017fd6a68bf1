// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// The blocks of LZFSE for little data: bytes that say how many literals follow, and what is repeated after them.
enum LZVN {
    /// What one operation does.
    private struct Operation {
        var literals = 0
        var match = 0
        /// Nil for that of the operation before.
        var distance: Int?
    }

    static func decode(_ payload: ArraySlice<UInt8>, _ output: inout LZFSEOutput) throws(LZFSE.Failure) {
        var input = BlockReader(payload)
        var distance = 0
        while true {
            let code = Int(try input.number(1))
            switch code {
            case 0x06:
                // The end, with seven bytes that fill it up.
                _ = try input.take(7)
                guard input.position == payload.endIndex else { throw LZFSE.Failure("bytes behind the end of a block") }
                return
            case 0x0E, 0x16: continue
            default: break
            }
            let operation = try operation(code, &input)
            try output.append(try input.take(operation.literals))
            distance = operation.distance ?? distance
            try output.repeat(operation.match, distance: distance)
        }
    }

    private static func operation(_ code: Int, _ input: inout BlockReader) throws(LZFSE.Failure) -> Operation {
        switch code {
        case 0xE0: return Operation(literals: Int(try input.number(1)) + 16)
        case 0xE1...0xEF: return Operation(literals: code & 15)
        case 0xF0: return Operation(match: Int(try input.number(1)) + 16)
        case 0xF1...0xFF: return Operation(match: code & 15)
        case 0xA0...0xBF:
            let rest = try input.half()
            return Operation(
                literals: code >> 3 & 3, match: (code & 7) << 2 + rest & 3 + 3, distance: rest >> 2)
        case 0x70...0x7F, 0xD0...0xDF: throw LZFSE.Failure("an operation that there is not")
        default: break
        }
        let (literals, match) = (code >> 6, code >> 3 & 7 + 3)
        switch code & 7 {
        case 7: return Operation(literals: literals, match: match, distance: try input.half())
        case 6:
            guard literals > 0 else { throw LZFSE.Failure("an operation that there is not") }
            return Operation(literals: literals, match: match)
        default:
            let low = Int(try input.number(1))
            return Operation(literals: literals, match: match, distance: (code & 7) << 8 | low)
        }
    }
}

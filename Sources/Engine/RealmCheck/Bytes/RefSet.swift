// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// A set of refs: one bit for each eight bytes of the data space, so its size is a sixty-fourth of the file's.
struct RefSet: Equatable {
    private var words: [UInt64]

    init(byteCount: Int) { words = Array(repeating: 0, count: byteCount >> 9 + 1) }

    mutating func insert(_ ref: Int64) -> Bool {
        let place = Int(ref) >> 3
        let bit = UInt64(1) << UInt64(place & 63)
        if words[place >> 6] & bit != 0 { return false }
        words[place >> 6] |= bit
        return true
    }

    func contains(_ ref: Int64) -> Bool {
        words[Int(ref) >> 9] & UInt64(1) << UInt64(Int(ref) >> 3 & 63) != 0
    }

    /// In ascending order.
    func forEach(_ body: (Int64) -> Void) {
        for (i, word) in words.enumerated() {
            var rest = word
            while rest != 0 {
                body(Int64(i << 9 | rest.trailingZeroBitCount << 3))
                rest &= rest - 1
            }
        }
    }

    func subtracting(_ other: RefSet) -> RefSet {
        var result = self
        for i in words.indices { result.words[i] &= ~other.words[i] }
        return result
    }
}

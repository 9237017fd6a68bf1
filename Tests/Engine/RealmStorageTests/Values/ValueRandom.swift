// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation

/// Repeatable random numbers. Prints the seed, or reads it from `REGNUM_SEED`.
struct ValueRandom: RandomNumberGenerator {
    private var state: UInt64

    init(_ test: StaticString = #function) {
        let asked = ProcessInfo.processInfo.environment["REGNUM_SEED"].flatMap { UInt64($0) }
        state = asked ?? UInt64.random(in: 0...UInt64.max)
        print("\(test): REGNUM_SEED=\(state)")
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }
}

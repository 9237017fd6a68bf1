// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation

/// Random changes of fixtures' bytes, repeatable by the seed.
package struct FileMutator: RandomNumberGenerator {
    private var state: UInt64

    package init(seed: UInt64) { state = seed }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ z >> 30) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ z >> 27) &* 0x94D0_49BB_1331_11EB
        return z ^ z >> 31
    }

    /// Returns a copy with one to three bytes changed. The format version stays, since other versions are tested
    /// separately.
    package mutating func mutated(_ bytes: [UInt8]) -> [UInt8] {
        var result = bytes
        for _ in 0..<Int.random(in: 1...3, using: &self) {
            let place = Int.random(in: 0..<10, using: &self) == 0 ? 0..<24 : 24..<bytes.count
            let at = Int.random(in: place, using: &self)
            if at == 20 || at == 21 { continue }
            switch Int.random(in: 0..<3, using: &self) {
            case 0: result[at] ^= 1 << UInt8.random(in: 0..<8, using: &self)
            case 1: result[at] = result[at] &+ UInt8.random(in: 0...16, using: &self) &- 8
            default: result[at] = UInt8.random(in: 0...255, using: &self)
            }
        }
        return result
    }

    /// The unencrypted fixtures of at most `byteLimit` bytes.
    package static func fixtures(byteLimit: Int) -> [String] {
        Fixtures.names(in: "v24").filter { name in
            !name.hasPrefix("encrypted")
                && ((try? Images.read(Fixtures.path("v24/\(name).realm")).count) ?? .max) <= byteLimit
        }
    }

    /// `REGNUM_SEED`, or a fixed one.
    package static var seed: UInt64 { ProcessInfo.processInfo.environment["REGNUM_SEED"].flatMap { UInt64($0) } ?? 24 }
}

// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmTestSupport

/// Slightly wrong messages.
package enum WireMutation {
    package static func mutated(_ message: [UInt8], _ generator: inout SeededGenerator) -> [UInt8] {
        var bytes = message
        for _ in 0...generator.below(3) where !bytes.isEmpty {
            // Most changes are in the header.
            let place = generator.below(generator.chance(70) ? min(bytes.count, 60) : bytes.count)
            switch generator.below(5) {
            case 0: bytes[place] = UInt8(generator.below(256))
            case 1: bytes[place] = UInt8(ascii: "0") + UInt8(generator.below(10))
            case 2: bytes.remove(at: place)
            case 3: bytes.removeLast(generator.below(bytes.count))
            default: bytes.insert(generator.pick(Array("0123456789 \n".utf8)), at: place)
            }
        }
        return bytes
    }
}

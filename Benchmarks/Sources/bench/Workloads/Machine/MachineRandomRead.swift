// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation

extension MachineWorkloads {
    /// Random reads of eight bytes in the part of the file with the people's properties, 32 bytes each. Each read
    /// determines the location of the next one, like a step of a search.
    static let randomRead = Workload(
        name: "machine_random_read",
        realm: { bed in
            let file = try bed.prepared(as: Data.self)
            let words = min(file.count, bed.people.rows.count * 32) / 8
            let reads = 1_000_000
            let sum = file.withUnsafeBytes { bytes in
                var random = XorShift(state: 0x2545_F491_4F6C_DD1D)
                var sum: UInt64 = 0
                for _ in 0..<reads {
                    // Adds zero, but makes the next offset depend on this value.
                    let place = Int((random.next() &+ (sum & 1)) % UInt64(words))
                    sum &+= bytes.loadUnaligned(fromByteOffset: place * 8, as: UInt64.self)
                }
                return sum
            }
            return (reads, Int(truncatingIfNeeded: sum))
        }, grdb: nil, prepare: mapPeople, growth: .machine)
}

// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation

extension MachineWorkloads {
    /// Reads of eight bytes anywhere in the part of the file that the properties of its people take, 32 bytes each.
    /// Every read tells where the next one is, as a step of a search does.
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
                    // Adds nothing, but makes the next place wait for this one's value.
                    let place = Int((random.next() &+ (sum & 1)) % UInt64(words))
                    sum &+= bytes.loadUnaligned(fromByteOffset: place * 8, as: UInt64.self)
                }
                return sum
            }
            return (reads, Int(truncatingIfNeeded: sum))
        }, grdb: nil, prepare: mapPeople, growth: .machine)
}

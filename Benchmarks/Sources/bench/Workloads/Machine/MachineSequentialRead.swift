// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Dispatch
import Foundation

extension MachineWorkloads {
    /// Consecutive reads of sixteen bytes per object, by both processors, like a scan of short texts.
    static let sequentialRead = Workload(
        name: "machine_sequential_read",
        realm: { bed in
            let file = try bed.prepared(as: Data.self)
            let count = bed.people.rows.count
            let parts = ProcessInfo.processInfo.activeProcessorCount
            let length = count * 16 / parts / 8 * 8
            // Starting threads would take as long as the reads. The library's threads exist already too.
            let sums = file.withUnsafeBytes { bytes in
                [UInt64](unsafeUninitializedCapacity: parts) { sums, count in
                    nonisolated(unsafe) let (bytes, sums) = (bytes, sums)
                    DispatchQueue.concurrentPerform(iterations: parts) { part in
                        let words = UnsafeRawBufferPointer(rebasing: bytes[(part * length)..<((part + 1) * length)])
                            .bindMemory(to: UInt64.self)
                        sums.initializeElement(at: part, to: words.reduce(0, &+))
                    }
                    count = parts
                }
            }
            return (count, Int(truncatingIfNeeded: sums.reduce(0, &+)))
        }, grdb: nil, prepare: mapPeople, growth: .machine)
}

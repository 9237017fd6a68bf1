// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Dispatch
import Foundation

/// What the machine itself takes for the least that other workloads have to wait for: their limits, by which goals that
/// are not met and costs that grow can be judged. No database is at work.
enum MachineWorkloads {
    static let all = [randomRead, sequentialRead, plainCommit, encryptedCommit]

    /// Reads of eight bytes anywhere in the part of the file that the properties of its people take, 32 bytes each. Every
    /// read tells where the next one is, as a step of a search does.
    private static let randomRead = Workload(
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

    /// Sixteen bytes per object, one after the other and by both processors, as a scan of short texts reads them.
    private static let sequentialRead = Workload(
        name: "machine_sequential_read",
        realm: { bed in
            let file = try bed.prepared(as: Data.self)
            let count = bed.people.rows.count
            let parts = ProcessInfo.processInfo.activeProcessorCount
            let length = count * 16 / parts / 8 * 8
            // To start threads would take as long as the reads; the library's are there already too.
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

    /// What `small_commits` writes and waits for: new nodes, and then the header that makes them count.
    private static let plainCommit = commit("machine_commit", last: (0, 24)) { [(503_808 + $0 % 4 * 4096, 4000)] }

    /// The same of `enc_small_commits`: the nodes in whole pages, what the file keeps about these pages in two places, and
    /// the page of the header.
    private static let encryptedCommit = commit("machine_enc_commit", last: (4096, 4096)) {
        [(0, 64), (269_888, 128), (503_808 + $0 % 4 * 8192, 8192)]
    }

    private typealias Write = (offset: Int, count: Int)

    private static func commit(
        _ name: String, last: Write, first: @escaping @Sendable (Int) -> [Write]
    ) -> Workload {
        Workload(
            name: name,
            realm: { bed in
                let file = try bed.prepared(as: FileHandle.self)
                let bytes = [UInt8](repeating: 7, count: 8192)
                for number in 0..<100 {
                    for write in first(number) { try put(bytes, write, file) }
                    try sync(file)
                    try put(bytes, last, file)
                    try sync(file)
                }
                return (100, 0)
            }, grdb: nil,
            prepare: { bed in
                let url = try bed.scratchURL("bytes")
                try Data(count: 1 << 20).write(to: url)
                let file = try FileHandle(forUpdating: url)
                try file.synchronize()
                bed.prepared = file
            })
    }

    private static func put(_ bytes: [UInt8], _ write: Write, _ file: FileHandle) throws {
        guard pwrite(file.fileDescriptor, bytes, write.count, off_t(write.offset)) == write.count else {
            throw CocoaError(.fileWriteUnknown)
        }
    }

    /// As the library has commits waited for.
    private static func sync(_ file: FileHandle) throws {
        #if canImport(Darwin)
            let status = fcntl(file.fileDescriptor, F_FULLFSYNC)
        #else
            let status = fdatasync(file.fileDescriptor)
        #endif
        guard status == 0 else { throw CocoaError(.fileWriteUnknown) }
    }

    /// Maps the file of people, and reads all of it once so that no page has to be mapped later.
    @Sendable private static func mapPeople(_ bed: TestBed) throws {
        let file = try Data(contentsOf: bed.realmURL, options: .alwaysMapped)
        let sum = file.withUnsafeBytes { bytes in
            stride(from: 0, to: bytes.count, by: 4096).reduce(0) { $0 &+ Int(bytes[$1]) }
        }
        // So that the reads are not left out.
        guard sum > 0 else { throw CocoaError(.fileReadCorruptFile) }
        bed.prepared = file
    }
}

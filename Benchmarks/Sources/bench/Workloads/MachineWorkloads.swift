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
            let parts = min(ProcessInfo.processInfo.activeProcessorCount, count)
            let sums = SharedSums(parts)
            file.withUnsafeBytes { bytes in
                nonisolated(unsafe) let bytes = UnsafeRawBufferPointer(rebasing: bytes.prefix(count * 16))
                DispatchQueue.concurrentPerform(iterations: parts) { part in
                    let words = UnsafeRawBufferPointer(
                        rebasing: bytes[
                            (bytes.count / parts / 8 * 8 * part)..<(bytes.count / parts / 8 * 8 * (part + 1))])
                    sums[part] = words.bindMemory(to: UInt64.self).reduce(0, &+)
                }
            }
            return (count, Int(truncatingIfNeeded: sums.total))
        }, grdb: nil, prepare: mapPeople, growth: .machine)

    /// What `small_commits` writes and waits for: new nodes, and then the header that makes them count.
    private static let plainCommit = commit("machine_commit") {
        [(503_808 + $0 % 4 * 4096, 4000)]
    } last: {
        (0, 24)
    }

    /// The same of `enc_small_commits`: the nodes in whole pages, what the file keeps about these pages in two places, and
    /// the page of the header.
    private static let encryptedCommit = commit("machine_enc_commit") {
        [(0, 64), (269_888, 128), (503_808 + $0 % 4 * 8192, 8192)]
    } last: {
        (4096, 4096)
    }

    private typealias Write = (offset: Int, count: Int)

    private static func commit(
        _ name: String, first: @escaping @Sendable (Int) -> [Write], last: @escaping @Sendable () -> Write
    ) -> Workload {
        Workload(
            name: name,
            realm: { bed in
                let file = try bed.prepared(as: FileHandle.self)
                let bytes = [UInt8](repeating: 7, count: 8192)
                for number in 0..<100 {
                    for write in first(number) { try put(bytes, write, file) }
                    try sync(file)
                    try put(bytes, last(), file)
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
        bed.prepared = sum == .min ? nil : file
    }
}

/// A number for each of the processors that work at once.
///
/// Unchecked because each of `sums` is written by one processor, and read when all are done.
private final class SharedSums: @unchecked Sendable {
    private let sums: UnsafeMutableBufferPointer<UInt64>

    init(_ count: Int) {
        sums = .allocate(capacity: count)
        sums.initialize(repeating: 0)
    }

    deinit { sums.deallocate() }

    subscript(part: Int) -> UInt64 {
        get { sums[part] }
        set { sums[part] = newValue }
    }

    var total: UInt64 { sums.reduce(0, &+) }
}

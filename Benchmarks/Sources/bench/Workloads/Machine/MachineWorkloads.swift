// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation

/// The minimal work of other workloads on the machine alone, without a database: their lower bounds, for judging missed
/// goals and growing costs.
enum MachineWorkloads {
    static let all = [randomRead, sequentialRead, plainCommit, encryptedCommit]

    typealias Write = (offset: Int, count: Int)

    static func commit(
        _ name: String, last: Write, syncsLast: Bool = true, first: @escaping @Sendable (Int) -> [Write]
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
                    if syncsLast { try sync(file) }
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

    /// Flushes like the library at a commit.
    private static func sync(_ file: FileHandle) throws {
        #if canImport(Darwin)
            let status = fcntl(file.fileDescriptor, F_FULLFSYNC)
        #else
            let status = fdatasync(file.fileDescriptor)
        #endif
        guard status == 0 else { throw CocoaError(.fileWriteUnknown) }
    }

    /// Maps the file of people, and reads it once so that no page has to be mapped later.
    @Sendable static func mapPeople(_ bed: TestFixture) throws {
        let file = try Data(contentsOf: bed.realmURL, options: .alwaysMapped)
        let sum = file.withUnsafeBytes { bytes in
            stride(from: 0, to: bytes.count, by: 4096).reduce(0) { $0 &+ Int(bytes[$1]) }
        }
        // Prevents the optimiser from removing the reads.
        guard sum > 0 else { throw CocoaError(.fileReadCorruptFile) }
        bed.prepared = file
    }
}

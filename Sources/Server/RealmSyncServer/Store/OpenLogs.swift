// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSystem

/// Limits the number of open logs, so that each bound partition doesn't need a descriptor. Confined to the engine's
/// thread.
final class OpenLogs {
    private let limit: Int
    private var open: [ObjectIdentifier: LogFile] = [:]
    private var useCount: UInt64 = 0

    init(limit: Int) { self.limit = max(1, limit) }

    var count: Int { open.count }

    /// Closes the least recently used file if too many are open.
    fileprivate func use(_ file: LogFile) {
        useCount += 1
        file.lastUse = useCount
        open[ObjectIdentifier(file)] = file
        while open.count > limit, closeOldest(but: file) {}
    }

    fileprivate func forget(_ file: LogFile) { open[ObjectIdentifier(file)] = nil }

    /// If the process is out of descriptors, closes a log and retries.
    func withDescriptor<Result>(_ body: () throws -> Result) throws -> Result {
        while true {
            do { return try body() } catch let error as SystemError where error.isLackOfDescriptors {
                guard closeOldest() else { throw error }
            }
        }
    }

    /// A log that isn't synced remains open: the system reports a disk error to the descriptor that wrote the data.
    private func closeOldest(but kept: LogFile? = nil) -> Bool {
        let closable = open.values.filter { $0 !== kept && !$0.isDirty }
        guard let oldest = closable.min(by: { $0.lastUse < $1.lastUse }) else { return false }
        oldest.close()
        return true
    }
}

extension SystemError {
    fileprivate var isLackOfDescriptors: Bool { number == EMFILE || number == ENFILE }
}

/// Open while it's used for writing.
final class LogFile {
    private let path: String
    private let logs: OpenLogs
    private let calls: SystemCalls
    private var file: DiskFile?
    fileprivate var lastUse: UInt64 = 0
    private(set) var isDirty = false
    /// The offset of the next frame.
    private(set) var end = 0

    /// - Parameter file: Open, and durable up to `end`.
    init(_ file: DiskFile, path: String, end: Int, _ logs: OpenLogs, calls: SystemCalls) {
        (self.file, self.path, self.end, self.logs, self.calls) = (file, path, end, logs, calls)
        logs.use(self)
    }

    func append(_ bytes: [UInt8]) throws {
        let file = try opened()
        isDirty = true
        try file.append(bytes, at: end)
        end += bytes.count
    }

    func sync() throws {
        guard isDirty else { return }
        try file?.sync()
        isDirty = false
    }

    private func opened() throws -> DiskFile {
        if let file {
            logs.use(self)
            return file
        }
        let file = try logs.withDescriptor { try DiskFile.open(path, readOnly: false, calls: calls) }
        // This process's writes determine the end. Any other data in the file isn't part of the partition.
        guard try file.size() == end else {
            throw StoreError(path, at: end, "the log was changed by another program")
        }
        self.file = file
        logs.use(self)
        return file
    }

    func close() {
        file = nil
        logs.forget(self)
    }
}

// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSystem

/// The open logs of a data folder. Their number is limited, so that partitions that clients bind don't need a
/// descriptor each. Used only by the engine's thread.
final class OpenLogs {
    private let limit: Int
    private var open: [ObjectIdentifier: LogFile] = [:]
    private var useCount: UInt64 = 0

    init(limit: Int) { self.limit = max(1, limit) }

    var count: Int { open.count }

    /// Marks a file as used, and closes the least recently used one if too many are open.
    fileprivate func use(_ file: LogFile) {
        useCount += 1
        file.lastUse = useCount
        open[ObjectIdentifier(file)] = file
        while open.count > limit, closeOldest(but: file) {}
    }

    fileprivate func forget(_ file: LogFile) { open[ObjectIdentifier(file)] = nil }

    /// Opens or creates a file. If the process has no descriptor left, closes a log and retries.
    func withDescriptor<Result>(_ body: () throws -> Result) throws -> Result {
        while true {
            do { return try body() } catch let error as SystemError where error.isLackOfDescriptors {
                guard closeOldest() else { throw error }
            }
        }
    }

    /// Returns whether a log was closed. A log that waits for its sync stays open: a disk error is reported to the
    /// descriptor that wrote the data.
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

/// The file of a log, which is opened for writing and may be closed afterwards.
final class LogFile {
    private let path: String
    private let logs: OpenLogs
    private let calls: SystemCalls
    private var file: DiskFile?
    fileprivate var lastUse: UInt64 = 0
    /// Whether written data isn't durable yet.
    private(set) var isDirty = false
    /// The position of the next frame.
    private(set) var end = 0

    /// - Parameter file: The file, which is open and durable up to `end`.
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
        // The end is known from this process's writes: any other data in the file isn't part of the partition.
        guard try file.size() == end else {
            throw StoreError(path, at: end, "the log was changed by another program")
        }
        self.file = file
        logs.use(self)
        return file
    }

    /// Closes the file until the next write.
    func close() {
        file = nil
        logs.forget(self)
    }
}

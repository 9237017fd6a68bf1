// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSystem

/// A file that records all calls, and that can fail at any call.
///
/// The state guarded by `lock`: `callCount` counts the calls, `failure` and those below it define which call fails and
/// how, `record` holds the events in order.
package final class FaultyFile: DatabaseFile, @unchecked Sendable {
    package enum Event: Sendable {
        case write(offset: Int, bytes: [UInt8])
        case resize(Int)
        case sync
        /// A failed sync: any part of the bytes it should have made durable may be on disk, and no later sync writes
        /// the rest.
        case failedSync
    }

    package enum Call: String, Sendable {
        case size, read, write, resize, sync, map
    }

    private let file: any DatabaseFile
    private let lock = Lock()
    private var callCount = 0
    private var failingCall: Call?
    /// The number of calls of that kind that still succeed.
    private var sparedCount = 0
    private var failure: Int?
    private var failsForEver = false
    private var errorNumber: Int32?
    private var failed: Call?
    private var record: [Event] = []
    private var limit = Int.max

    /// A write that fails halfway ends at a multiple of this many bytes of the file.
    private let tear: Int

    package init(_ file: any DatabaseFile, tear: Int = 1) {
        self.file = file
        self.tear = tear
    }

    package var path: String { file.path }

    /// The changes since the start or the last `forget`.
    package var events: [Event] { lock.locked { record } }

    package func forget() { lock.locked { record.removeAll() } }

    /// Makes the call after `count` more calls fail, once or permanently, with `number` or with the usual error of the
    /// call.
    package func fail(after count: Int, with number: Int32? = nil, forEver: Bool = false) {
        lock.locked {
            failure = callCount + count
            errorNumber = number
            failsForEver = forEver
            failed = nil
        }
    }

    /// Makes the next call of this kind fail once, or the one after `count` others of the kind.
    package func failNext(_ call: Call, after count: Int = 0) {
        lock.locked { (failure, failingCall, failed, sparedCount) = (nil, call, nil, count) }
    }

    /// Limits the file to `byteCount` bytes, as on a full disk.
    package func limit(to byteCount: Int) { lock.locked { limit = byteCount } }

    private func verifyLimit(_ byteCount: Int) throws {
        guard byteCount > lock.locked({ limit }) else { return }
        throw SystemError("write", path: path, number: ENOSPC)
    }

    package func recover() { lock.locked { (failure, failingCall) = (nil, nil) } }

    /// The call that failed since `fail(after:)`, or nil.
    package var failedCall: Call? { lock.locked { failed } }

    private func failure(of call: Call, _ usual: Int32) -> SystemError? {
        lock.locked {
            defer { callCount += 1 }
            if call == failingCall {
                if sparedCount == 0 { (failure, failingCall) = (callCount, nil) }
                sparedCount -= 1
            }
            guard let failure, callCount == failure || failsForEver && callCount > failure else { return nil }
            failed = failed ?? call
            return SystemError(call.rawValue, path: path, number: errorNumber ?? usual)
        }
    }

    private func attempt(_ call: Call, _ usual: Int32 = EIO) throws {
        if let error = failure(of: call, usual) { throw error }
    }

    package func size() throws -> Int {
        try attempt(.size)
        return try file.size()
    }

    package func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws {
        try attempt(.read)
        try file.read(into: buffer, at: offset)
    }

    /// A failing write writes half of its bytes.
    package func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws {
        try verifyLimit(offset + bytes.count)
        let error = failure(of: .write, ENOSPC)
        let half = max(0, (offset + bytes.count / 2) / tear * tear - offset)
        let written = error == nil ? bytes : UnsafeRawBufferPointer(rebasing: bytes[..<half])
        if !written.isEmpty {
            try file.write(written, at: offset)
            lock.locked { record.append(.write(offset: offset, bytes: Array(written))) }
        }
        if let error { throw error }
    }

    package func refresh() throws { try file.refresh() }

    package func resize(to size: Int) throws {
        try attempt(.resize, ENOSPC)
        try verifyLimit(size)
        try file.resize(to: size)
        lock.locked { record.append(.resize(size)) }
    }

    package func sync() throws {
        if let error = failure(of: .sync, EIO) {
            lock.locked { record.append(.failedSync) }
            throw error
        }
        try file.sync()
        lock.locked { record.append(.sync) }
    }

    package func map(fileWindow: Int, slabWindow: Int) throws -> FileMapping {
        try attempt(.map, ENOMEM)
        return try file.map(fileWindow: fileWindow, slabWindow: slabWindow)
    }
}

// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSystem

/// A file that keeps a record of what is done to it, and that can fail at any call.
///
/// The state behind `lock`: `calls` counts, `failure` says which call fails, `record` is what happened in order.
package final class FaultyFile: DatabaseFile, @unchecked Sendable {
    /// What reached the file.
    package enum Event: Sendable {
        case write(offset: Int, bytes: [UInt8])
        case resize(Int)
        case sync
    }

    /// The calls that can fail.
    package enum Call: String, Sendable {
        case size, read, write, resize, sync, map
    }

    private let file: any DatabaseFile
    private let lock = Lock()
    private var calls = 0
    private var failure: Int?
    private var failed: Call?
    private var record: [Event] = []

    package init(_ file: any DatabaseFile) { self.file = file }

    package var path: String { file.path }

    /// What was done since the start or since the last `forget`.
    package var events: [Event] { lock.locked { record } }

    package func forget() { lock.locked { record.removeAll() } }

    /// Lets the call after `count` more calls fail, once.
    package func fail(after count: Int) {
        lock.locked {
            failure = calls + count
            failed = nil
        }
    }

    /// The call that failed since `fail(after:)`; nil if none did yet.
    package var failedCall: Call? { lock.locked { failed } }

    private func shouldFail(_ call: Call) -> Bool {
        lock.locked {
            defer { calls += 1 }
            guard calls == failure else { return false }
            failed = call
            return true
        }
    }

    private func attempt(_ call: Call, _ number: Int32 = EIO) throws {
        if shouldFail(call) { throw SystemError(call.rawValue, path: path, number: number) }
    }

    package func size() throws -> Int {
        try attempt(.size)
        return try file.size()
    }

    package func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws {
        try attempt(.read)
        try file.read(into: buffer, at: offset)
    }

    /// A write that fails has done half of its work.
    package func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws {
        let fails = shouldFail(.write)
        let written = fails ? UnsafeRawBufferPointer(rebasing: bytes[..<(bytes.count / 2)]) : bytes
        if !written.isEmpty {
            try file.write(written, at: offset)
            lock.locked { record.append(.write(offset: offset, bytes: Array(written))) }
        }
        if fails { throw SystemError("write", path: path, number: ENOSPC) }
    }

    package func resize(to size: Int) throws {
        try attempt(.resize, ENOSPC)
        try file.resize(to: size)
        lock.locked { record.append(.resize(size)) }
    }

    package func sync() throws {
        try attempt(.sync)
        try file.sync()
        lock.locked { record.append(.sync) }
    }

    package func map(fileWindow: Int, slabWindow: Int) throws -> FileMapping {
        try attempt(.map, ENOMEM)
        return try file.map(fileWindow: fileWindow, slabWindow: slabWindow)
    }
}

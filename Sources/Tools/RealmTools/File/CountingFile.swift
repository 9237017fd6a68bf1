// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmSystem

/// Forwards all calls to a file, and reports the number of bytes written.
///
/// Immutable; the file and the progress are safe to use from any thread.
final class CountingFile: DatabaseFile {
    private let inner: any DatabaseFile
    private let progress: Progress

    init(_ inner: any DatabaseFile, _ progress: Progress) {
        self.inner = inner
        self.progress = progress
    }

    var path: String { inner.path }
    var identity: FileIdentity? { inner.identity }
    var writeUnit: Int { inner.writeUnit }
    var needsMending: Bool { inner.needsMending }

    func size() throws -> Int { try inner.size() }
    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws {
        try inner.read(into: buffer, at: offset)
    }
    func contents() throws -> [UInt8] { try inner.contents() }
    func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws {
        try inner.write(bytes, at: offset)
        progress.advance(by: bytes.count)
    }
    func resize(to size: Int) throws { try inner.resize(to: size) }
    func mend() throws { try inner.mend() }
    func giveUp() -> Bool { inner.giveUp() }
    func refresh() throws { try inner.refresh() }
    func discardUnused(_ parts: [Range<Int>], doubtful: [Range<Int>]) { inner.discardUnused(parts, doubtful: doubtful) }
    func sync() throws { try inner.sync() }
    func sync(then bytes: [UInt8], at offset: Int) throws { try inner.sync(then: bytes, at: offset) }
    func map(fileWindow: Int, slabWindow: Int) throws -> FileMapping {
        try inner.map(fileWindow: fileWindow, slabWindow: slabWindow)
    }
}

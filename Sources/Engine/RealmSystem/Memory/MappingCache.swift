// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// The mapping of the last closed file, for an opening within a second.
///
/// An app opens a Realm for each piece of background work, and closes it afterwards. Mapping the file, loading its
/// pages and unmapping it again took a third of the time.
///
/// A mapping shows the current content of the file, whichever process wrote it. Only the file's disk space depends on
/// the mapping: if another process removes the file, its space is freed later. This process calls `drop` instead.
///
/// `mapping` and `isWatched` are guarded by `lock`.
package final class MappingCache: @unchecked Sendable {
    package static let shared = MappingCache(milliseconds: 1000)

    private struct Mapping {
        let start: UInt
        let byteCount: Int
        let file: FileIdentity
        /// The `CurrentProcess.uptime` at which it expires.
        let end: Int64

        func unmap() { unsafe munmap(UnsafeMutableRawPointer(bitPattern: start), byteCount) }
    }

    private let lock = Lock()
    private let milliseconds: Int
    private var mapping: Mapping?
    private var isWatched = false

    package init(milliseconds: Int) { self.milliseconds = milliseconds }

    deinit { mapping?.unmap() }

    /// Removes and returns the mapping of a file. The caller owns it.
    package func take(_ file: FileIdentity, byteCount: Int) -> UnsafeMutableRawPointer? {
        unsafe lock.locked {
            guard let kept = mapping, kept.file == file, kept.byteCount == byteCount else { return nil }
            mapping = nil
            return unsafe UnsafeMutableRawPointer(bitPattern: kept.start)
        }
    }

    package func keep(_ start: UnsafeMutableRawPointer, byteCount: Int, of file: FileIdentity) {
        let end = CurrentProcess.uptime + Int64(milliseconds) * 1_000_000
        let new = Mapping(start: UInt(bitPattern: start), byteCount: byteCount, file: file, end: end)
        let (old, mustWatch) = lock.locked {
            defer { (mapping, isWatched) = (new, true) }
            return (mapping, !isWatched)
        }
        old?.unmap()
        if mustWatch, !SystemThread.runApart({ self.watch() }) { endWatch() }
    }

    package func drop() {
        let old = lock.locked {
            defer { mapping = nil }
            return mapping
        }
        old?.unmap()
    }

    private func watch() {
        repeat { CurrentProcess.pause(microseconds: UInt32(milliseconds * 250)) } while !dropOld()
    }

    /// Unmaps an expired mapping. Returns whether nothing is left, so that the watch may end.
    private func dropOld() -> Bool {
        let now = CurrentProcess.uptime
        if lock.locked({ mapping.map { $0.end > now } ?? false }) { return false }
        endWatch()
        return true
    }

    /// Ends the watch. The next `keep` starts another one.
    private func endWatch() {
        lock.locked { isWatched = false }
        drop()
    }
}

// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Which file it is, as long as somebody has it open or mapped.
package struct FileIdentity: Equatable, Sendable {
    private let device: UInt64
    private let number: UInt64

    package init(device: UInt64, number: UInt64) {
        self.device = device
        self.number = number
    }

    init(_ status: stat) {
        self.init(
            device: UInt64(truncatingIfNeeded: status.st_dev), number: UInt64(truncatingIfNeeded: status.st_ino))
    }
}

/// The mapping of the file that was closed last, for whoever opens it again within a second.
///
/// An app opens a Realm for each piece of work in the background, and closes it behind that. To map the file, to have
/// the system find its pages and to unmap it again took a third of all that.
///
/// A mapping shows what the file holds, whoever has written it since, and nothing but a file's space on the disk hangs
/// on it: a file that is removed by somebody else than us, who call `drop`, keeps that for so long.
///
/// `mapping` and `isWatched` are guarded by `lock`.
package final class KeptMapping: @unchecked Sendable {
    package static let shared = KeptMapping(milliseconds: 1000)

    private struct Mapping {
        let start: UInt
        let byteCount: Int
        let file: FileIdentity
        /// Of `CurrentProcess.uptime`.
        let end: Int64

        func unmap() { unsafe munmap(UnsafeMutableRawPointer(bitPattern: start), byteCount) }
    }

    private let lock = Lock()
    private let milliseconds: Int
    private var mapping: Mapping?
    /// Whether a thread looks from time to time for a mapping that is too old.
    private var isWatched = false

    package init(milliseconds: Int) { self.milliseconds = milliseconds }

    deinit { mapping?.unmap() }

    /// The mapping of that file, which is the caller's from now on.
    package func take(_ file: FileIdentity, byteCount: Int) -> UnsafeMutableRawPointer? {
        unsafe lock.locked {
            guard let kept = mapping, kept.file == file, kept.byteCount == byteCount else { return nil }
            mapping = nil
            return unsafe UnsafeMutableRawPointer(bitPattern: kept.start)
        }
    }

    /// Takes over a mapping that nobody uses any more.
    package func keep(_ start: UnsafeMutableRawPointer, byteCount: Int, of file: FileIdentity) {
        let end = CurrentProcess.uptime + Int64(milliseconds) * 1_000_000
        let new = Mapping(start: UInt(bitPattern: start), byteCount: byteCount, file: file, end: end)
        let (old, mustWatch) = lock.locked {
            defer { (mapping, isWatched) = (new, true) }
            return (mapping, !isWatched)
        }
        // If somebody has removed the file, its space goes with its last mapping, which takes time.
        if let old, !KeptMapping.run({ old.unmap() }) { old.unmap() }
        if mustWatch, !KeptMapping.run({ self.watch() }) { dropAll() }
    }

    /// Unmaps what is kept.
    package func drop() {
        let old = lock.locked {
            defer { mapping = nil }
            return mapping
        }
        old?.unmap()
    }

    /// Returns when nothing is kept any more.
    private func watch() {
        repeat { CurrentProcess.pause(microseconds: UInt32(milliseconds * 250)) } while !dropOld()
    }

    /// Unmaps what was kept long enough. True if nothing is left, and whoever looked after it may go.
    private func dropOld() -> Bool {
        let now = CurrentProcess.uptime
        if lock.locked({ mapping.map { $0.end > now } ?? false }) { return false }
        dropAll()
        return true
    }

    private func dropAll() {
        let old = lock.locked {
            defer { (mapping, isWatched) = (nil, false) }
            return mapping
        }
        old?.unmap()
    }

    /// Has a thread of its own run `body`; false if there can be none.
    private static func run(_ body: @escaping @Sendable () -> Void) -> Bool {
        guard let thread = try? SystemThread(path: "", body) else { return false }
        thread.detach()
        return true
    }
}

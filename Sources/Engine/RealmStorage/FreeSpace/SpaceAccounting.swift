// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// The state of a database's space between commits.
///
/// Nothing of it is needed for correctness: it saves reading the same lists again, and steers when the file shrinks.
/// Guarded by the write lock: only its holder touches it, which is what makes the class `Sendable`.
final class SpaceAccounting: @unchecked Sendable {
    private var used: [VersionRecord: UsedSpace] = [:]
    var shrinking = ShrinkPolicy()

    /// The free blocks of the base version by what the next one may do with them. `reachable` ascends and ends with
    /// the base; `fileSize` is that of the file on disk.
    func freeSpace(
        _ entries: [FreeList.Entry], reachable: [VersionRecord], in space: NodeSpace, fileSize: Int
    ) -> FreeSpace {
        if !used.isEmpty {
            let living = Set(reachable)
            used = used.filter { living.contains($0.key) }
        }
        return FreeSpace(entries, reachable: reachable.map(\.version)) {
            usedSpace(of: reachable[$0], in: space, fileSize)
        }
    }

    /// A version whose lists can't be read keeps all space, and the commit continues. If a process was late to pin its
    /// version, the version may be gone, and with it the end of the file.
    private func usedSpace(of record: VersionRecord, in space: NodeSpace, _ fileSize: Int) -> UsedSpace {
        if let known = used[record] { return known }
        let isWhole = record.logicalSize <= fileSize
        let read = isWhole ? (try? UsedSpace(of: record, in: space)) ?? .everything : .everything
        used[record] = read
        return read
    }

    /// The file was replaced by another one with the same content.
    func forget() {
        used.removeAll()
        shrinking = ShrinkPolicy()
    }
}

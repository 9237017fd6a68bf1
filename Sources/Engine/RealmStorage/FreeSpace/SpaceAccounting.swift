// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// The state of a database's space between commits.
///
/// It isn't needed for correctness: it avoids reading the same lists again, and controls the shrinking of the file.
/// Guarded by the write lock: only its holder accesses the state, which makes the class `Sendable`.
final class SpaceAccounting: @unchecked Sendable {
    private var used: [VersionRecord: UsedSpace] = [:]
    var shrinking = ShrinkPolicy()

    /// Returns the free blocks of the base version. `reachable` must ascend and end with the base. `fileSize` is the
    /// size of the file on disk.
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

    /// A version whose lists can't be read counts as a user of all space, and the commit continues. If a process pinned
    /// its version too late, the version, and the end of the file with it, may not exist any more.
    private func usedSpace(of record: VersionRecord, in space: NodeSpace, _ fileSize: Int) -> UsedSpace {
        if let known = used[record] { return known }
        let isWhole = record.logicalSize <= fileSize
        let read = isWhole ? (try? UsedSpace(of: record, in: space)) ?? .everything : .everything
        used[record] = read
        return read
    }

    /// Call this if the file was replaced by another one with the same content.
    func forget() {
        used.removeAll()
        shrinking = ShrinkPolicy()
    }
}

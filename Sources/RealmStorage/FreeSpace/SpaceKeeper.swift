// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// What a database remembers from one commit to the next about its space.
///
/// Nothing of it is needed for correctness: it saves reading the same lists again, and steers when the file shrinks.
/// Only the holder of the right to write touches it, which is what makes the class `Sendable`.
final class SpaceKeeper: @unchecked Sendable {
    private var used: [VersionRecord: UsedSpace] = [:]
    var shrinking = ShrinkPolicy()

    /// The free blocks of the base version by what the next one may do with them. `reachable` ascends and ends with
    /// the base.
    func freeSpace(_ entries: [FreeList.Entry], reachable: [VersionRecord], in space: NodeSpace) -> FreeSpace {
        if !used.isEmpty {
            let living = Set(reachable)
            used = used.filter { living.contains($0.key) }
        }
        return FreeSpace(entries, reachable: reachable.map(\.version)) { usedSpace(of: reachable[$0], in: space) }
    }

    /// A version whose lists cannot be read keeps everything; the commit goes on.
    private func usedSpace(of record: VersionRecord, in space: NodeSpace) -> UsedSpace {
        if let known = used[record] { return known }
        let read = (try? UsedSpace(of: record, in: space)) ?? .everything
        used[record] = read
        return read
    }

    /// The file was replaced by another one with the same content.
    func forget() {
        used.removeAll()
        shrinking = ShrinkPolicy()
    }
}

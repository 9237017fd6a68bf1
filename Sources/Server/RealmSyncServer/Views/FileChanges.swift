// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmSyncCore

/// The changes that only one file receives, in the order of their versions.
struct FileChanges {
    private(set) var entries: [(version: UInt64, change: FileChange)] = []

    /// The versions of bootstraps, ascending.
    private var bootstraps: [UInt64] = []

    var isEmpty: Bool { entries.isEmpty }

    /// Returns the first bootstrap after a version.
    func bootstrap(after version: UInt64) -> FileChange? {
        bootstraps.first { $0 > version }.flatMap { self[$0] }
    }

    /// The index of the first change after a version.
    private func index(after version: UInt64) -> Int { entries.partitioningIndex { $0.version > version } }

    private func index(of version: UInt64) -> Int? {
        let index = index(after: version) - 1
        return index >= 0 && entries[index].version == version ? index : nil
    }

    func after(_ version: UInt64) -> ArraySlice<(version: UInt64, change: FileChange)> {
        entries[index(after: version)...]
    }

    subscript(version: UInt64) -> FileChange? { index(of: version).map { entries[$0].change } }

    mutating func set(_ change: FileChange, at version: UInt64) {
        bootstraps.removeAll { $0 == version }
        if change.isBootstrap {
            bootstraps.insert(version, at: bootstraps.firstIndex { $0 > version } ?? bootstraps.endIndex)
        }
        if let index = index(of: version) {
            entries[index].change = change
        } else {
            entries.insert((version, change), at: index(after: version))
        }
    }

    mutating func addLost(_ objects: [ObjectReference], at version: UInt64) {
        if let index = index(of: version) { entries[index].change.lost.formUnion(objects) }
    }

    mutating func removeAll(through version: UInt64) {
        entries.removeFirst(index(after: version))
        bootstraps.removeAll { $0 <= version }
    }

    mutating func remove(at version: UInt64) {
        if let index = index(of: version) { entries.remove(at: index) }
        bootstraps.removeAll { $0 == version }
    }
}

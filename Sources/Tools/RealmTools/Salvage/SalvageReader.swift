// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// The readable tables of a damaged file, and their objects.
///
/// A table that the newest version has lost is read from an older version, if one still has it.
final class SalvageReader {
    let tables: [SalvagedTable]
    let lostTables: [String]
    /// Whether the version of the header was lost, and an older one is used.
    let isOlder: Bool
    /// Whether the names of the tables were lost, and replaced by their positions.
    let hasMadeUpNames: Bool

    init(_ image: SalvageImage) throws {
        var tables: [String: SalvagedTable] = [:]
        var order: [String] = []
        var lost: Set<String> = []
        var isFirst = true
        var (isOlder, hasMadeUpNames) = (false, false)
        let named = try image.namedRef
        var attempts = 0
        func take(_ refs: [Ref]) throws {
            for ref in refs {
                guard isFirst || !lost.isEmpty, attempts < SalvageReader.maxVersions else { break }
                attempts += 1
                guard let snapshot = try image.snapshot(at: ref) else { continue }
                for slot in 0..<snapshot.slotCount where snapshot.tableRef(slot: slot) != 0 {
                    let name = snapshot.tableName(slot: slot)
                    guard tables[name] == nil, isFirst || lost.contains(name) else { continue }
                    if let key = try? snapshot.tableKey(slot: slot), let table = try? snapshot.table(key) {
                        tables[name] = SalvagedTable(table: table, snapshot: snapshot, isOlder: !isFirst)
                        order.append(name)
                        lost.remove(name)
                    } else {
                        lost.insert(name)
                    }
                }
                if isFirst { isOlder = ref != named }
                isFirst = false
            }
        }
        try take(try image.candidates())
        if isFirst {
            attempts = 0
            let versions = try image.versionsWithoutTop()
            try take(versions.filter(\.hasNames).map(\.ref))
            if isFirst {
                // Only one version: a position in the list of another one may be that of another table.
                try take(versions.prefix(1).map(\.ref))
                hasMadeUpNames = !isFirst
            }
        }
        (self.isOlder, self.hasMadeUpNames) = (isOlder, hasMadeUpNames)
        guard !isFirst || image.isNew else {
            throw StorageError(
                .invalidDatabase, "nothing in it looks like the beginning of a version; nothing can be read")
        }
        self.tables = order.compactMap { tables[$0] }
        lostTables = lost.sorted()
    }

    private static let maxVersions = 64

    /// The number of objects to read, counting those with links twice; nil if it's unknown.
    var stepCount: Int? {
        var sum = 0
        for table in tables where !table.table.isEmbedded {
            guard let count = table.announcedCount else { return nil }
            sum += table.hasLinks ? 2 * count : count
        }
        return sum
    }
}

struct SalvagedTable {
    let table: Table
    let snapshot: Snapshot
    let isOlder: Bool

    var announcedCount: Int? {
        guard let count = try? table.count(), count >= 0, count < 1 << 40 else { return nil }
        return count
    }

    var hasLinks: Bool { table.publicColumns.contains { $0.type == .link || $0.type == .mixed } }

    func forEachLeaf(_ body: (ClusterLeaf) throws -> Void) throws {
        var seen: Set<Ref> = []
        var rest = [(ref: table.clusterRoot, offset: UInt64(0), depth: UInt64.max)]
        while let next = rest.popLast() {
            guard seen.insert(next.ref).inserted, let node = try? table.space.refs(next.ref) else { continue }
            guard node.header.isInner else {
                if let leaf = try? ClusterLeaf(table.space, node, keyOffset: next.offset) { try body(leaf) }
                continue
            }
            guard let depth = try? node.tagged(1), depth >= 1, depth < next.depth, depth <= 16 else { continue }
            rest += children(of: node, next.offset, depth).reversed()
        }
    }

    /// Returns the readable children of a branch, with the offsets of their keys (content 5.1).
    private func children(
        of node: Node, _ offset: UInt64, _ depth: UInt64
    ) -> [(ref: Ref, offset: UInt64, depth: UInt64)] {
        let first = 3
        guard node.count > first else { return [] }
        let offsets = (try? node.child(0)).flatMap { $0 == 0 ? nil : try? table.space.integers($0) }
        let isCompact = node[0] == 0
        return (first..<node.count).compactMap { index in
            guard let ref = try? node.child(index), ref != 0 else { return nil }
            let place = index - first
            if isCompact { return (ref, offset &+ UInt64(place) << (8 * depth), depth) }
            guard let offsets, place < offsets.count else { return nil }
            return (ref, offset &+ offsets.unsigned(place), depth)
        }
    }
}

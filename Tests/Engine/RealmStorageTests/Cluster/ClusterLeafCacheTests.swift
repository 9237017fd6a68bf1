// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmTestSupport
import TestTraits
import Testing

@testable import RealmStorage

struct ClusterLeafCacheTests {
    private func makeObjects(_ keys: [ObjectKey], rememberedIn known: ClusterLeafCache) throws -> ClusterFixture {
        let bench = try ClusterFixture(
            capacity: FileFormat.clusterCapacity, keys: keys.map { UInt64(bitPattern: $0.rawValue) })
        try bench.commit()
        for key in keys {
            let position = try bench.tree.find(key)
            known.remember(try #require(position).leaf, of: key)
        }
        return bench
    }

    @Test func stampsAndTablesAreDistinguished() throws {
        let (memory, other) = (ClusterLeafCache.Memory(), ClusterLeafCache.Memory())
        defer { withExtendedLifetime((memory, other)) {} }
        let known = memory.leaves(of: TableKey(1), ChangeStamp(count: 5))
        let bench = try makeObjects((0..<10).map { ObjectKey($0) }, rememberedIn: known)
        let space = bench.scratch.space
        #expect(known.row(of: ObjectKey(7), in: space)?.row == 7)
        #expect(known.row(of: ObjectKey(10), in: space) == nil)
        #expect(memory.leaves(of: TableKey(1), ChangeStamp(count: 6)).row(of: ObjectKey(7), in: space) == nil)
        #expect(memory.leaves(of: TableKey(2), ChangeStamp(count: 5)).row(of: ObjectKey(7), in: space) == nil)
        #expect(other.leaves(of: TableKey(1), ChangeStamp(count: 5)).row(of: ObjectKey(7), in: space) == nil)
    }

    /// Consecutive keys, as objects with primary keys have them, and other keys: no leaf evicts another. With gaps
    /// among the keys, leaves have to be searched.
    @Test(arguments: [false, true], [1, 3])
    func allLeavesOfATableAreCached(isSqueezed: Bool, step: Int) throws {
        let keys = stride(from: 0, to: UInt64(6000), by: step).map { (number: UInt64) in
            isSqueezed ? ObjectKey.squeezed(number) : ObjectKey(Int64(number))
        }
        let memory = ClusterLeafCache.Memory()
        defer { withExtendedLifetime(memory) {} }
        let known = memory.leaves(of: TableKey(3), ChangeStamp(count: 1))
        let bench = try makeObjects(keys, rememberedIn: known)
        for key in keys {
            let expected = try #require(try bench.tree.find(key))
            let found = try #require(known.position(of: key, in: bench.scratch.space))
            #expect(found.leaf.node.ref == expected.leaf.node.ref)
            #expect(found.row == expected.row)
            #expect(found.leaf.key(at: found.row) == key)
        }
    }

    #if DEBUG
        @Test func aStaleLeafStopsADebugBuild() async {
            await #expect(processExitsWith: .failure, observing: .errorText) {
                let memory = ClusterLeafCache.Memory()
                let known = memory.leaves(of: TableKey(1), .first)
                let bench = try ClusterFixture(capacity: 4, keys: [0, 1, 2])
                _ = try bench.tree.find(ObjectKey(2), known)
                try bench.erase(1)
                _ = try bench.tree.find(ObjectKey(2), known)
            }.expectText("is stale")
        }
    #endif
}

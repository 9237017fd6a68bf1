// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSystem

/// A cache of a table's leaves in which objects were recently found. A cached leaf is found without a search through
/// the branches.
///
/// Valid for one stamp of its owner's clock. Confined as its owner is.
@safe @usableFromInline
package struct ClusterLeafCache {
    private let slots: UnsafeMutablePointer<Slot>
    private let table: TableKey
    private let stamp: ChangeStamp<ClusterLeafExtent>

    /// The cached leaves of all tables of an owner. A key determines the slot of its leaf; a leaf replaces another one
    /// in the same slot.
    @safe @usableFromInline
    package final class Memory {
        /// Allocated by the first lookup: zeroing it would take a tenth of the time of opening.
        private var memory: ZeroedMemory?
        private var slots: UnsafeMutablePointer<Slot>?

        package init() {}

        /// Valid for the lifetime of this object.
        package func leaves(of table: TableKey, _ stamp: ChangeStamp<ClusterLeafExtent>) -> ClusterLeafCache {
            unsafe ClusterLeafCache(slots: slots ?? makeSlots(), table: table, stamp: stamp)
        }

        private func makeSlots() -> UnsafeMutablePointer<Slot> {
            let made = unsafe ZeroedMemory(byteCount: ClusterLeafCache.slotCount * MemoryLayout<Slot>.stride)
            let slots = unsafe made.base.bindMemory(to: Slot.self, capacity: ClusterLeafCache.slotCount)
            unsafe self.slots = unsafe slots
            memory = consume made
            return unsafe slots
        }
    }

    /// Enough for the leaves of a million objects.
    private static let slotCount = 4096

    /// All zeros for an empty slot.
    @unsafe fileprivate struct Slot {
        var stamp: ChangeStamp<ClusterLeafExtent>
        var keyOffset: UInt64
        var payload: UnsafeRawPointer
        /// Nil in compact form.
        var keysPayload: UnsafeRawPointer?
        var header: NodeHeader
        var keysHeader: NodeHeader
        var count: UInt32
        var table: TableKey
    }

    /// All objects of a full leaf in compact form have the same slot, and those of the next leaf another one: their
    /// keys differ in the byte above the row, or in the next byte (content 1.3).
    private func slot(of key: ObjectKey) -> UnsafeMutablePointer<Slot> {
        let number = UInt64(bitPattern: key.rawValue) >> UInt64(FileFormat.clusterShift)
        let start = UInt64(table.rawValue) &* 0x9E37_79B9_7F4A_7C15 >> 48
        let index = ((number ^ number >> 8) &+ start) % UInt64(ClusterLeafCache.slotCount)
        return unsafe slots + Int(truncatingIfNeeded: index)
    }

    @inline(__always)
    package func row(of key: ObjectKey, in space: NodeSpace) -> (leaf: Node, row: Int)? {
        let slot = unsafe slot(of: key)
        guard unsafe slot.pointee.stamp == stamp, unsafe slot.pointee.table == table else { return nil }
        let row: Int
        if unsafe slot.pointee.keysPayload == nil {
            let relative = unsafe UInt64(bitPattern: key.rawValue) &- slot.pointee.keyOffset
            guard unsafe relative < UInt64(slot.pointee.count) else { return nil }
            row = Int(truncatingIfNeeded: relative)
        } else {
            guard let found = unsafe ClusterLeafCache.leaf(slot, in: space).row(of: key) else { return nil }
            row = found
        }
        return unsafe (Node(header: slot.pointee.header, payload: slot.pointee.payload, in: space), row)
    }

    package func position(of key: ObjectKey, in space: NodeSpace) -> ClusterTree.Position? {
        guard let (_, row) = row(of: key, in: space) else { return nil }
        return unsafe ClusterTree.Position(leaf: ClusterLeafCache.leaf(slot(of: key), in: space), row: row)
    }

    private static func leaf(_ slot: UnsafeMutablePointer<Slot>, in space: NodeSpace) -> ClusterLeaf {
        let slot = unsafe slot.pointee
        return unsafe ClusterLeaf(
            space, Node(header: slot.header, payload: slot.payload, in: space), keyOffset: slot.keyOffset,
            keys: slot.keysPayload.map { unsafe Node(header: slot.keysHeader, payload: $0, in: space) },
            count: Int(slot.count))
    }

    package func remember(_ leaf: ClusterLeaf, of key: ObjectKey) {
        unsafe slot(of: key).pointee = Slot(
            stamp: stamp, keyOffset: leaf.keyOffset, payload: leaf.node.payload,
            keysPayload: leaf.keys?.payload, header: leaf.node.header,
            keysHeader: leaf.keys?.header ?? NodeHeader(bits: 0), count: UInt32(leaf.count), table: table)
    }
}

extension ClusterTree {
    /// Returns the result of `find(_:)`, after a lookup in the cached leaves. `key` must not be negative.
    package func find(_ key: ObjectKey, _ known: ClusterLeafCache?) throws -> Position? {
        if let position = known?.position(of: key, in: space) {
            verify(key, isIn: position.leaf.node, position.row)
            return position
        }
        guard let position = try find(key) else { return nil }
        known?.remember(position.leaf, of: key)
        return position
    }
}

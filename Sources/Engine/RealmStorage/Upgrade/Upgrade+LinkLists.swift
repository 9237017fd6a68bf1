// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

extension Upgrade {
    /// Step 3.6: a list of links is of type 12, not 13, in column keys and wherever they are named.
    ///
    /// This works on the nodes, below the tables: a column key with type 13 names no column that could be decoded. The
    /// type array of the spec, where the original leaves the 13, follows too.
    func renameLinkLists() throws {
        typealias Slot = FileFormat.Table
        let directory = transaction.directory
        for slot in directory.elements.indices {
            let ref = directory.ref(slot)
            guard ref != 0 else { continue }
            var top = ref
            guard Slot.legalCounts.contains(try space.refs(top).count) else {
                throw StorageError.corrupt("a table of impossible form", at: top)
            }
            try store.updateSlot(&top, Slot.spec) { spec in
                try store.updateSlot(&spec, FileFormat.Spec.keys) { try replaceEach(&$0, Upgrade.currentKey) }
                try store.updateSlot(&spec, FileFormat.Spec.types) { try replaceEach(&$0, Upgrade.currentType) }
            }
            try store.updateSlot(&top, Slot.oppositeColumns) { try replaceEach(&$0, Upgrade.currentKey) }
            guard top != ref else { continue }
            transaction.directory.elements[slot] = top.element
            transaction.directoryChanged = true
        }
    }

    private func replaceEach(_ ref: inout Ref, _ replacement: (Int64) -> Int64) throws {
        let elements = try space.integers(ref).byLeafIndex()
        guard elements.width > 0 else { return }
        for index in 0..<elements.count {
            let new = replacement(elements[index])
            if new != elements[index] { try store.set(&ref, index, new) }
        }
    }

    private static func currentKey(_ element: Int64) -> Int64 {
        let key = ColumnKey(UInt64(bitPattern: element))
        guard key.type == .linkList, key != .null else { return element }
        return element ^ Int64(ColumnType.linkList.rawValue ^ ColumnType.link.rawValue) << 16
    }

    private static func currentType(_ element: Int64) -> Int64 {
        element == Int64(ColumnType.linkList.rawValue) ? Int64(ColumnType.link.rawValue) : element
    }
}

// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

extension Upgrade {
    /// Step 3.6: changes the type of lists of links from 13 to 12, in column keys and in all references to them.
    ///
    /// Works on the nodes, because a column key with type 13 can't be decoded. Also changes the type array of the spec,
    /// in which the original keeps the 13.
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

// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSyncCore

extension PartitionHistory {
    /// Returns the changes that give the new objects of a file their partition value, if the file was moved from
    /// partitions and the write doesn't set it (§5.8). The file receives them, too.
    func partitionUpdates(for write: Changeset, _ partition: PartitionValue?) -> [Instruction] {
        guard let field = partitionField, let value = partition?.syncValue, value != .null else { return [] }
        var created: Set<ObjectReference> = []
        for instruction in write.instructions {
            switch instruction {
            case .createObject(let object) where state.tables[object.table]?.columns[field] != nil:
                created.insert(object)
            case .eraseObject(let object): created.remove(object)
            case .change(let place, _) where place.column == field: created.remove(place.object)
            default: break
            }
        }
        return created.sorted(by: ObjectReference.precedes).map {
            .change(Place($0, field), .update(value, isDefault: false))
        }
    }
}

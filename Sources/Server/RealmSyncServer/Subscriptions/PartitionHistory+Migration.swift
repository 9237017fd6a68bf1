// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSyncCore

/// The objects of a former partition (§5.8).
///
/// A file that was moved from it has a subscription to each class with the property. It can't subscribe to a new class
/// before the server has added the property. Until then, the objects with the partition value belong to its view.
struct FormerPartition {
    let field: Text
    let value: SyncValue

    func holds(_ object: ObjectReference, in state: PartitionObjects) throws -> Bool {
        guard let column = state.tables[object.table]?.columns[field], let row = try state.row(of: object) else {
            return false
        }
        return (row[column.slot] ?? ObjectContent.start(of: column.definition)) == .value(value)
    }
}

extension PartitionHistory {
    /// Returns `nil` if the file wasn't moved from a partition.
    func formerPartition(_ partition: PartitionValue?) -> FormerPartition? {
        guard let field = partitionField, let value = partition?.syncValue else { return nil }
        return FormerPartition(field: field, value: value)
    }

    /// Returns the changes that give the new classes of a file the property for the partition value, and its new
    /// objects their value, if the file was moved from partitions and the write doesn't do that (§5.8). The file
    /// receives them, too.
    func partitionUpdates(for write: Changeset, _ former: FormerPartition?) -> [Instruction] {
        guard let former else { return [] }
        let field = former.field
        var kinds = state.tables.mapValues(\.definition.kind)
        var holders = Set(state.tables.filter { $0.value.columns[field] != nil }.keys)
        var classes: Set<Text> = []
        var created: Set<ObjectReference> = []
        for instruction in write.instructions {
            switch instruction {
            case .addTable(let definition):
                if kinds[definition.name] == nil { kinds[definition.name] = definition.kind }
                classes.insert(definition.name)
            case .addColumn(let definition) where definition.column.name == field:
                holders.insert(definition.column.table)
            case .createObject(let object):
                classes.insert(object.table)
                created.insert(object)
            case .eraseObject(let object): created.remove(object)
            case .change(let place, _) where place.column == field: created.remove(place.object)
            default: break
            }
        }
        var columns: [Instruction] = []
        for name in classes.subtracting(holders).sorted() {
            guard case .topLevel(let key)? = kinds[name], key.name != field, let type = type(of: former) else {
                continue
            }
            columns.append(
                .addColumn(ColumnDefinition(ColumnReference(name, field), type, isNullable: true, .single)))
            holders.insert(name)
        }
        guard former.value != .null else { return columns }
        return columns
            + created.filter { holders.contains($0.table) }.sorted(by: ObjectReference.precedes).map {
                .change(Place($0, field), .update(former.value, isDefault: false))
            }
    }

    /// The type of the property in other classes.
    private func type(of former: FormerPartition) -> ValueType? {
        if let known = state.tables.values.lazy.compactMap({ $0.columns[former.field] }).first {
            return known.definition.type
        }
        return switch former.value {
        case .int: .int
        case .string: .string
        case .objectId: .objectId
        case .uuid: .uuid
        default: nil
        }
    }
}

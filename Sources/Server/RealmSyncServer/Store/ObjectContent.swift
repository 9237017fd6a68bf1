// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmSyncCore

/// The content of a property, or of an element of a collection.
enum ObjectContent: Equatable {
    case value(SyncValue)
    case list(PositionTree<ObjectContent>)
    case set(Set<SyncValue>)
    case dictionary([Text: ObjectContent])
    /// An embedded object, in a box because it's larger than most values.
    indirect case object(Text, ObjectRow)
}

extension ObjectContent {
    /// The content of a new property, by the rules of changesets.
    static func start(of column: ColumnDefinition) -> ObjectContent {
        switch column.collection {
        case .list: return .list(PositionTree())
        case .dictionary: return .dictionary([:])
        case .set: return .set([])
        case .single: break
        }
        if column.isNullable { return .value(.null) }
        return switch column.type {
        case .int: .value(.int(0))
        case .bool: .value(.bool(false))
        case .string: .value(.string(""))
        case .double: .value(.double(0))
        case .float: .value(.float(0))
        case .binary: .value(.binary([]))
        // Only null equals it, which can't be assigned to such a property.
        default: .value(.null)
        }
    }

    /// The value of a new object's property in a file.
    static func initial(_ column: ColumnDefinition) -> ObjectContent {
        let start = start(of: column)
        guard start == .value(.null), !column.isNullable else { return start }
        return switch column.type {
        case .timestamp: .value(.timestamp(Timestamp(seconds: 0, nanoseconds: 0)))
        case .decimal: .value(.decimal(.zero))
        case .objectId: .value(.objectId(ObjectIdBytes(high: 0, low: 0)))
        case .uuid: .value(.uuid(UUIDBytes(high: 0, low: 0)))
        default: start
        }
    }
}

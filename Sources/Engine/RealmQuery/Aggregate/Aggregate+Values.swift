// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

extension Aggregate {
    /// - Precondition: The operation accepts `type`.
    package static func value(
        _ operation: AggregateOperation, of type: ColumnType, over values: some Sequence<StoredValue>
    ) -> StoredValue {
        var accumulator = Accumulator(operation, type)
        for value in values { accumulator.add(value) }
        return accumulator.result
    }
}

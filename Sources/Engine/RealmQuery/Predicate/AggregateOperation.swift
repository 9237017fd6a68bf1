// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

package enum AggregateOperation: String, Sendable, CaseIterable {
    case min
    case max
    case sum
    case average

    /// - Precondition: `operation` is an aggregate.
    package init(_ operation: CollectionOperation) {
        switch operation {
        case .min: self = .min
        case .max: self = .max
        case .sum: self = .sum
        case .average, .count, .size, .allKeys, .allValues, .type: self = .average
        }
    }

    package func accepts(_ type: ColumnType) -> Bool {
        switch type {
        case .int, .float, .double, .decimal, .mixed: true
        case .timestamp: self == .min || self == .max
        default: false
        }
    }

    package func resultType(_ type: ColumnType) -> ColumnType {
        switch (self, type) {
        case (.min, _), (.max, _), (.sum, .int): type
        case (_, .decimal), (_, .mixed): .decimal
        default: .double
        }
    }
}

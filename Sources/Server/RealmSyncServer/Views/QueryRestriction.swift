// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmQuery
import RealmStorage
import RealmSyncCore

/// The values of one property, of which each result of a query has one: those of `room == 5`, `room IN {5, 6}`, and
/// `room == 5 AND …`. So an object is compared only with the queries on its own values.
struct QueryRestriction: Equatable {
    /// A value for which equality in a query is that of its bytes. Numbers compare with those of other types.
    enum Value: Hashable {
        case int(Int64)
        case string(Text)
        case objectId(ObjectIdBytes)
        case uuid(UUIDBytes)

        init?(_ value: StoredValue) {
            switch value {
            case .int(let number): self = .int(number)
            case .string(let text): self = .string(Text(text))
            case .objectId(let id): self = .objectId(id)
            case .uuid(let uuid): self = .uuid(uuid)
            default: return nil
            }
        }
    }

    let field: Text
    let values: Set<Value>

    /// A restriction to more values isn't worth its memory.
    private static let maxValues = 256

    /// Whether the values of a property of this type are those of restrictions.
    static func isSupported(_ column: Column) -> Bool {
        guard !column.key.isCollection else { return false }
        switch column.key.type {
        case .int, .string, .objectId, .uuid: return true
        default: return false
        }
    }

    private init?(_ field: Text, _ values: Set<Value>) {
        guard values.count <= QueryRestriction.maxValues else { return nil }
        (self.field, self.values) = (field, values)
    }

    /// Creates the narrowest restriction of a predicate, or returns `nil`.
    init?(_ predicate: Predicate) {
        switch predicate {
        case .constant, .not: return nil
        case .comparison(let comparison): self.init(comparison)
        case .and(let parts):
            let known = parts.compactMap(QueryRestriction.init)
            guard let narrowest = known.min(by: { $0.values.count < $1.values.count }) else { return nil }
            self = narrowest
        case .or(let parts):
            let known = parts.compactMap(QueryRestriction.init)
            guard let field = known.first?.field, known.count == parts.count, known.allSatisfy({ $0.field == field })
            else { return nil }
            self.init(field, known.reduce(into: []) { $0.formUnion($1.values) })
        }
    }

    private init?(_ comparison: Comparison) {
        guard comparison.quantifier == nil,
            comparison.options.isDisjoint(with: [.caseInsensitive, .diacriticInsensitive]),
            case .path(let path) = comparison.left,
            path.steps.count == 1, let field = path.field
        else { return nil }
        let written: [StoredValue]
        switch (comparison.operation, comparison.right) {
        case (.equal, .value(let value)): written = [value]
        case (.in, .values(let values)): written = values
        default: return nil
        }
        let values = written.compactMap(Value.init)
        guard values.count == written.count else { return nil }
        self.init(field, Set(values))
    }
}

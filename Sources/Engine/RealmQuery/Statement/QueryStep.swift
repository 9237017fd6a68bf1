// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

package enum QueryStep: Sendable {
    case filter(Query)
    case sort(SortOrder)
    case distinct(Distinct)
    case limit(Int)

    var limit: Int? { if case .limit(let count) = self { count } else { nil } }

    package func objects(of keys: [ObjectKey], in source: any TableSource) throws -> [ObjectKey] {
        switch self {
        case .filter(let query): try query.filter(keys, in: source)
        case .sort(let order): try order.sort(keys, in: source)
        case .distinct(let distinct): try distinct.distinct(of: keys, in: source)
        case .limit(let count): Array(keys.prefix(count))
        }
    }

    var text: String {
        switch self {
        case .filter(let query): "then \(query.predicate)"
        case .sort(let order): "then sort by \(order.text)"
        case .distinct(let distinct): "then distinct by \(distinct.text)"
        case .limit(let count): "then stop after \(count)"
        }
    }
}

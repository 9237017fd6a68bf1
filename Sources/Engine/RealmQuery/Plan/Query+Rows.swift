// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

extension Query {
    /// Whether the predicate depends only on the object's own properties. If so, only changed objects can start or stop
    /// satisfying it.
    package var readsOnlyRows: Bool { condition.readsOnlyRows }
}

extension Condition {
    fileprivate var readsOnlyRows: Bool {
        switch self {
        case .constant: true
        case .all(let parts), .any(let parts): parts.allSatisfy(\.readsOnlyRows)
        case .chain(let chain): chain.conditions.allSatisfy(\.readsOnlyRows)
        case .not(let part): part.readsOnlyRows
        case .test(let part): part.path.isOfRow
        case .pair(let left, _, let right, _): left.isOfRow && right.isOfRow
        case .subquery, .geo, .computed: false
        }
    }
}

extension ResolvedPath {
    fileprivate var isOfRow: Bool {
        // The content of a mixed value changes without a change of the value.
        guard hops.isEmpty, aspect == .value || aspect == .type else { return false }
        switch end {
        case .column, .elements, .keys, .count, .byteCount, .aggregate, .object: return true
        case .backlinkCount, .incomingLinks, .subscripted, .linkedAggregate: return false
        }
    }
}

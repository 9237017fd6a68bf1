// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmQuery
import RealmRuntime

extension QueryNode {
    /// The collection to which the condition of a subquery refers. Traps unless there is exactly one.
    var subqueryCollection: [PathStep] {
        forEachPath { path in
            guard !path.subscripts.isEmpty else { return }
            throwRealmException(
                "Subqueries do not support \(path.isMapSubscript ? "map" : "AnyRealmValue") subscripts.")
        }
        var collections: Set<[PathStep]> = []
        forEachLeaf { leaf in
            switch leaf {
            case .path(let path), .between(let path, _, _): path.parts.map { _ = collections.insert($0.collection) }
            default: break
            }
        }
        guard let collection = collections.first else { QueryNode.throwNoCollection() }
        guard collections.count == 1 else { throwRealmException("A subquery can refer to only one collection.") }
        return collection
    }

    private func forEachPath(_ body: (QueryPath) -> Void) {
        forEachLeaf { leaf in
            switch leaf {
            case .path(let path), .between(let path, _, _): body(path)
            case .subqueryCount(let node): node.forEachPath(body)
            // The path of `.test` has no subscripts.
            default: break
            }
        }
    }

    /// Whether, in a subquery, the path is compared with one through the subquery's collection. Like in the text of a
    /// subquery, it is then evaluated without the collection.
    func isBare(comparedWith other: QueryNode) -> Bool {
        guard case .path(let path) = self, case .path(let other) = other else { return false }
        return path.parts == nil && other.parts != nil
    }

    static func throwNoCollection() -> Never {
        throwRealmException("Subqueries must contain a keypath starting with a collection.")
    }
}

extension QueryPath {
    /// The path to its first collection, and the steps after it.
    var parts: (collection: [PathStep], rest: [PathStep])? {
        collections.first.map { (Array(steps[..<$0]), Array(steps[$0...])) }
    }

    var partInSubquery: [PathStep] {
        guard let parts else { QueryNode.throwNoCollection() }
        return parts.rest + (operation.map { [.operation($0)] } ?? [])
    }

    var needsAnyInSubquery: Bool { needsAny && collections.count > 1 }
}

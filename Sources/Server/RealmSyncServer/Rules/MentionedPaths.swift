// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmQuery
import RealmStorage
import RealmSyncCore

/// The paths of a predicate.
struct MentionedPaths {
    private(set) var paths: Set<PropertyPath> = []

    /// Returns the reason why the predicate can't be the query of a subscription, or `nil` if it can.
    mutating func collect(_ predicate: Predicate) -> String? {
        switch predicate {
        case .constant: return nil
        case .not(let part): return collect(part)
        case .and(let parts), .or(let parts):
            for part in parts { if let reason = collect(part) { return reason } }
            return nil
        case .comparison(let comparison):
            if let reason = refusal(of: comparison.operation) { return "\(reason), as in '\(excerpt(comparison))'" }
            guard let reason = collect(comparison.left) ?? collect(comparison.right) else { return nil }
            return "\(reason), as in '\(excerpt(comparison))'"
        }
    }

    private func refusal(of operation: ComparisonOperator) -> String? {
        switch operation {
        case .text: "subscriptions can't use full-text search"
        case .matches: "subscriptions can't use MATCHES"
        default: nil
        }
    }

    private mutating func collect(_ operand: Operand) -> String? {
        switch operand {
        case .path(let path): return collect(path)
        case .value(let value): return refusal(of: value)
        case .values(let values): return values.lazy.compactMap(refusal).first
        case .subqueryCount: return "subscriptions can't use SUBQUERY"
        case .object: return "subscriptions can't compare with objects"
        case .shape: return nil
        case .arithmetic(let left, _, let right): return collect(left) ?? collect(right)
        }
    }

    /// The keys of objects differ between files.
    private func refusal(of value: StoredValue) -> String? {
        switch value {
        case .link, .typedLink: "subscriptions can't compare with objects"
        default: nil
        }
    }

    private mutating func collect(_ path: PropertyPath) -> String? {
        guard path.field != nil else { return "subscriptions depend only on the object's own properties" }
        let hasBacklinks = path.steps.contains { step in
            switch step {
            case .backlinks, .incomingLinks: true
            case .property, .operation, .subscript: false
            }
        }
        if hasBacklinks { return "subscriptions can't use @links" }
        paths.insert(path)
        return nil
    }

    private func excerpt(_ comparison: Comparison) -> String {
        let text = comparison.description
        return text.utf8.count <= 200 ? text : text.prefix(160) + "…"
    }
}

extension PropertyPath {
    /// The property of the object itself at which the path starts.
    var field: Text? {
        if case .property(let name)? = steps.first { Text(name) } else { nil }
    }
}

extension SubscriptionQuery {
    /// Compares the query with a schema. A query on an unknown class is valid: it matches nothing yet.
    ///
    /// - Parameter readable: The fields that the user can read. A query on another field would reveal its values.
    /// - Throws: `SubscriptionError`.
    func check(
        in schema: AppSchema, queryable: QueryableFields = .all, readable: FieldSelection = .all
    ) throws(SubscriptionError) {
        switch schema.tables[className]?.kind {
        case nil: return
        case .embedded?:
            throw SubscriptionError(
                className, "embedded objects can't be subscribed to; they come with the objects that contain them")
        case .asymmetric?:
            throw SubscriptionError(className, "asymmetric objects are only sent to the server")
        case .topLevel?: break
        }
        var mentions = MentionedPaths()
        _ = mentions.collect(predicate)
        for path in mentions.paths.sorted(by: { $0.description < $1.description }) {
            if let reason = schema.refusal(of: path, from: className) { throw SubscriptionError(className, reason) }
        }
        if let field = fields.sorted().first(where: { !readable.contains($0) }) {
            throw SubscriptionError(className, "the user can't read the property '\(field)'")
        }
        if let field = fields.sorted().first(where: { !queryable.contains($0, of: className) }) {
            throw SubscriptionError(
                className,
                "the property '\(field)' isn't queryable; the app's rules list the queryable fields")
        }
    }
}

extension AppSchema {
    /// Returns the reason why a subscription can't use a path, or `nil` if it can.
    fileprivate func refusal(of path: PropertyPath, from className: Text) -> String? {
        var table = className
        for step in path.steps {
            guard case .property(let name) = step else { continue }
            guard let column = property(Text(name), of: table) else {
                return "the class '\(table)' has no property '\(name)'"
            }
            if column.type == .link {
                guard let target = column.target, isEmbedded(target) else {
                    return "'\(table).\(name)' is a link; subscriptions depend only on the object's own "
                        + "properties and its embedded objects"
                }
                table = target
            } else {
                // Subscripts and operations follow, which the engine checks.
                return nil
            }
        }
        return nil
    }
}

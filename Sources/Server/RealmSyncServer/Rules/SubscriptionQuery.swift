// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmQuery
import RealmStorage
import RealmSyncCore

/// A query of a subscription: a condition on the objects of one class that depends only on the object itself and
/// on its embedded objects.
///
/// So a changed object can only move into or out of the query itself, and only if one of `fields` was changed.
package struct SubscriptionQuery: Sendable, Hashable {
    package let className: Text
    package let predicate: Predicate
    /// The canonical text. Two queries on a class are equal if their texts are.
    package let text: Text
    /// The properties of the class that the query mentions.
    package let fields: Set<Text>

    /// In bytes.
    package static let maximumLength = 256 << 10

    /// Parses a query. `check(in:queryable:)` compares it with the schema.
    ///
    /// - Throws: `SubscriptionError`.
    package init(_ className: Text, parsing text: String) throws(SubscriptionError) {
        guard text.utf8.count <= SubscriptionQuery.maximumLength else {
            throw SubscriptionError(
                className,
                "it has \(text.utf8.count) bytes; at most \(SubscriptionQuery.maximumLength) are "
                    + "supported")
        }
        try self.init(className, try SubscriptionQuery.predicate(className, text))
    }

    private init(_ className: Text, _ predicate: Predicate) throws(SubscriptionError) {
        self.className = className
        self.predicate = predicate.canonical
        text = Text(self.predicate.description)
        var mentions = MentionedPaths()
        if let reason = mentions.collect(self.predicate) { throw SubscriptionError(className, reason) }
        fields = Set(mentions.paths.compactMap(\.field))
    }

    private static func predicate(_ className: Text, _ text: String) throws(SubscriptionError) -> Predicate {
        do {
            return try Predicate(parsing: text, dialect: .query)
        } catch {
            // A valid statement can only have a part after the predicate, where the parser stopped.
            guard let statement = try? QueryStatement(parsing: text), !statement.steps.isEmpty else {
                throw SubscriptionError(className, error.message, position: error.position)
            }
            throw SubscriptionError(
                className,
                "subscriptions have no SORT, DISTINCT or LIMIT; '\(statement.steps[0])' at position "
                    + "\(error.position ?? 0) must be removed", position: error.position)
        }
    }

    package static func == (a: SubscriptionQuery, b: SubscriptionQuery) -> Bool {
        a.className == b.className && a.text == b.text
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(className)
        hasher.combine(text)
    }
}

extension SubscriptionQuery {
    /// Returns the objects that match both the query and a filter, or `nil` if there can't be any.
    ///
    /// - Throws: `SubscriptionError` if the filter isn't a valid query.
    package func restricted(to filter: DocumentFilter) throws(SubscriptionError) -> SubscriptionQuery? {
        switch filter {
        case .none: return nil
        case .all: return predicate == .constant(false) ? nil : self
        case .matching(let text):
            let filter = try SubscriptionQuery(className, parsing: text.string)
            let both = Predicate.simplified(all: [filter.predicate, predicate])
            return both == .constant(false) ? nil : try SubscriptionQuery(className, both)
        }
    }
}

/// The reason why the server rejects a query, for error 226.
package struct SubscriptionError: Error, Sendable, Equatable, CustomStringConvertible {
    package let className: Text
    package let reason: String
    /// In characters from the start of the query.
    package let position: Int?

    init(_ className: Text, _ reason: String, position: Int? = nil) {
        (self.className, self.reason, self.position) = (className, reason, position)
    }

    package var description: String { "Invalid query on class '\(className.short)': \(reason)" }
}

extension Predicate {
    /// The predicate without nested conjunctions and disjunctions of the same kind, constants, and repetitions.
    fileprivate var canonical: Predicate {
        switch self {
        case .constant, .comparison: return self
        case .and(let parts): return .simplified(all: parts.map(\.canonical))
        case .or(let parts): return .simplified(any: parts.map(\.canonical))
        case .not(let part):
            let part = part.canonical
            if case .constant(let value) = part { return .constant(!value) }
            return .not(part)
        }
    }
}

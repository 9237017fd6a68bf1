// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmSync

/// A query whose objects the server sends to a Realm.
public struct SyncSubscription {
    private let core: SubscriptionsCore
    let stored: RealmSync.Subscription

    init(_ core: SubscriptionsCore, _ stored: RealmSync.Subscription) { (self.core, self.stored) = (core, stored) }

    /// The name of the subscription; `nil` if it has none.
    public var name: String? { stored.name }
    /// The time at which the subscription was added.
    public var createdAt: Date { Date(stored.createdAt) }
    /// The time at which the query was last changed.
    public var updatedAt: Date { Date(stored.updatedAt) }

    /// Replaces the query. Call this within an update of the set; without a condition, all objects of the class are
    /// sent.
    ///
    /// - Precondition: The type is that of the subscription.
    public func updateQuery<T: Object>(toType type: T.Type, where query: ((Query<T>) -> Query<Bool>)? = nil) {
        let text = core.text(core.predicate(query), of: type)
        let name = core.className(of: type)
        core.change { draft throws(SubscriptionDraft.Mistake) in try draft.update(stored.id, name, text) }
    }

    /// Replaces the query. Call this within an update of the set.
    ///
    /// - Precondition: The type is that of the subscription.
    @_disfavoredOverload
    public func updateQuery<T: Object>(toType type: T.Type, where query: (Query<T>) -> Query<Bool>) {
        withoutActuallyEscaping(query) { updateQuery(toType: type, where: Optional($0)) }
    }

    /// Replaces the query by a format string of the predicate language. Call this within an update of the set.
    public func updateQuery(to predicateFormat: String, _ args: Any...) {
        let text = core.text(core.predicate(predicateFormat, args), ofClass: stored.objectClass)
        core.change { draft throws(SubscriptionDraft.Mistake) in
            try draft.update(stored.id, stored.objectClass, text)
        }
    }

    /// Replaces the query by a predicate. Call this within an update of the set.
    public func updateQuery(to predicate: NSPredicate) {
        let text = core.text(core.predicate(predicate), ofClass: stored.objectClass)
        core.change { draft throws(SubscriptionDraft.Mistake) in
            try draft.update(stored.id, stored.objectClass, text)
        }
    }
}

/// A subscription to be added: a class, a condition, and a name.
public struct QuerySubscription<T: Object> {
    /// A condition on the objects of the class.
    public typealias QueryFunction = (Query<T>) -> Query<Bool>

    enum Condition {
        case all
        case query(QueryNode)
        case format(String, [Any])
        case predicate(NSPredicate)
    }

    let name: String?
    let condition: Condition

    /// Creates a subscription to all objects of the class.
    public init(name: String? = nil) { (self.name, condition) = (name, .all) }

    /// Creates a subscription to the objects that satisfy a condition.
    public init(name: String? = nil, query: borrowing QueryFunction) {
        (self.name, condition) = (name, .query(query(Query<T>()).node))
    }

    /// Creates a subscription to the objects that satisfy a format string of the predicate language.
    public init(name: String? = nil, where predicateFormat: String, _ args: Any...) {
        (self.name, condition) = (name, .format(predicateFormat, args))
    }

    /// Creates a subscription to the objects that satisfy a predicate.
    public init(name: String? = nil, where predicate: NSPredicate) {
        (self.name, condition) = (name, .predicate(predicate))
    }

    func predicate(_ core: SubscriptionsCore) -> Predicate {
        switch condition {
        case .all: .constant(true)
        case .query(let node): core.predicate(node)
        case .format(let format, let arguments): core.predicate(format, arguments)
        case .predicate(let predicate): core.predicate(predicate)
        }
    }
}

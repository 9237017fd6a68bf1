// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// A change of the subscriptions: a copy of the newest set, which `SubscriptionStore.add` commits as the next one.
package struct SubscriptionDraft: Sendable {
    package private(set) var subscriptions: [Subscription]
    /// Returns the time of a change.
    private let now: @Sendable () -> Timestamp

    package init(_ subscriptions: [Subscription], now: @escaping @Sendable () -> Timestamp = SyncClock.timestamp) {
        self.subscriptions = subscriptions
        self.now = now
    }

    /// A mistake of the program, with the original's text.
    package enum Mistake: Error, Equatable, CustomStringConvertible {
        case nameIsTaken(String)
        case isAbsent
        case otherClass

        package var description: String {
            switch self {
            case .nameIsTaken(let name):
                """
                A subscription named '\(name)' already exists. If you meant to update the existing subscription please \
                use the `update` method.
                """
            case .isAbsent: "Cannot update a non-existent subscription."
            case .otherClass: "Updating a subscription query of a different Object Type is not allowed."
            }
        }
    }

    package func first(named name: String) -> Subscription? {
        subscriptions.first { $0.name.map { $0.isIdentical(to: name) } ?? false }
    }

    /// Returns the first subscription of a query, named or not.
    package func first(_ objectClass: String, _ query: String) -> Subscription? {
        subscriptions.first { $0.isFor(objectClass, query) }
    }

    /// Adds a subscription. Has no effect if it has no name and the query already has a subscription without a name.
    package mutating func add(
        _ id: ObjectIdBytes, named name: String?, _ objectClass: String, _ query: String
    ) throws(Mistake) {
        if let name {
            if first(named: name) != nil { throw .nameIsTaken(name) }
        } else if subscriptions.contains(where: { $0.name == nil && $0.isFor(objectClass, query) }) {
            return
        }
        let time = now()
        subscriptions.append(
            Subscription(
                id: id, createdAt: time, updatedAt: time, name: name, objectClass: objectClass, query: query))
    }

    /// Changes the query of a subscription, which retains its identifier and the time of its creation.
    package mutating func update(
        _ id: ObjectIdBytes, _ objectClass: String, _ query: String
    ) throws(Mistake) {
        guard let index = subscriptions.firstIndex(where: { $0.id == id }) else { throw .isAbsent }
        guard subscriptions[index].objectClass.isIdentical(to: objectClass) else { throw .otherClass }
        subscriptions[index].query = query
        subscriptions[index].updatedAt = now()
    }

    /// Adds the subscription of `Results.subscribe`, or changes the one with its name. Returns whether the draft
    /// differs from the set, and so has to be committed.
    package mutating func subscribe(
        _ id: ObjectIdBytes, named name: String?, _ objectClass: String, _ query: String
    ) throws(Mistake) -> Bool {
        if let name, let present = first(named: name) {
            if present.isFor(objectClass, query) { return false }
            try update(present.id, objectClass, query)
            return true
        }
        let count = subscriptions.count
        try add(id, named: name, objectClass, query)
        return subscriptions.count > count
    }

    /// Returns whether a subscription was removed.
    @discardableResult
    package mutating func remove(where isRemoved: (Subscription) -> Bool) -> Bool {
        let count = subscriptions.count
        subscriptions.removeAll(where: isRemoved)
        return subscriptions.count < count
    }
}

extension Subscription {
    package func isFor(_ objectClass: String, _ query: String) -> Bool {
        self.objectClass.isIdentical(to: objectClass) && self.query.isIdentical(to: query)
    }
}

/// The state of a set as the application observes it.
package enum SubscriptionStatus: Equatable, Sendable {
    case pending
    case complete
    case error(String)
    /// A newer set is complete, or this one was discarded.
    case superseded
}

extension SubscriptionStore {
    package func status(of version: UInt64) throws -> SubscriptionStatus {
        guard let set = try set(version) else { return .superseded }
        switch set.state {
        case .pending, .bootstrapping, .awaitingMark: return .pending
        case .complete: return .complete
        case .error: return .error(set.error ?? "")
        }
    }
}

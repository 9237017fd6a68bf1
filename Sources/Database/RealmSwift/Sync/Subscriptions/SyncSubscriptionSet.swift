// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmRuntime
import RealmStorage
import RealmSync

/// The subscriptions of a Realm; see ``Realm/subscriptions``.
///
/// ```swift
/// let subscriptions = realm.subscriptions
/// subscriptions.update { subscriptions.append(QuerySubscription<Dog>(name: "old") { $0.age > 9 }) }
/// ```
///
/// Like the Realm, it can be used only on its thread, queue or actor.
public struct SyncSubscriptionSet {
    let core: SubscriptionsCore

    init(_ core: SubscriptionsCore) { self.core = core }

    /// The number of subscriptions.
    public var count: Int { core.subscriptions.count }

    /// The state of the set.
    public var state: SyncSubscriptionState {
        switch core.status {
        case .pending: .pending
        case .complete: .complete
        case .superseded: .superseded
        case .error(let reason): .error(SyncError(.invalidFlexibleSyncSubscriptions, text: reason))
        }
    }

    // MARK: Changes

    /// Changes the subscriptions in `block`, and commits them as one set. The server then sends the objects that match.
    ///
    /// - Parameters:
    ///   - block: Adds, removes, or changes subscriptions of this value.
    ///   - onComplete: Called on any thread after all objects were downloaded, or with the error.
    /// - Precondition: Neither a change of the subscriptions nor a write of the Realm is in progress.
    public func update(_ block: (() -> Void), onComplete: (@Sendable (Error?) -> Void)? = nil) {
        do {
            try core.update(block)
            if let onComplete { _ = core.wait(onComplete) }
        } catch {
            onComplete?(error)
        }
    }

    /// Changes the subscriptions in `block`, and returns after all objects were downloaded.
    ///
    /// - Throws: `SyncError` if the server rejects the subscriptions, and `Realm.Error` if they can't be stored.
    /// - Precondition: Neither a change of the subscriptions nor a write of the Realm is in progress.
    @MainActor public func update(_ block: (() -> Void)) async throws {
        try core.update(block)
        let (file, version) = (core.file, core.version)
        try await file.waitForSubscriptions(version)
    }

    /// Adds subscriptions. A subscription without a name has no effect if another one without a name has its query.
    ///
    /// - Precondition: The names are new. An update of the set is in progress.
    public func append<T: Object>(_ subscriptions: QuerySubscription<T>...) {
        for subscription in subscriptions {
            let text = core.text(subscription.predicate(core), of: T.self)
            let name = core.className(of: T.self)
            core.change { draft throws(SubscriptionDraft.Mistake) in
                try draft.add(ObjectId.generate().bits, named: subscription.name, name, text)
            }
        }
    }

    /// Removes the subscription of a class with this condition, if there is one.
    public func remove<T: Object>(ofType type: T.Type, _ query: @escaping (Query<T>) -> Query<Bool>) {
        remove(type, core.predicate(query))
    }

    /// Removes the subscription of a class with this condition, if there is one.
    public func remove<T: Object>(ofType type: T.Type, where predicateFormat: String, _ args: Any...) {
        remove(type, core.predicate(predicateFormat, args))
    }

    /// Removes the subscription of a class with this condition, if there is one.
    public func remove<T: Object>(ofType type: T.Type, where predicate: NSPredicate) {
        remove(type, core.predicate(predicate))
    }

    private func remove<T: Object>(_ type: T.Type, _ predicate: Predicate) {
        let (name, text) = (core.className(of: type), core.text(predicate, of: type))
        core.change { draft in
            guard let id = draft.first(name, text)?.id else { return }
            draft.remove { $0.id == id }
        }
    }

    /// Removes subscriptions.
    public func remove(_ subscriptions: SyncSubscription...) {
        core.change { draft in
            for subscription in subscriptions { draft.remove { $0.id == subscription.stored.id } }
        }
    }

    /// Removes the subscription with this name, if there is one.
    public func remove(named: String) {
        core.change { draft in
            guard let id = draft.first(named: named)?.id else { return }
            draft.remove { $0.id == id }
        }
    }

    /// Removes all subscriptions, or those without a name.
    public func removeAll(unnamedOnly: Bool = false) {
        core.change { draft in _ = draft.remove { !unnamedOnly || $0.name == nil } }
    }

    /// Removes all subscriptions of a class.
    public func removeAll<T: Object>(ofType type: T.Type) {
        let name = core.className(of: type)
        core.change { draft in _ = draft.remove { $0.objectClass.isIdentical(to: name) } }
    }

    // MARK: Elements

    /// Returns the subscription with this name, or nil if there isn't one.
    public func first(named: String) -> SyncSubscription? { subscription { $0.name?.isIdentical(to: named) ?? false } }

    /// Returns the first subscription of a class with this condition, or nil if there isn't one.
    public func first<T: Object>(
        ofType type: T.Type, `where` query: (Query<T>) -> Query<Bool>
    ) -> SyncSubscription? {
        withoutActuallyEscaping(query) { first(type, core.predicate($0)) }
    }

    /// Returns the first subscription of a class with this condition, or nil if there isn't one.
    public func first<T: Object>(
        ofType type: T.Type, `where` predicateFormat: String, _ args: Any...
    ) -> SyncSubscription? {
        first(type, core.predicate(predicateFormat, args))
    }

    /// Returns the first subscription of a class with this condition, or nil if there isn't one.
    public func first<T: Object>(ofType type: T.Type, `where` predicate: NSPredicate) -> SyncSubscription? {
        first(type, core.predicate(predicate))
    }

    private func first<T: Object>(_ type: T.Type, _ predicate: Predicate) -> SyncSubscription? {
        let (name, text) = (core.className(of: type), core.text(predicate, of: type))
        return subscription { $0.isFor(name, text) }
    }

    private func subscription(where matches: (RealmSync.Subscription) -> Bool) -> SyncSubscription? {
        core.subscriptions.first(where: matches).map { SyncSubscription(core, $0) }
    }

    /// The subscription at a position; `nil` beyond the last one.
    public subscript(position: Int) -> SyncSubscription? {
        let subscriptions = core.subscriptions
        return subscriptions.indices.contains(position) ? SyncSubscription(core, subscriptions[position]) : nil
    }

    /// The first subscription.
    public var first: SyncSubscription? { self[0] }

    /// The last subscription.
    public var last: SyncSubscription? { self[count - 1] }
}

extension SyncSubscriptionSet: Sequence {
    /// Returns an iterator over the subscriptions.
    public func makeIterator() -> SyncSubscriptionSetIterator {
        SyncSubscriptionSetIterator(core.subscriptions.map { SyncSubscription(core, $0) })
    }
}

/// An iterator over the subscriptions of a set.
public struct SyncSubscriptionSetIterator: IteratorProtocol {
    private var rest: ArraySlice<SyncSubscription>

    init(_ subscriptions: [SyncSubscription]) { rest = subscriptions[...] }

    /// Returns the next subscription, or `nil` after the last one.
    public mutating func next() -> SyncSubscription? { rest.popFirst() }
}

extension Realm {
    /// The subscriptions that determine the objects of the Realm.
    ///
    /// - Precondition: The Realm was opened with `User.flexibleSyncConfiguration()`.
    public var subscriptions: SyncSubscriptionSet { SyncSubscriptionSet(SubscriptionsCore(instance)) }
}

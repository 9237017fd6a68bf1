// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmRuntime
import RealmSync

/// The cases in which `Results.subscribe` waits for the server's objects.
public enum WaitForSyncMode {
    /// Waits if the subscription is new or its query was changed.
    case onCreation
    /// Always waits.
    case always
    /// Never waits.
    case never
}

extension Results where Element: Object {
    /// Adds a subscription to the objects of these results, waits for the objects, and returns the results.
    ///
    /// A subscription with the name is changed to the query of the results. Without a name, nothing changes if the
    /// query already has a subscription without a name.
    ///
    /// - Parameters:
    ///   - name: The name of the subscription; `nil` for a subscription without a name.
    ///   - waitForSync: The cases in which the function waits.
    ///   - timeout: The longest time to wait, in seconds; `nil` for no limit.
    ///   - _isolation: The actor of the caller.
    /// - Precondition: The results are those of a class, with conditions only, and the Realm is confined to the main
    ///   thread or to an actor.
    /// - Throws: `SyncError` if the server rejects the subscriptions, `Realm.Error` if they can't be stored, and the
    ///   POSIX error `ETIMEDOUT` after the timeout.
    public func subscribe(
        name: String? = nil, waitForSync: WaitForSyncMode = .onCreation, timeout: TimeInterval? = nil,
        _isolation: isolated any Actor = #isolation
    ) async throws -> Results<Element> {
        if !core.realm.confinement.isActor {
            throwRealmException("`subscribe` can only be called on main thread or actor-isolated Realms")
        }
        let subscriptions = SubscriptionsCore(core.realm)
        let text = subscriptions.text(core.subscribedPredicate, of: Element.self)
        let className = subscriptions.className(of: Element.self)
        let isNew = try subscriptions.subscribe(name, className, text)
        switch waitForSync {
        case .always: break
        case .onCreation where isNew: break
        case .onCreation, .never: return self
        }
        let (file, version) = (subscriptions.file, subscriptions.version)
        try await file.waitForSubscriptions(version, within: timeout)
        return self
    }

    /// Removes the subscription to the objects of these results: the one that `subscribe` added, or the first one of
    /// their query. The objects are removed from the Realm once the server has been informed.
    public func unsubscribe() {
        let subscriptions = SubscriptionsCore(core.realm)
        let text = subscriptions.text(core.subscribedPredicate, of: Element.self)
        let className = subscriptions.className(of: Element.self)
        subscriptions.unsubscribe(className, text)
    }
}

extension LiveQuery {
    /// The condition of a query without other steps.
    fileprivate var subscribedPredicate: Predicate {
        guard case .table = base else {
            throwRealmException("Only the results of a class can be subscribed to.")
        }
        return .all(
            steps.map { step in
                guard case .filter(let query) = step else {
                    throwRealmException("Results with an order, a limit or distinct elements can't be subscribed to.")
                }
                return query.predicate
            })
    }
}

// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmQuery
import RealmRuntime
import RealmStorage
import RealmSync
import RealmSyncCore

/// The state of a `SyncSubscriptionSet`: a set of the file, and the change of it in progress. Confined like its Realm.
final class SubscriptionsCore {
    private let realm: RealmInstance
    let file: SynchronisedFile
    private var current: SubscriptionSet?
    private var draft: SubscriptionDraft?

    init(_ realm: RealmInstance) {
        realm.verifyThread()
        guard let file = realm.coordinator.synchronisedFile, file.sync.isFlexible, !realm.isFrozen else {
            throwRealmException("This Realm was not configured with flexible sync")
        }
        (self.realm, self.file) = (realm, file)
        reload()
    }

    // MARK: Reading

    var subscriptions: [RealmSync.Subscription] { draft?.subscriptions ?? current?.subscriptions ?? [] }

    var version: UInt64 { current?.version ?? 0 }

    func reload() {
        let latest = realm.reading(nil) {
            try SubscriptionStore(try realm.coordinator.database.snapshot(label: "subscriptions"))?.latest
        }
        if let latest { current = latest }
    }

    var status: SubscriptionStatus {
        realm.reading(.pending) {
            try SubscriptionStore(try realm.coordinator.database.snapshot(label: "subscriptions"))?.status(
                of: version) ?? .pending
        }
    }

    // MARK: Changes

    /// Commits the changes made in `block` as the next set.
    func update(_ block: () -> Void) throws {
        try commit { latest in
            draft = SubscriptionDraft(latest)
            defer { draft = nil }
            block()
            return subscriptions
        }
    }

    /// Passes the newest subscriptions to `body`, and commits those that it returns, unless it returns nil. The write
    /// lock is held meanwhile, so that no change is lost.
    @discardableResult
    private func commit(_ body: ([RealmSync.Subscription]) -> [RealmSync.Subscription]?) throws -> Bool {
        // The write would wait for those of this thread.
        if realm.writes.isHeldElsewhere {
            throwRealmException(
                "Cannot initiate a write transaction on subscription set that is already being updated.")
        }
        if realm.isInWriteTransaction {
            throwRealmException("The subscriptions can't be updated within a write transaction of the Realm.")
        }
        realm.writes.isHeldElsewhere = true
        defer { realm.writes.isHeldElsewhere = false }
        realm.writes.yieldTurn()
        realm.writes.finishGroup()
        do {
            let transaction = try realm.coordinator.database.beginWrite(within: realm.configuration.storage.writeLimit)
            do {
                guard let store = try SubscriptionStore(transaction),
                    let changed = body(try store.latest?.subscriptions ?? [])
                else {
                    transaction.rollback()
                    return false
                }
                try requireLimit(changed)
                try store.add(changed)
                try transaction.commit()
            } catch {
                if transaction.isOpen { transaction.rollback() }
                throw error
            }
        } catch let error as SyncError {
            throw error
        } catch {
            throw Realm.Error(error)
        }
        reload()
        file.didCommit()
        return true
    }

    /// A server ends the connection of a client that sends longer queries (§5.2).
    private func requireLimit(_ subscriptions: [RealmSync.Subscription]) throws(SyncError) {
        let count = SubscriptionSet.document(of: subscriptions).utf8.count
        guard count > Wire.maxQuery else { return }
        throw SyncError(
            .invalidFlexibleSyncSubscriptions,
            text: "The queries of the subscriptions have \(count) bytes, more than the \(Wire.maxQuery) that a server "
                + "accepts. The subscriptions are unchanged. Remove some of them, or use shorter queries.")
    }

    /// Adds or changes the subscription of results. Returns whether a set was committed.
    func subscribe(_ name: String?, _ className: String, _ text: String) throws -> Bool {
        let isChanged = try commit { latest in
            var changed = SubscriptionDraft(latest)
            do throws(SubscriptionDraft.Mistake) {
                let id = ObjectId.generate().bits
                return try changed.subscribe(id, named: name, className, text) ? changed.subscriptions : nil
            } catch {
                throwRealmException("\(error)")
            }
        }
        if !isChanged { reload() }
        return isChanged
    }

    /// A failure to store the change is reported like that of other writes.
    func unsubscribe(_ className: String, _ text: String) {
        realm.reading(()) {
            try commit { latest in
                var changed = SubscriptionDraft(latest)
                guard let id = changed.first(className, text)?.id else { return nil }
                changed.remove { $0.id == id }
                return changed.subscriptions
            }
        }
    }

    func change<Result>(_ body: (inout SubscriptionDraft) throws(SubscriptionDraft.Mistake) -> Result) -> Result {
        guard var changed = draft else {
            throwRealmException("Can only add, remove, or update subscriptions within a write subscription block.")
        }
        do {
            let result = try body(&changed)
            draft = changed
            return result
        } catch {
            throwRealmException("\(error)")
        }
    }

    func wait(_ completion: @escaping @Sendable ((any Error)?) -> Void) -> @Sendable (any Error) -> Void {
        file.waitForSubscriptions(version, completion)
    }

    // MARK: Queries

    func text<T: Object>(_ predicate: Predicate, of type: T.Type) -> String {
        text(predicate, of: realm.requireManaged(type).info)
    }

    func text(_ predicate: Predicate, ofClass name: String) -> String {
        text(predicate, of: realm.coordinator.managedClasses.first { $0.info.name.isIdentical(to: name) }?.info)
    }

    private func text(_ predicate: Predicate, of info: ClassInfo?) -> String {
        let classes = realm.coordinator.managedClasses.map(\.info)
        return SubscriptionText(
            { Self.stored($0, info, classes) },
            isInteger: { path in
                guard path.steps.count == 1, case .property(let name) = path.steps[0] else { return false }
                return info?.property(named: name).map { $0.shape.type == .int && $0.shape.collection == .none }
                    ?? false
            }
        ).text(predicate)
    }

    /// Returns a path with the names in the file. A class that the program doesn't have keeps its names.
    private static func stored(_ path: PropertyPath, _ info: ClassInfo?, _ classes: [ClassInfo]) -> PropertyPath {
        var info = info
        return PropertyPath(
            path.steps.map { step in
                guard case .property(let name) = step, let property = info?.property(named: name) else { return step }
                info = property.target(in: classes)
                return .property(property.columnName)
            })
    }

    func className<T: Object>(of type: T.Type) -> String { realm.requireManaged(type).info.name }

    func predicate<T: Object>(_ query: ((Query<T>) -> Query<Bool>)?) -> Predicate {
        query.map { realm.predicate($0) } ?? .constant(true)
    }

    func predicate(_ node: QueryNode) -> Predicate { realm.predicate(node) }

    func predicate(_ format: String, _ arguments: [Any]) -> Predicate { realm.predicate(format, variadic: arguments) }

    func predicate(_ predicate: NSPredicate) -> Predicate { realm.predicate(predicate) }
}

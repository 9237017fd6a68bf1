// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Dispatch

/// The observers of an instance and the state of their delivery; touched at the instance's place only.
struct Observers {
    private var realms: [Weak<RealmObserver>] = []
    private var observers: [Weak<Observer>] = []
    /// The version that is read, as observers see it; its users hold it.
    weak var version: ObservedVersion?
    /// The differences that the delivery in progress has come across.
    private var changes: [VersionChanges] = []
    /// How many deliveries are in progress: one may begin within another, when a block begins a write.
    private var depth = 0
    /// Whether slow queries run in the background, for a delivery to come.
    var isPreparing = false
    /// How often what ran in the background came too late.
    var lateCount = 0
    /// The version whose existence was notified of last while `autorefresh` is off.
    var announced: UInt64 = 0

    /// Where queries run whose observers wait.
    static let background = DispatchQueue(label: "regnum.observers", attributes: .concurrent)

    var isEmpty: Bool { observers.isEmpty }

    var isDelivering: Bool { depth > 0 }

    mutating func add(_ observer: RealmObserver) { realms.append(Weak(object: observer)) }

    mutating func add(_ observer: Observer) { observers.append(Weak(object: observer)) }

    /// The observers of the Realm. Forgets those that do not observe any more.
    mutating func observingRealm() -> [RealmObserver] {
        realms.removeAll { $0.object == nil }
        return realms.compactMap(\.object)
    }

    /// The observers of something in it. Forgets those that do not observe any more.
    mutating func activeObservers() -> [Observer] {
        observers.removeAll { $0.object?.isActive != true }
        return observers.compactMap(\.object)
    }

    mutating func beginDelivery() { depth += 1 }

    mutating func endDelivery() {
        depth -= 1
        forgetChanges()
    }

    /// Lets go of the versions that no delivery is about any more.
    mutating func forgetChanges() { if depth == 0 { changes = [] } }

    /// The differences between two versions, which observers share.
    mutating func changes(from old: ObservedVersion, to new: ObservedVersion) throws -> VersionChanges {
        if let known = changes.first(where: { $0.old === old && $0.new === new }) { return known }
        let made = try VersionChanges(from: old, to: new)
        changes.append(made)
        return made
    }
}

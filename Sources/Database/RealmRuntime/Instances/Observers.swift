// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Dispatch

/// The observers of an instance and the state of their delivery; accessed only in the instance's confinement.
package struct Observers {
    private var versionObservers: [Weak<VersionObserver>] = []
    private var observers: [Weak<Observer>] = []
    /// The current version, as observers see it; retained by its users.
    weak var version: ObservedVersion?
    /// The differences computed during the delivery in progress.
    private var changes: [ObservedChanges] = []
    /// The number of deliveries in progress: a delivery may begin within another when a block begins a write.
    private var depth = 0
    /// Whether slow queries are running in the background for a later delivery.
    package var isPreparing = false
    /// The number of consecutive background runs that finished too late.
    var lateCount = 0
    /// The latest version announced while `autorefresh` is off.
    var announced: UInt64 = 0

    package static let background = DispatchQueue(label: "regnum.observers", attributes: .concurrent)

    package var isEmpty: Bool { observers.isEmpty }

    package var isDelivering: Bool { depth > 0 }

    package mutating func add(_ observer: VersionObserver) { versionObservers.append(Weak(object: observer)) }

    mutating func add(_ observer: Observer) { observers.append(Weak(object: observer)) }

    /// Returns the observers of the instance's versions, after removing inactive ones.
    mutating func observingVersion() -> [VersionObserver] {
        versionObservers.removeAll { $0.object == nil }
        return versionObservers.compactMap(\.object)
    }

    /// Returns the observers of values, after removing inactive ones.
    package mutating func activeObservers() -> [Observer] {
        observers.removeAll { $0.object?.isActive != true }
        return observers.compactMap(\.object)
    }

    mutating func beginDelivery() { depth += 1 }

    mutating func endDelivery() {
        depth -= 1
        forgetChanges()
    }

    /// Releases the differences and their versions once no delivery is in progress.
    mutating func forgetChanges() { if depth == 0 { changes = [] } }

    /// Returns the differences between two versions, which observers share.
    mutating func changes(from old: ObservedVersion, to new: ObservedVersion) throws -> ObservedChanges {
        if let known = changes.first(where: { $0.old === old && $0.new === new }) { return known }
        let made = try ObservedChanges(from: old, to: new)
        changes.append(made)
        return made
    }
}

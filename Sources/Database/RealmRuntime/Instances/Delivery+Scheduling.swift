// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

extension Delivery {
    /// Notifies all observers of pending changes at once. First calls stay pending: computing their contents may take
    /// long.
    package func deliver() { deliver([:], .changes) }

    /// Notifies all observers of pending changes before the write that has just begun changes anything, including first
    /// calls: the notified version is the one at the beginning of the write (row S2). Within another delivery, that one
    /// notifies the others in order, unless the write has moved the instance to a newer version (`hasMoved`).
    func deliverBeforeWrite(hasMoved: Bool) {
        if observers.isDelivering {
            if hasMoved { deliver([:], .quickChanges) }
        } else if !observers.isEmpty {
            deliver([:], .all)
        }
    }

    private enum Scope {
        case quickChanges
        case changes
        /// Also first calls that were prepared or are quick.
        case quickFirstCalls
        case all
    }

    private func deliver(_ prepared: [ObjectIdentifier: Prepared], _ scope: Scope) {
        defer { if !isBehind(reader.snapshot?.version) { instance.tracker?.observersWereNotified() } }
        guard !observers.isEmpty else { return observers.forgetChanges() }
        observers.beginDelivery()
        var isIncomplete = false
        for observer in observers.activeObservers() where observer.isCurrent(in: reader) && observer.hasRoom {
            let prepared = prepared[ObjectIdentifier(observer)]
            let isQuick = prepared != nil || !observer.detector.isSlow
            let isFirst = observer.delivered == nil
            switch scope {
            case .quickChanges where isFirst || !isQuick: continue
            case .changes where isFirst: continue
            case .quickFirstCalls where isFirst && !isQuick:
                isIncomplete = true
                continue
            default: break
            }
            // A block may have begun a write, or refreshed the Realm: later observers are notified of that version.
            do {
                try deliver(to: observer, prepared)
            } catch {
                reader.reading(()) { throw error }
                observer.fail(error)
            }
        }
        observers.endDelivery()
        if isIncomplete { port?.wake() }
    }

    /// Whether an observer has yet to be notified of a version. First calls don't count, because they contain no
    /// change.
    func isBehind(_ version: UInt64?) -> Bool {
        guard let version else { return false }
        return observers.activeObservers().contains {
            $0.delivered != nil && $0.isBehind(version) && $0.isCurrent(in: reader) && $0.hasRoom
        }
    }

    private func deliver(to observer: Observer, _ prepared: Prepared?) throws {
        guard let version = try observedVersion(), observer.isBehind(version.number) else { return }
        if let prepared, prepared.new === version, prepared.old === observer.delivered {
            return observer.deliver(try prepared.detection.get(), at: version)
        }
        let changes = try observer.delivered.map { try observers.changes(from: $0, to: version) }
        observer.deliver(try version.find(changes, observer.detector, observer.contents), at: version)
    }

    /// Notifies all observers of pending changes, like `deliver()`, and makes first calls as well. Slow queries are run
    /// in the background before that, and only then does the instance advance to `target`, so that it never reads a
    /// version that observers weren't notified of.
    func scheduleDelivery(movingTo target: Snapshot?) {
        guard !observers.isPreparing else { return }
        let waiting = observers.activeObservers().filter { $0.isCurrent(in: reader) && $0.hasRoom }
        guard !waiting.isEmpty else { return advance(to: target, [:], .quickFirstCalls) }
        reader.reading(()) {
            let version = try target.map(observed) ?? observedVersion()
            guard let version else { return }
            let jobs = try waiting.compactMap { try job(for: $0, version) }
            guard !jobs.isEmpty, observers.lateCount < 2 else { return advance(to: target, [:], .all) }
            observers.isPreparing = true
            let held = ConfinedReference(instance: instance as RealmInstance)
            Observers.background.async {
                let prepared = jobs.map { job in (job.observer, job.run()) }
                held.instance.reader.confinement.run {
                    held.instance.delivery.backgroundWorkDidFinish(version, target, prepared)
                }
            }
        }
    }

    /// Returns the work to do in the background before an observer is notified of `version`; nil if it is quick.
    private func job(for observer: Observer, _ version: ObservedVersion) throws -> Job? {
        guard observer.detector.isSlow, observer.isBehind(version.number) else { return nil }
        if let delivered = observer.delivered {
            let changes = try observers.changes(from: delivered, to: version)
            guard try observer.detector.mayHaveChanged(changes) else { return nil }
            return Job(observer: observer, contents: observer.contents, changes: changes, new: version)
        }
        return Job(observer: observer, contents: nil, changes: nil, new: version)
    }

    private func backgroundWorkDidFinish(
        _ version: ObservedVersion, _ target: Snapshot?, _ prepared: [(Observer, Prepared)]
    ) {
        observers.isPreparing = false
        // Changes are checked again after that write.
        guard reader.transaction == nil, instance.writes.waiting.inFlight == 0, let snapshot = reader.snapshot
        else { return }
        let isLate = snapshot.version > version.number
        observers.lateCount = isLate ? observers.lateCount + 1 : 0
        if isLate { port?.wake(); return }
        let isWanted = autorefresh || target == nil
        advance(
            to: isWanted ? target : nil,
            Dictionary(prepared.map { (ObjectIdentifier($0), $1) }, uniquingKeysWith: { first, _ in first }),
            .quickFirstCalls)
        if reader.snapshot?.version != reader.database.version { port?.wake() }
    }

    private func advance(
        to target: Snapshot?, _ prepared: [ObjectIdentifier: Prepared], _ scope: Scope
    ) {
        if let target, target.version != reader.snapshot?.version { follow(to: target) }
        observers.lateCount = 0
        deliver(prepared, scope)
    }
}

/// The changes computed for an observer in the background.
struct Prepared: Sendable {
    let old: ObservedVersion?
    let new: ObservedVersion
    let detection: Result<DetectionResult, any Error>
}

extension ObservedVersion {
    /// Returns the changes for an observer at this version; all elements if `changes` is nil. Throws if the
    /// file is damaged.
    fileprivate func find(
        _ changes: ObservedChanges?, _ detector: any ChangeDetector, _ contents: QueryContents?
    ) throws -> DetectionResult {
        let detection: DetectionResult
        if let changes {
            let mayHaveChanged = try detector.mayHaveChanged(changes)
            detection =
                mayHaveChanged ? try detector.find(changes, contents) : DetectionResult(contents: contents)
        } else {
            detection = DetectionResult(contents: detector.contents(in: self))
        }
        try reader.verifyUnfailed()
        return detection
    }
}

private struct Job: Sendable {
    let observer: Observer
    let contents: QueryContents?
    /// nil before the first call.
    let changes: ObservedChanges?
    let new: ObservedVersion

    func run() -> Prepared {
        Prepared(
            old: changes?.old, new: new, detection: Result { try new.find(changes, observer.detector, contents) })
    }
}

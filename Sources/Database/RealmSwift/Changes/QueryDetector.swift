// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmRuntime
import RealmStorage

/// Finds the changes of the elements of a query.
///
/// `@unchecked` because only immutable parts of the core are used, to create a core of a version that all threads may
/// read.
struct QueryDetector: ChangeDetector, @unchecked Sendable {
    let core: ResultsCore
    let filter: KeyPathFilter?
    /// Whether the change also has the modifications that `filter` excludes, and those of objects in mixed values. For
    /// observers that derive more from the elements than they report.
    let findsUnreported: Bool

    init(core: ResultsCore, filter: KeyPathFilter?, findsUnreported: Bool = false) {
        // `core` itself turns into another query once its table exists.
        self.core = core.awaited.map { ResultsCore(core.realm, $0) } ?? core
        self.filter = filter
        self.findsUnreported = findsUnreported
    }

    var hasInitialCall: Bool { true }

    var isSlow: Bool { !core.steps.isEmpty }

    func mayHaveChanged(_ changes: ObservedChanges) throws -> Bool {
        if core.isAwaited {
            guard let (isNew, detector) = arrived(changes) else { return false }
            return try isNew || detector.mayHaveChanged(changes)
        }
        if let table = core.elementClass?.tableKey, try changes.versions.touches(table) { return true }
        switch core.base {
        case .table: return false
        case .collection(let collection): return try changes.versions.touches(collection.path.table)
        case .backlinks(let owner, _): return try changes.versions.touches(owner.managed.tableKey)
        }
    }

    /// Returns the query as it is in the newer version if its table was missing, and whether it had no results in the
    /// older one.
    private func arrived(_ changes: ObservedChanges) -> (isNew: Bool, detector: QueryDetector)? {
        let found = core.transferred(to: changes.new.instance)
        guard found.isStored else { return nil }
        let isNew = !core.transferred(to: changes.old.instance).isStored
        let filter = found.filter(filter?.keyPaths)
        return (isNew, QueryDetector(core: found, filter: filter, findsUnreported: findsUnreported))
    }

    func contents(in version: ObservedVersion) -> ResultsCore.Contents? {
        let core = core.transferred(to: version.instance)
        // A query whose source was deleted cannot be read; it has no elements.
        return core.isInvalidated ? .keys([]) : core.allContents
    }

    func find(_ changes: ObservedChanges, _ contents: ResultsCore.Contents?) throws -> DetectionResult {
        if core.isAwaited { return try findArrived(changes, contents) }
        var modified = ModifiedElements(changes.versions, core.elementClass?.tableKey, findsUnreported ? nil : filter)
        let keys = try modified.keys()
        if case .keys(let old)? = contents, let update = try update(old, changes.versions, modified: keys) {
            let change = try detected(update.change, contents, changes)
            return DetectionResult(change: change, contents: .keys(update.contents))
        }
        let before = contents ?? self.contents(in: changes.old)
        let after = self.contents(in: changes.new)
        var change = PositionChange()
        switch (before, after) {
        case (.table, .table): change = try wholeTable(changes, keys)
        case (.keys(let old), .keys(let new)) where isAscending:
            change = PositionChange(ascending: old, new) { keys.contains($0) }
        case (.keys(let old), .keys(let new)): change = PositionChange(from: old, to: new) { keys.contains($0) }
        case (.values(let old), .values(let new)):
            let linked = findsUnreported ? Set(try old.filter { try modified.contains($0) }) : []
            change = PositionChange(from: old, to: new) { linked.contains($0) }
        case (let old, let new):
            change.deletions = Array(0..<count(of: old, in: changes.old))
            change.insertions = Array(0..<count(of: new, in: changes.new))
        }
        return DetectionResult(change: try detected(change, before, changes), contents: after)
    }

    private func update(
        _ old: [ObjectKey], _ changes: VersionChanges, modified: Set<ObjectKey>
    ) throws -> ContentsUpdate? {
        guard let table = core.wholeClass?.tableKey else { return nil }
        return try ContentsUpdate(of: table, core.steps, old, changes, modified: modified)
    }

    private func findArrived(_ changes: ObservedChanges, _ contents: ResultsCore.Contents?) throws -> DetectionResult {
        guard let (isNew, detector) = arrived(changes) else { return DetectionResult(contents: contents) }
        guard isNew else { return try detector.find(changes, contents) }
        let change = PositionChange(insertions: Array(0..<detector.core.count))
        return DetectionResult(
            change: try detector.detected(change, nil, changes), contents: detector.contents(in: changes.new))
    }

    /// Separates the modifications that the observer isn't notified of. `old` are the elements before the change.
    private func detected(
        _ change: PositionChange, _ old: ResultsCore.Contents?, _ changes: ObservedChanges
    ) throws -> DetectedChange? {
        guard !change.isEmpty else { return nil }
        guard findsUnreported else { return .positions(change) }
        switch old {
        case .keys(let keys):
            var modified = ModifiedElements(changes.versions, core.elementClass?.tableKey, filter)
            let reported = try modified.keys()
            let unreported = change.modifications.filter { !reported.contains(keys[$0]) }
            return .elements(change, unreported: Set(unreported))
        case .values: return .elements(change, unreported: Set(change.modifications))
        // Only sorted queries are observed this way, and they are never a whole table.
        case .table, nil: return .elements(change, unreported: [])
        }
    }

    private var isAscending: Bool {
        guard case .table = core.base else { return false }
        return core.steps.allSatisfy { if case .filter = $0 { true } else { false } }
    }

    private func count(of contents: ResultsCore.Contents?, in version: ObservedVersion) -> Int {
        switch contents {
        case .table, nil: core.transferred(to: version.instance).count
        case .keys(let keys): keys.count
        case .values(let values): values.count
        }
    }

    private func wholeTable(_ changes: ObservedChanges, _ modified: Set<ObjectKey>) throws -> PositionChange {
        guard let key = core.elementClass?.tableKey else { return PositionChange() }
        let objects = try changes.versions.table(key)
        let stayed = modified.subtracting(objects.insertions).sorted()
        let (before, after) = (try changes.old.snapshot.table(key), try changes.new.snapshot.table(key))
        return PositionChange(
            deletions: try before?.clusters.places(of: objects.deletions) ?? [],
            insertions: try after?.clusters.places(of: objects.insertions) ?? [],
            modifications: try before?.clusters.places(of: stayed) ?? [])
    }
}

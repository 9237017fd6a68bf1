// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// Finds the changes of the elements of a query.
package struct QueryDetector: ChangeDetector {
    private let query: ObservedQuery
    private let filter: KeyPathFilter?
    /// Whether the change also has the modifications that `filter` excludes, and those of objects in mixed values. For
    /// observers that derive more from the elements than they report.
    private let findsUnreported: Bool

    package init(_ query: ObservedQuery, filter: KeyPathFilter?, findsUnreported: Bool = false) {
        self.query = query
        self.filter = filter
        self.findsUnreported = findsUnreported
    }

    package var hasInitialCall: Bool { true }

    package var isSlow: Bool { !query.steps.isEmpty }

    package func mayHaveChanged(_ changes: ObservedChanges) throws -> Bool {
        if let resolve = query.resolve {
            guard let (isNew, detector) = arrived(changes, resolve) else { return false }
            return try isNew || detector.mayHaveChanged(changes)
        }
        if let table = query.elements, try changes.versions.touches(table) { return true }
        return switch query.base {
        case .table: false
        case .collection(let path): try changes.versions.touches(path.table)
        case .backlinks(_, let table, _): try changes.versions.touches(table)
        }
    }

    /// Returns the query as it is in the newer version if its table was missing, and whether it had no results in the
    /// older one.
    private func arrived(
        _ changes: ObservedChanges, _ resolve: ObservedQuery.Resolution
    ) -> (isNew: Bool, detector: QueryDetector)? {
        guard let found = resolve(changes.new, filter?.keyPaths) else { return nil }
        let detector = QueryDetector(found.query, filter: found.filter, findsUnreported: findsUnreported)
        return (resolve(changes.old, nil) == nil, detector)
    }

    package func contents(in version: ObservedVersion) -> QueryContents? { query.contents(in: version) }

    package func find(_ changes: ObservedChanges, _ contents: QueryContents?) throws -> DetectionResult {
        if let resolve = query.resolve { return try findArrived(changes, contents, resolve) }
        var modified = ModifiedElements(changes.versions, query.elements, findsUnreported ? nil : filter)
        let keys = try modified.keys()
        if case .keys(let old)? = contents, let update = try update(old, changes.versions, modified: keys) {
            let change = try detected(update.change, contents, changes)
            return DetectionResult(change: change, contents: .keys(update.contents))
        }
        let before = contents ?? query.contents(in: changes.old)
        let after = query.contents(in: changes.new)
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
        guard let table = query.wholeTable else { return nil }
        return try ContentsUpdate(of: table, query.steps, old, changes, modified: modified)
    }

    private func findArrived(
        _ changes: ObservedChanges, _ contents: QueryContents?, _ resolve: ObservedQuery.Resolution
    ) throws -> DetectionResult {
        guard let (isNew, detector) = arrived(changes, resolve) else { return DetectionResult(contents: contents) }
        guard isNew else { return try detector.find(changes, contents) }
        let contents = detector.query.contents(in: changes.new)
        let change = PositionChange(insertions: Array(0..<detector.count(of: contents, in: changes.new)))
        return DetectionResult(change: try detector.detected(change, nil, changes), contents: contents)
    }

    /// Separates the modifications that the observer isn't notified of. `old` are the elements before the change.
    private func detected(
        _ change: PositionChange, _ old: QueryContents?, _ changes: ObservedChanges
    ) throws -> DetectedChange? {
        guard !change.isEmpty else { return nil }
        guard findsUnreported else { return .positions(change) }
        switch old {
        case .keys(let keys):
            var modified = ModifiedElements(changes.versions, query.elements, filter)
            let reported = try modified.keys()
            let unreported = change.modifications.filter { !reported.contains(keys[$0]) }
            return .elements(change, unreported: Set(unreported))
        case .values: return .elements(change, unreported: Set(change.modifications))
        // Only sorted queries are observed this way, and they are never a whole table.
        case .table, nil: return .elements(change, unreported: [])
        }
    }

    private var isAscending: Bool {
        guard case .table = query.base else { return false }
        return query.steps.allSatisfy(\.isFilter)
    }

    private func count(of contents: QueryContents, in version: ObservedVersion) -> Int {
        let (reader, table) = (version.reader, query.elements)
        return contents.count ?? reader.reading(0) { try table.flatMap(reader.table)?.count() ?? 0 }
    }

    private func wholeTable(_ changes: ObservedChanges, _ modified: Set<ObjectKey>) throws -> PositionChange {
        guard let key = query.elements else { return PositionChange() }
        let objects = try changes.versions.table(key)
        let stayed = modified.subtracting(objects.insertions).sorted()
        let (before, after) = (try changes.old.snapshot.table(key), try changes.new.snapshot.table(key))
        return PositionChange(
            deletions: try before?.clusters.places(of: objects.deletions) ?? [],
            insertions: try after?.clusters.places(of: objects.insertions) ?? [],
            modifications: try before?.clusters.places(of: stayed) ?? [])
    }
}

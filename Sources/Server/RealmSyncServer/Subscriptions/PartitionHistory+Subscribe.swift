// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmSyncCore

extension PartitionHistory {
    /// Continues with the query that a file states. Returns the records of the change, or nil if the file needs a
    /// bootstrap.
    ///
    /// - Parameter version: The last version that the file has integrated. Later bootstraps weren't received.
    func resume(
        _ ident: UInt64, with query: VersionedQuery, at version: UInt64, _ rights: UserRights
    ) throws(SessionError) -> [StoreRecord]? {
        guard let file = files[ident], let current = file.views.last(where: { $0.start <= version }) else { return nil }
        do { guard try uncertainObjects(file, after: version).isEmpty else { return nil } } catch {
            throw SessionError(.other, "the versions can't be read now")
        }
        // After a client reset, the file that was reset states its own version of the query (§5.3). The rights of the
        // user may have changed.
        guard let queries = try? queries(QueryDocument(query.text), rights) else { return nil }
        let view = FileView(start: current.start, queryVersion: query.version, queries: queries, rights)
        guard view.queries == current.queries, view.fields == current.fields else { return nil }
        if query.version == current.queryVersion, current.start == file.views.last?.start { return [] }
        return [.view(ident, view, after: version)]
    }

    private func queries(
        _ document: QueryDocument, _ rights: UserRights
    ) throws(SessionError) -> [Text: UInt64] {
        var ids: [Text: UInt64] = [:]
        for query in try document.restricted(to: rights, in: state, queryableFields, isStated: true) {
            // 0 isn't the id of a query.
            ids[query.className] = registry.id(QueryName(query.className, query.text)) ?? 0
        }
        return ids
    }

    /// Adds a version with the bootstrap of a query.
    ///
    /// - Parameters:
    ///   - version: The last version that was sent to the file.
    ///   - isStated: Whether the query is already valid for the client.
    /// - Throws: `SessionError`, `StorageError`. Then nothing is changed.
    mutating func subscribe(
        _ ident: UInt64, to query: VersionedQuery, at version: UInt64, _ next: NextVersion,
        _ documents: QueryDocuments, _ rights: UserRights, isStated: Bool
    ) throws -> (records: [StoreRecord], bootstrap: QueryBootstrap) {
        guard let file = files[ident], !file.isExpired else {
            throw SessionError(.fileExpired, "client file \(ident) was away for too long")
        }
        let document = try QueryDocument(query.text)
        var records: [StoreRecord] = []
        let restricted = try document.restricted(to: rights, in: state, queryableFields, isStated: isStated)
        let queries = try register(restricted, documents, &records)
        let start = newest.version + 1
        let old = file.views.last { $0.start <= version }
        let view = FileView(start: start, queryVersion: query.version, queries: queries, rights)
        let uncertain = try uncertainObjects(file, after: version)
        let known = self.queries([old, view], records)
        let difference = try ViewDifference(from: old, to: view, uncertain, known, state, documents)
        let schema = old == nil ? state.schemaInstructions : []
        let parts = try difference.parts(schema, view, state, spool)
        var change = FileChange(changeset: difference.mergeForm(schema), isBootstrap: true)
        // The file may miss this bootstrap, too.
        change.lost = uncertain.lost
        records += [
            .view(ident, view, after: version), .fileChange(ident, start, change.withEncodedChangeset()),
            .version(emptyVersion(start, next)),
        ]
        for record in records { try apply(record) }
        adopt(known.values)
        let bootstrap = QueryBootstrap(
            queryVersion: query.version, version: start,
            clientVersion: files[ident]?.step(at: start).clientVersion ?? 0,
            timestamp: versions.last?.order.timestamp ?? 0, partCount: parts.count, part: parts.part)
        return (records, bootstrap)
    }

    /// Validates the queries, and appends the records of new ones.
    private func register(
        _ queries: [SubscriptionQuery], _ documents: QueryDocuments, _ records: inout [StoreRecord]
    ) throws -> [Text: UInt64] {
        var ids: [Text: UInt64] = [:]
        var last = registry.lastId
        for query in queries {
            let (name, text) = (query.className, query.text)
            _ = try documents.compile(query)
            if let id = registry.id(QueryName(name, text)) {
                ids[name] = id
            } else {
                last += 1
                ids[name] = last
                records.append(.query(last, name, text))
            }
        }
        return ids
    }

    /// Returns all queries with these ids, of which some are still to be registered.
    private func queries(_ views: [FileView?], _ records: [StoreRecord]) -> [UInt64: QueryRegistry.Query] {
        var found: [UInt64: QueryRegistry.Query] = [:]
        for id in views.compactMap({ $0 }).flatMap(\.queries.values) { found[id] = registry.queries[id] }
        for case .query(let id, let name, let text) in records {
            found[id] = QueryRegistry.Query(id: id, QueryName(name, text))
        }
        return found
    }
}

/// The objects that may differ between a file and its view at the server, because the file hasn't received a bootstrap.
private struct UncertainObjects {
    /// The objects of uploads that were merged with the bootstrap, or with forms of a view that the file never had, and
    /// may differ from those of the file.
    var lost: Set<ObjectReference> = []
    /// The objects of all uploads that were merged with such a view. The file has them, though they may be in none of
    /// its views.
    var held: Set<ObjectReference> = []

    var isEmpty: Bool { lost.isEmpty && held.isEmpty }
}

extension PartitionHistory {
    /// - Parameter version: The last version that the file has.
    private func uncertainObjects(_ file: PartitionFile, after version: UInt64) throws -> UncertainObjects {
        var objects = UncertainObjects()
        let missesView = file.views.contains { $0.start > version }
        for (_, change) in file.changes.after(version) {
            objects.lost.formUnion(change.lost)
            if missesView, !change.isBootstrap { objects.lost.formUnion(change.changeset.objects) }
        }
        guard missesView else { return objects }
        for own in versions(after: version) where own.order.fileIdent == file.salt.ident {
            objects.held.formUnion(try own.changeset.objects)
        }
        objects.lost.formUnion(try diverged(objects.held, of: file, after: version))
        return objects
    }

    /// Returns the uploaded objects that others have changed, if the last view that the file had gives it other
    /// instructions than the view with which the upload was merged.
    private func diverged(
        _ uploaded: Set<ObjectReference>, of file: PartitionFile, after version: UInt64
    ) throws -> Set<ObjectReference> {
        guard !uploaded.isEmpty else { return [] }
        let last = file.views.last { $0.start <= version }
        var found: Set<ObjectReference> = []
        for other in versions(after: version)
        where other.order.fileIdent != file.salt.ident && !other.isEmpty {
            let concerned = uploaded.intersection(try other.changeset.objects)
            if concerned.isEmpty { continue }
            func instructions(_ view: FileView?) throws -> [ObjectReference?: [Instruction]] {
                let form = try view.map { (try other.views ?? ViewChanges()).filter(try other.changeset, for: $0) }
                return Dictionary(grouping: form?.instructions ?? [], by: \.object)
            }
            let (received, merged) = (try instructions(last), try instructions(file.view(at: other.salted.version)))
            found.formUnion(concerned.filter { received[$0] != merged[$0] })
        }
        return found
    }
}

extension PartitionHistory {
    /// Reads the large bootstraps with which changes of a file are merged, once for all changes. Returns the changes
    /// that `unloadBootstraps` restores.
    ///
    /// - Parameter version: The version of the server on which the first change is based.
    mutating func loadBootstraps(
        of ident: UInt64, after version: UInt64, _ budget: inout MergeBudget
    ) throws -> [UInt64: FileChange] {
        var stored: [UInt64: FileChange] = [:]
        var loaded: [UInt64: FileChange] = [:]
        for (version, change) in files[ident]?.changes.after(version) ?? [] where change.spooledSize > 0 {
            let full = try change.loaded()
            try budget.spend(full.changeset.instructions.count)
            (stored[version], loaded[version]) = (change, full)
        }
        for (version, change) in loaded { files[ident]?.changes.set(change, at: version) }
        return stored
    }

    mutating func unloadBootstraps(_ stored: [UInt64: FileChange], of ident: UInt64) {
        for (version, change) in stored {
            guard let current = files[ident]?.changes[version] else { continue }
            var change = change
            change.lost = current.lost
            files[ident]?.changes.set(change, at: version)
        }
    }

    /// The size of the large bootstraps after a version, in bytes.
    func spooledBytes(of ident: UInt64, after version: UInt64) -> Int {
        files[ident]?.changes.after(version).reduce(0) { $0 + $1.change.spooledSize } ?? 0
    }
}

extension PartitionFile {
    /// Returns the records of the objects that an upload has in common with bootstraps which it isn't based on.
    func losses(of change: UploadedChange) throws -> [StoreRecord] {
        let missed = changes.after(change.serverVersion).filter(\.change.isBootstrap)
        guard !missed.isEmpty else { return [] }
        let uploaded = Set(change.changeset.objects)
        return try missed.compactMap { version, bootstrap in
            let objects = try bootstrap.loaded().changeset.instructions.lazy.compactMap(\.object)
            let lost = objects.filter { uploaded.contains($0) }
            return lost.isEmpty ? nil : .lost(salt.ident, version, Array(lost))
        }
    }
}

/// The objects that a file needs, or no longer needs, after a change of its query.
private struct ViewDifference {
    private let entered: [ObjectReference]
    private let left: [ObjectReference]

    init(
        from old: FileView?, to new: FileView, _ uncertain: UncertainObjects, _ known: [UInt64: QueryRegistry.Query],
        _ state: PartitionObjects, _ documents: QueryDocuments
    ) throws {
        var (entered, left) = (ObjectSet(), ObjectSet())
        for name in Set((old?.queries ?? [:]).keys).union(new.queries.keys)
        where old?.queries[name] != new.queries[name] || old?.fields[name] != new.fields[name] {
            func keys(_ id: UInt64?) throws -> [PrimaryKey] {
                guard let query = id.flatMap({ known[$0] }) else { return [] }
                return try documents.keys(query)
            }
            let (before, after) = (try keys(old?.queries[name]), try keys(new.queries[name]))
            let isShownAnew = old?.fields[name] != new.fields[name] || before.isEmpty
            entered.insert(isShownAnew ? after : after.lacking(before), of: name)
            left.insert(before.lacking(after), of: name)
        }
        let objects = Array(uncertain.lost.union(uncertain.held))
        let located = objects.isEmpty ? [:] : try documents.locate(objects, state)
        var shown: Set<ObjectReference> = []
        for (name, id) in new.queries where located[name] != nil {
            guard let query = known[id] else { continue }
            let matches = try documents.matches(query, in: located)
            for (number, object) in objects.enumerated() where matches.contains(number) { shown.insert(object) }
        }
        entered.formUnion(shown.intersection(uncertain.lost))
        left.formUnion(uncertain.held.subtracting(shown))
        left.formUnion(uncertain.lost.filter { !entered.contains($0) })
        (self.entered, self.left) = (entered.sorted, left.sorted)
    }

    /// A merge with the whole bootstrap would discard all changes of these objects.
    func mergeForm(_ schema: [Instruction]) -> Changeset {
        Changeset(schema + (entered + left).map { .eraseObject($0) })
    }

    /// Each object is erased before it's created, so that a repetition has the same result (§5.3).
    func parts(
        _ schema: [Instruction], _ view: FileView, _ state: PartitionObjects, _ spool: SpoolFile?
    ) throws -> SpooledParts {
        var columns = state.columnsBySlot
        for (name, fields) in view.fields {
            columns[name] = columns[name]?.filter { fields.contains($0.value.column.name) }
        }
        var writer = BootstrapWriter(columns: columns, partSize: PartitionHistory.partSize)
        var (parts, references) = (SpooledParts(spool), SpooledParts(spool))
        for instruction in schema { writer.append(instruction) }
        for object in left {
            writer.append(.eraseObject(object))
            try parts.append(writer.takeFullParts())
        }
        try state.forEachRow(of: entered) { object, row in
            writer.append(.eraseObject(object))
            writer.append(.createObject(object))
            writer.add(row, of: object)
            try parts.append(writer.takeFullParts())
            try references.append(writer.takeFullReferences())
        }
        try parts.append(writer.takeParts())
        try references.append(writer.takeReferences())
        parts.append(references)
        if parts.count == 0 { try parts.append([Changeset().encoded()]) }
        return parts
    }
}

/// Distinct objects of several classes.
private struct ObjectSet {
    /// The keys of each class, ascending.
    private var keys: [Text: [PrimaryKey]] = [:]

    /// - Parameter new: Distinct keys of a class without objects in the set.
    mutating func insert(_ new: [PrimaryKey], of name: Text) { keys[name] = new.sorted() }

    mutating func formUnion(_ objects: Set<ObjectReference>) {
        for (name, new) in Dictionary(grouping: objects, by: \.table) {
            keys[name] = Set(keys[name] ?? []).union(new.lazy.map(\.key)).sorted()
        }
    }

    func contains(_ object: ObjectReference) -> Bool {
        guard let keys = keys[object.table] else { return false }
        let index = keys.partitioningIndex { $0 >= object.key }
        return index < keys.count && keys[index] == object.key
    }

    /// In the order of the classes and keys. The keys are sorted by class, because a comparison of class names takes
    /// longer than one of keys.
    var sorted: [ObjectReference] {
        keys.sorted { $0.key < $1.key }.flatMap { name, keys in keys.map { ObjectReference(name, $0) } }
    }
}

extension [PrimaryKey] {
    /// Returns the elements that others lack.
    fileprivate func lacking(_ others: [PrimaryKey]) -> [PrimaryKey] {
        if others.isEmpty { return self }
        let excluded = Set(others)
        return filter { !excluded.contains($0) }
    }
}

extension ObjectReference {
    static func precedes(_ a: ObjectReference, _ b: ObjectReference) -> Bool {
        a.table == b.table ? a.key < b.key : a.table < b.table
    }
}

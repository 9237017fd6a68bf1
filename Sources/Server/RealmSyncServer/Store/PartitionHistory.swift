// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSyncCore

/// A partition in memory: the versions that its files may still need, the state of each file, and the objects.
///
/// All changes are `StoreRecord`s, so replaying a log restores the state.
struct PartitionHistory {
    typealias Version = RetainedVersions.Version

    private var retained: RetainedVersions
    var files: [UInt64: PartitionFile] = [:]
    private(set) var bootstraps: [Bootstrap] = []
    var state = PartitionObjects()
    private(set) var lastIdent = ChangeOrder.serverIdent
    /// The version of `state`. A snapshot also contains versions that are already in its bootstrap.
    private var stateVersion: UInt64 = 0
    private(set) var newestTimestamp: UInt64 = 0
    /// The sequence number of the last ingested record.
    private(set) var ingested: UInt64 = 0
    /// The removed instructions, or `nil` if an instruction that no client can apply is an error.
    private(set) var repair: RepairReport?

    /// Whether files have views.
    let isFlexible: Bool
    private(set) var registry = QueryRegistry()
    private(set) var index = VersionIndex()
    let sharedForms = SharedForms()
    private var nextViews: ViewChanges?
    /// The fields that queries can use. A setting, which isn't recorded.
    var queryableFields = QueryableFields.all
    /// The property with the partition value, in an app that was moved from partitions. It's a setting, too.
    var partitionField: Text?
    /// The large parts of bootstraps; nil if all are in memory.
    var spool: SpoolFile?
    /// The files that receive changes of the versions since `takeConcernedFiles` was called; nil for all files.
    private var concernedFiles: Set<UInt64>?

    /// - Parameter maxMemory: The size of the latest versions that stay in memory, in bytes.
    init(isFlexible: Bool = false, repairs: Bool = false, maxMemory: Int = 4 << 20) {
        (self.isFlexible, retained) = (isFlexible, RetainedVersions(maxMemory: maxMemory))
        repair = repairs ? RepairReport() : nil
    }

    var base: SaltedVersion { retained.base }
    var versions: [Version] { retained.all }
    var newest: SaltedVersion { retained.newest }

    func salt(of version: UInt64) -> UInt64? { retained.salt(of: version) }

    func versions(after version: UInt64) -> ArraySlice<Version> { retained.after(version) }

    // MARK: Records

    /// - Throws: `StateError` if the record isn't valid for the current state.
    mutating func apply(_ record: StoreRecord, _ changeset: Changeset? = nil) throws {
        switch record {
        case .base(let base, let lastIdent):
            retained.restart(at: base)
            self.lastIdent = lastIdent
        case .file(let file):
            files[file.salt.ident] = file
            lastIdent = max(lastIdent, file.salt.ident)
        case .version(let record):
            try apply(
                record, try changeset ?? Changeset(decoding: record.bytes),
                forms: try record.forms.mapValues { try Changeset(decoding: $0) })
        case .advance(let ident, let cursor, let seen):
            let neededBootstrap = files[ident]?.needsBootstrap == true
            files[ident]?.advance(to: cursor)
            files[ident]?.seen = seen
            if neededBootstrap, files[ident]?.needsBootstrap == false { dropBootstraps() }
        case .expire(let ident):
            for view in files[ident]?.views ?? [] { registry.release(view, of: ident) }
            files[ident]?.expire()
            dropBootstraps()
        case .query(let id, let name, let text): registry.add(id, QueryName(name, text))
        case .view(let ident, let view, let after): apply(view, ident, after)
        case .fileChange(let ident, let version, let change):
            files[ident]?.changes.set(change.spooled(in: spool), at: version)
            concernedFiles?.insert(ident)
        case .views(let changes): nextViews = changes
        case .lost(let ident, let version, let objects): files[ident]?.changes.addLost(objects, at: version)
        case .bootstrap(let bootstrap): try apply(bootstrap)
        case .end: break
        case .ingest(let record): ingested = record.sequence
        case .ingested(let sequence): ingested = sequence
        case .schemaVersion(let ident, let version): files[ident]?.schemaVersion = version
        }
    }

    /// The numbers through `sequence` are already used.
    mutating func skipIngested(through sequence: UInt64) { ingested = max(ingested, sequence) }

    private mutating func apply(_ view: FileView, _ ident: UInt64, _ after: UInt64) {
        guard files[ident]?.isExpired == false, let views = files[ident]?.views else { return }
        registry.retain(view, of: ident)
        let horizon = files[ident]?.horizon ?? 0
        let replaced = views.filter { $0.start > after || $0.start == view.start }
        let kept = views.filter { $0.start <= after && $0.start != view.start }
        // The last view before the horizon still applies to the versions after it.
        let current = kept.lastIndex { $0.start <= horizon } ?? 0
        for view in replaced + kept[..<current] { registry.release(view, of: ident) }
        files[ident]?.views = kept[current...] + [view]
        for (version, change) in files[ident]?.changes.after(after) ?? [] where change.isBootstrap {
            files[ident]?.changes.remove(at: version)
            files[ident]?.forms[version] = nil
        }
    }

    mutating func adopt(_ queries: some Sequence<QueryRegistry.Query>) {
        for query in queries { registry.adopt(query) }
    }

    mutating func takeConcernedFiles() -> Set<UInt64>? {
        defer { concernedFiles = [] }
        return concernedFiles
    }

    /// All files receive changes of the schema.
    private mutating func noteConcerned(_ changeset: Changeset) {
        guard concernedFiles != nil else { return }
        if changeset.instructions.contains(where: { $0.object == nil }) { concernedFiles = nil }
        for id in (nextViews?.members ?? [:]).keys {
            guard let files = registry.queries[id]?.files else { continue }
            concernedFiles?.formUnion(files.keys)
        }
    }

    /// Omits the state from the records that follow. `restoreState` must be called after them.
    mutating func deferState() { stateVersion = .max }

    /// Restores the state of the newest version from the documents, or from the versions if the documents are those of
    /// another history.
    ///
    /// - Throws: `StoreError` if no client can apply a version.
    mutating func restoreState(_ stored: DocumentSnapshot, _ folder: String, _ documents: OpenDocuments) throws {
        let version = stored.version
        do {
            if version.version >= base.version, version.version > 0, salt(of: version.version) == version.salt,
                let found = try? PartitionObjects(StoredRows(folder, containing: version, in: documents), version)
            {
                state = found
                stateVersion = version.version
            } else {
                (state, stateVersion) = (PartitionObjects(), 0)
                if let bootstrap = bootstraps.last { try replay(bootstrap) }
            }
            for version in versions(after: stateVersion) { try state.apply(try version.changeset) }
            stateVersion = newest.version
        } catch let error as StateError {
            throw StoreError(folder: folder, error)
        }
    }

    /// The state contains the versions up to this one.
    mutating func markState(through version: UInt64) { stateVersion = version }

    private mutating func apply(
        _ record: VersionRecord, _ changeset: Changeset, forms: [UInt64: Changeset] = [:]
    ) throws {
        let version = record.version.version
        guard version == newest.version &+ 1 else { throw StateError("version \(version) follows \(newest.version)") }
        if version > stateVersion {
            try changeState(changeset)
            stateVersion = version
        }
        newestTimestamp = max(newestTimestamp, record.timestamp)
        let hasSchema = changeset.instructions.contains { $0.object == nil }
        if isFlexible {
            noteConcerned(changeset)
            if !changeset.isEmpty { index.add(version, nextViews, hasSchema: hasSchema) }
        }
        let size = retained.append(record, changeset, nextViews, hasSchema: hasSchema, spool)
        nextViews = nil
        guard files[record.origin]?.isExpired == false else { return }
        for (version, form) in forms { files[record.origin]?.forms[version] = form }
        let own = (files[record.origin]?.steps.last?.bytes ?? 0) + size
        files[record.origin]?.steps.append(
            PartitionFile.Step(version: version, clientVersion: record.clientVersion, bytes: own))
        files[record.origin]?.advance(
            to: UploadCursor(clientVersion: record.clientVersion, serverVersion: record.serverVersion))
    }

    private mutating func apply(_ bootstrap: Bootstrap) throws {
        newestTimestamp = max(newestTimestamp, bootstrap.timestamp)
        if bootstrap.version > stateVersion { try replay(bootstrap) }
        bootstraps.append(bootstrap.spooled(in: spool))
        dropBootstraps()
    }

    private mutating func replay(_ bootstrap: Bootstrap) throws {
        state = PartitionObjects()
        if repair != nil { repair = RepairReport() }
        for entry in bootstrap.entries { try changeState(try Changeset(decoding: try entry.kept.bytes)) }
        stateVersion = bootstrap.version
    }

    private mutating func changeState(_ changeset: Changeset) throws {
        guard var report = repair else { return try state.apply(changeset) }
        try state.apply(changeset) { report.add($0, $1) }
        repair = report
    }

    /// Reduces the history to the current state. All files must reset themselves, and all documents are filled again,
    /// because the version has a new salt.
    ///
    /// - Throws: `StorageError`.
    mutating func restart() throws {
        retained.restart(at: SaltedVersion(version: newest.version, salt: StoredPartition.newSalt()))
        for ident in files.keys { files[ident]?.expire() }
        (registry, index) = (QueryRegistry(), VersionIndex())
        guard base.version > 0 else { return }
        let parts = try state.encodedChangesets(
            partSize: PartitionHistory.partSize, maxParts: Int(clamping: base.version))
        bootstraps = [Bootstrap(version: base.version, timestamp: newestTimestamp, parts).spooled(in: spool)]
    }

    private mutating func dropBootstraps() {
        guard bootstraps.count > 1 else { return }
        let needed = isFlexible ? [] : Set(files.values.lazy.filter(\.needsBootstrap).map(\.bootstrap))
        let latest = bootstraps[bootstraps.count - 1].version
        bootstraps.removeAll { $0.version != latest && !needed.contains($0.version) }
    }

    // MARK: Merging

    /// Merges changes of a file, in order, and adds each as a version, except those that are already integrated. If it
    /// throws, nothing is changed.
    ///
    /// Changes based on the same server version are merged with the unseen versions at once. Changes based on many
    /// versions, and those to one object, can cost the product of both: `budget` limits the cost.
    ///
    /// - Returns: The records of the versions. They must become durable together, because the last one contains the
    ///   forms that result from all changes.
    /// - Throws: `MergeError`, `StateError`.
    mutating func integrate(
        _ changes: [UploadedChange], from ident: UInt64, salt: UInt64, _ budget: inout MergeBudget
    ) throws -> [StoreRecord] {
        guard var file = files[ident], !file.isExpired else {
            throw StateError("the client file \(ident) is unknown or expired")
        }
        let new = changes.drop { $0.clientVersion <= file.upload.clientVersion }
        guard !new.isEmpty else { return [] }
        var changesets: [Changeset] = []
        var changed: Set<UInt64> = []
        var rest = new
        while let first = rest.first {
            let group = rest.prefix { $0.serverVersion == first.serverVersion }
            rest = rest.dropFirst(group.count)
            var replaced: [ObjectReference: ReplacedObject] = [:]
            changesets += try merge(group, into: &file, &changed, &replaced, &budget)
        }
        var records = zip(new, changesets).enumerated().map { index, pair in
            record(pair.0, pair.1, SaltedVersion(version: newest.version + UInt64(index) + 1, salt: salt))
        }
        let forms = file.forms.filter { changed.contains($0.key) }
        records[records.count - 1].forms = forms.mapValues { $0.encoded() }
        try state.apply(changesets)
        stateVersion = newest.version + UInt64(records.count)
        files[ident]?.forms = file.forms
        for (record, changeset) in zip(records, changesets) { try apply(record, changeset) }
        return records.map { .version($0) }
    }

    /// Merges changes based on one server version with the unseen versions. Stores the resulting forms in the file, and
    /// adds their versions to `changed`.
    ///
    /// - Parameter replaced: Receives the uploaded objects whose changes are discarded although they still exist.
    func merge(
        _ group: ArraySlice<UploadedChange>, into file: inout PartitionFile, _ changed: inout Set<UInt64>,
        _ replaced: inout [ObjectReference: ReplacedObject], _ budget: inout MergeBudget
    ) throws -> [Changeset] {
        var clientVersion = file.upload.clientVersion
        for change in group {
            guard change.clientVersion > clientVersion else {
                throw StateError("client version \(change.clientVersion) follows \(clientVersion)")
            }
            clientVersion = change.clientVersion
        }
        let serverVersion = group[group.startIndex].serverVersion
        guard serverVersion >= file.upload.serverVersion, serverVersion <= newest.version else {
            throw StateError("server version \(serverVersion) is behind, or still to come")
        }
        var incoming = group.map { MergeInput($0.changeset, $0.order) }
        if !incoming.allSatisfy(\.changeset.isEmpty) {
            let others = try others(than: file, after: serverVersion, &budget)
            var local = others.map { MergeInput(file.forms[$0.version] ?? $0.changeset, $0.order) }
            if isFlexible {
                let uploaded = Set(group.lazy.flatMap { $0.changeset.objects })
                for (other, form) in zip(others, local) {
                    try noteReplaced(uploaded, by: form.changeset, of: other.version, file, &replaced)
                }
            }
            try Merger.merge(incoming: &incoming, local: &local, &budget)
            for (other, form) in zip(others, local) where form.isChanged {
                file.forms[other.version] = form.changeset
                changed.insert(other.version)
            }
        }
        file.advance(to: UploadCursor(clientVersion: clientVersion, serverVersion: serverVersion))
        return incoming.map(\.changeset)
    }

    func record(
        _ change: UploadedChange, _ changeset: Changeset, _ version: SaltedVersion
    ) -> VersionRecord {
        VersionRecord(
            version: version, origin: change.order.fileIdent, clientVersion: change.clientVersion,
            serverVersion: change.serverVersion, timestamp: change.order.timestamp,
            originalSize: change.originalSize, bytes: changeset.encoded(), forms: [:])
    }

    private struct Other {
        let version: UInt64
        let changeset: Changeset
        let order: ChangeOrder
    }

    /// Returns the versions of others after `version` that the file hasn't seen, in order.
    private func others(
        than file: PartitionFile, after version: UInt64, _ budget: inout MergeBudget
    ) throws -> [Other] {
        var found: [Other] = []
        // The file's own versions are skipped in one step, because clients send many in a row.
        let start = max(version, file.bootstrap)
        var next = newest.version
        while next > start {
            try budget.spend(1)
            let version = retained[next]
            if version.order.fileIdent == file.salt.ident {
                next = version.previousOfOther
            } else {
                let changeset = try merged(version, of: file)
                if isFlexible { try budget.spend(Int(version.instructionCount)) }
                if !changeset.isEmpty {
                    found.append(Other(version: next, changeset: changeset, order: version.order))
                }
                next -= 1
            }
        }
        found.reverse()
        guard !isFlexible, version < file.bootstrap, let bootstrap = bootstrap(file.bootstrap) else { return found }
        try budget.spend(bootstrap.entries.count)
        return try bootstrap.entries(after: version).map {
            Other(version: $0.version, changeset: try Changeset(decoding: try $0.kept.bytes), order: bootstrap.order)
        } + found
    }

    private func bootstrap(_ version: UInt64) -> Bootstrap? { bootstraps.first { $0.version == version } }

    // MARK: Downloads

    /// - Throws: `SystemError` if a large bootstrap or an old version can't be read from its file.
    func downloads(for ident: UInt64, after version: UInt64, limit: Int) throws -> DownloadBatch {
        guard let file = files[ident] else {
            return DownloadBatch(
                entries: [], cursor: DownloadCursor(serverVersion: version), remainingBytes: 0)
        }
        var batch = DownloadBatch(
            entries: [], cursor: DownloadCursor(serverVersion: version), remainingBytes: 0)
        var size = 0
        if version < file.bootstrap, let bootstrap = bootstrap(file.bootstrap) {
            try add(bootstrap, after: version, to: &batch, &size, limit)
            guard batch.remainingBytes == 0 else {
                batch.remainingBytes += UInt64(remaining(file, after: bootstrap.version))
                return batch
            }
        }
        try add(file, after: max(version, file.bootstrap), to: &batch, &size, limit)
        return batch
    }

    private func add(
        _ bootstrap: Bootstrap, after version: UInt64, to batch: inout DownloadBatch, _ size: inout Int, _ limit: Int
    ) throws {
        for entry in bootstrap.entries(after: version) {
            guard size <= limit else {
                batch.remainingBytes += UInt64(entry.kept.count)
                continue
            }
            let bytes = try entry.kept.bytes
            size += bytes.count
            batch.cursor.serverVersion = entry.version
            batch.entries.append(
                ServerMessage.Download.Entry(
                    serverVersion: entry.version, clientVersion: 0, timestamp: bootstrap.timestamp,
                    origin: ChangeOrder.serverIdent, originalSize: UInt64(bytes.count), changeset: bytes))
        }
        if batch.remainingBytes == 0 { batch.cursor.serverVersion = max(batch.cursor.serverVersion, bootstrap.version) }
    }

    private func add(
        _ file: PartitionFile, after start: UInt64, to batch: inout DownloadBatch, _ size: inout Int, _ limit: Int
    ) throws {
        var end = start
        for version in versions(after: start) {
            let isSent = version.order.fileIdent != file.salt.ident && !version.isEmpty
            if isSent, size > limit { break }
            end = version.salted.version
            guard isSent else { continue }
            size += version.kept.count
            batch.entries.append(
                ServerMessage.Download.Entry(
                    serverVersion: end, clientVersion: file.step(at: end).clientVersion,
                    timestamp: version.order.timestamp, origin: version.order.fileIdent,
                    originalSize: UInt64(version.originalSize), changeset: try version.kept.bytes))
        }
        batch.cursor = DownloadCursor(
            serverVersion: max(end, batch.cursor.serverVersion), clientVersion: file.step(at: end).clientVersion)
        batch.remainingBytes = UInt64(remaining(file, after: end))
    }

    /// The size of the common history that the file hasn't received, in bytes.
    private func remaining(_ file: PartitionFile, after version: UInt64) -> Int {
        let total = retained.totalBytes - retained.totalBytes(at: version)
        return max(0, total - ((file.steps.last?.bytes ?? 0) - file.step(at: version).bytes))
    }

    /// The size of the versions after `version` that the file hasn't seen, in bytes.
    func unseenBytes(by ident: UInt64, after version: UInt64) -> Int {
        guard let file = files[ident] else { return 0 }
        let own = bootstrap(file.bootstrap).map { version < $0.version ? $0.totalBytes : 0 } ?? 0
        return own + remaining(file, after: max(version, file.bootstrap))
    }

    /// An upper bound of the number of others' versions after `version` that the file hasn't seen.
    func unseenCount(by ident: UInt64, after version: UInt64) -> Int {
        guard let file = files[ident] else { return 0 }
        let start = max(version, file.bootstrap)
        guard start < newest.version, let last = versions.last else { return 0 }
        guard last.order.fileIdent != ident || last.previousOfOther > start else { return 0 }
        return Int(newest.version - start)
    }

    // MARK: Compaction

    /// The size in bytes at which a part of a bootstrap, or a changeset of a command, ends, including the instruction
    /// that exceeds it.
    static let partSize = 128 << 10
    /// Files that haven't completed an older bootstrap must start again.
    static let maxBootstraps = 8
    /// The maximum size of a history that is sent without a bootstrap, in bytes.
    static let shortHistory = 4 << 10

    /// A new file would receive much data that it doesn't need.
    var isBootstrapDue: Bool {
        let (covered, size) = bootstraps.last.map { ($0.version, $0.totalBytes) } ?? (0, 0)
        return retained.totalBytes - retained.totalBytes(at: covered) > max(size, PartitionHistory.shortHistory)
    }

    /// 0 if a new file starts from the first version.
    var latestBootstrap: UInt64 { bootstraps.last?.version ?? 0 }

    /// Returns `nil` if there is already a bootstrap of this version, or the history is empty.
    ///
    /// - Throws: `StorageError`.
    func makeBootstrap() throws -> Bootstrap? {
        guard newest.version > latestBootstrap else { return nil }
        let parts = Int(clamping: newest.version)
        return Bootstrap(
            version: newest.version, timestamp: newestTimestamp,
            try state.encodedChangesets(partSize: PartitionHistory.partSize, maxParts: parts))
    }

    /// Expired before another bootstrap is added.
    var filesToForget: [UInt64] {
        guard !isFlexible, bootstraps.count >= PartitionHistory.maxBootstraps else { return [] }
        let oldest = bootstraps[0].version
        return files.values.filter { $0.needsBootstrap && $0.bootstrap == oldest }.map(\.salt.ident).sorted()
    }

    mutating func trim() {
        let end = files.values.lazy.filter { !$0.isExpired }.map(\.horizon).reduce(latestBootstrap, min)
        guard retained.trim(through: end) else { return }
        index.trim(through: end)
        for ident in files.keys { files[ident]?.trim(through: end) }
    }

    /// Passes the records that recreate the history to `body`.
    func records(_ body: (StoreRecord) throws -> Void) throws {
        try body(.base(base, lastIdent: lastIdent))
        for bootstrap in bootstraps { try body(.bootstrap(bootstrap)) }
        for query in registry.queries.values.sorted(by: { $0.id < $1.id }) {
            try body(.query(query.id, query.className, query.name.text))
        }
        for ident in files.keys.sorted() { if let file = files[ident] { try records(file, body) } }
        for version in versions {
            if let views = try version.views { try body(.views(views)) }
            try body(.version(try record(version)))
        }
        if ingested > 0 { try body(.ingested(ingested)) }
        try body(.end)
    }

    private func records(_ file: PartitionFile, _ body: (StoreRecord) throws -> Void) throws {
        try body(.file(file))
        if file.schemaVersion > 0 { try body(.schemaVersion(file.salt.ident, file.schemaVersion)) }
        for view in file.views { try body(.view(file.salt.ident, view, after: view.start)) }
        for (version, change) in file.changes.entries {
            try body(.fileChange(file.salt.ident, version, change))
        }
    }

    private func record(_ version: Version) throws -> VersionRecord {
        let step = files[version.order.fileIdent]?.step(at: version.salted.version)
        return VersionRecord(
            version: version.salted, origin: version.order.fileIdent, clientVersion: step?.clientVersion ?? 0,
            serverVersion: 0, timestamp: version.order.timestamp, originalSize: Int(version.originalSize),
            bytes: try version.kept.bytes, forms: [:])
    }
}

// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSyncCore

extension PartitionHistory {
    /// Returns the form of a version with which the uploads of a file are merged. A partition has one form for all
    /// files.
    ///
    /// - Throws: `SystemError` if a large bootstrap can't be read.
    func merged(_ version: Version, of file: PartitionFile) throws -> Changeset {
        guard isFlexible else { return try version.changeset }
        let change = try file.changes[version.salted.version]?.loaded()
        return try form(of: version, change, file)
    }

    private func form(of version: Version, _ change: FileChange?, _ file: PartitionFile) throws -> Changeset {
        let form = try change?.changeset ?? shown(version, to: file)
        guard !form.isEmpty, let lost = file.changes.bootstrap(after: version.salted.version)?.lost, !lost.isEmpty,
            form.instructions.contains(where: { $0.object.map(lost.contains) == true })
        else { return form }
        return Changeset(form.instructions.filter { $0.object.map(lost.contains) != true })
    }

    private func shown(_ version: Version, to file: PartitionFile) throws -> Changeset {
        guard try version.concerns(file), let view = file.view(at: version.salted.version) else { return Changeset() }
        return (try version.views ?? ViewChanges()).filter(try version.changeset, for: view)
    }

    /// Adds the objects that a form of a version erases in the file, although they aren't erased for others. Changes of
    /// these objects are discarded by a merge with the form.
    func noteReplaced(
        _ uploaded: Set<ObjectReference>, by form: Changeset, of version: UInt64, _ file: PartitionFile,
        _ replaced: inout [ObjectReference: ReplacedObject]
    ) throws {
        let erased = form.erasures.filter(uploaded.contains)
        guard !erased.isEmpty, let position = versions(after: version - 1).first else { return }
        let isReversal = file.changes[version]?.isBootstrap == false
        for object in erased.subtracting(try position.changeset.erasures) {
            replaced[object] = ReplacedObject(isReverted: isReversal || replaced[object]?.isReverted == true)
        }
    }

    // MARK: Downloads

    /// - Throws: `SystemError` if an old version can't be read from its file.
    func downloads(
        for ident: UInt64, after version: UInt64, through end: UInt64, limit: Int
    ) throws -> DownloadBatch {
        var batch = DownloadBatch(
            entries: [], cursor: DownloadCursor(serverVersion: max(version, min(base.version, end))), remainingBytes: 0)
        guard let file = files[ident] else { return batch }
        // A new file receives the versions before its first view, and the removed ones, with its bootstrap.
        let firstOwn = file.changes.after(version).first?.version ?? .max
        let first = min(file.views.first?.start ?? .max, firstOwn)
        batch.cursor.serverVersion = max(batch.cursor.serverVersion, min(first - min(first, 1), end))
        var size = 0
        var reached = min(end, newest.version)
        for number in concerning(file, after: batch.cursor.serverVersion, through: reached) {
            guard let entry = try entry(of: number, for: file) else { continue }
            if size > limit {
                reached = number - 1
                break
            }
            size += entry.changeset.count
            batch.entries.append(entry)
        }
        batch.cursor.serverVersion = max(batch.cursor.serverVersion, reached)
        batch.cursor.clientVersion = file.step(at: batch.cursor.serverVersion).clientVersion
        return batch
    }

    /// Returns the versions that can concern a file, in order.
    private func concerning(_ file: PartitionFile, after start: UInt64, through end: UInt64) -> [UInt64] {
        guard start < end else { return [] }
        var queries: Set<UInt64> = []
        for view in file.views where view.start <= end { queries.formUnion(view.queries.values) }
        let ofViews = index.versions(of: queries, in: start + 1...end)
        let own = file.changes.after(start).lazy.map(\.version).prefix { $0 <= end }
        if own.isEmpty { return ofViews }
        return Set(ofViews).union(own).sorted()
    }

    private func entry(of number: UInt64, for file: PartitionFile) throws -> ServerMessage.Download.Entry? {
        let index = Int(number - base.version) - 1
        let change = file.changes.isEmpty ? nil : file.changes[number]
        // A session sends the parts of a bootstrap.
        if change?.isBootstrap == true || versions[index].order.fileIdent == file.salt.ident { return nil }
        guard try change != nil || !versions[index].isEmpty && versions[index].concerns(file) else { return nil }
        let bytes = try bytes(at: index, change, file)
        guard !bytes.isEmpty else { return nil }
        return ServerMessage.Download.Entry(
            serverVersion: number, clientVersion: file.step(at: number).clientVersion,
            timestamp: versions[index].order.timestamp, origin: versions[index].order.fileIdent,
            originalSize: UInt64(versions[index].originalSize), changeset: bytes)
    }

    /// Returns the encoded form of a version for a file. Empty without instructions.
    private func bytes(at index: Int, _ change: FileChange?, _ file: PartitionFile) throws -> [UInt8] {
        func make() throws -> [UInt8] {
            let version = try versions[index].loaded()
            let changeset = try form(of: version, change, file)
            return try changeset == version.changeset ? version.kept.bytes : changeset.encoded()
        }
        // The file may lack objects that others with the same view have.
        guard change == nil, file.changes.isEmpty, let view = file.view(at: versions[index].salted.version),
            view.fields.isEmpty, let views = try versions[index].views
        else { return try make() }
        let key = try sharedForms.key(versions[index].salted.version, views, view) { try versions[index].changeset }
        return try sharedForms.bytes(key, make)
    }

    /// In the order of the versions.
    func reports(for ident: UInt64, after version: UInt64) -> [WriteReport] {
        guard let changes = files[ident]?.changes, !changes.isEmpty else { return [] }
        return changes.after(version).filter { !$0.change.rejected.isEmpty }.map {
            WriteReport(version: $0.version, clientVersion: $0.change.clientVersion, updates: $0.change.rejected)
        }
    }

    // MARK: Versions of the server

    struct NextVersion {
        let salt: UInt64
        /// In milliseconds since 2015.
        let time: UInt64
    }

    /// Returns a version that only one file receives.
    func emptyVersion(_ number: UInt64, _ next: NextVersion) -> VersionRecord { ownVersion(number, next, []) }

    /// - Parameter bytes: The encoded changeset.
    func ownVersion(_ number: UInt64, _ next: NextVersion, _ bytes: [UInt8]) -> VersionRecord {
        VersionRecord(
            version: SaltedVersion(version: number, salt: next.salt), origin: ChangeOrder.serverIdent,
            clientVersion: 0, serverVersion: number - 1, timestamp: max(next.time, newestTimestamp),
            originalSize: bytes.count, bytes: bytes, forms: [:])
    }
}

extension PartitionHistory.Version {
    /// Whether a file receives anything of the version. Most old versions aren't decoded for that.
    fileprivate func concerns(_ file: PartitionFile) throws -> Bool {
        guard !isEmpty, let view = file.view(at: salted.version) else { return false }
        if hasSchema { return true }
        guard let members = try views?.members else { return false }
        return view.queries.values.contains { members[$0] != nil }
    }
}

/// An object that has left the view of a file, or is sent to it again, by a version that the file hasn't seen.
struct ReplacedObject {
    /// Whether an earlier write of the file to the object was reverted.
    var isReverted: Bool
}

extension Changeset {
    fileprivate var erasures: Set<ObjectReference> {
        var erased: Set<ObjectReference> = []
        for case .eraseObject(let object) in instructions { erased.insert(object) }
        return erased
    }
}

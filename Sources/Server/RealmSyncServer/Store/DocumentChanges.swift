// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSyncCore
import RealmSystem

/// The versions of a partition that bring its documents up to date.
struct DocumentChanges: Sendable {
    struct Step: Sendable {
        /// `nil` for a part of a bootstrap, except its last.
        let version: SaltedVersion?
        let kept: KeptBytes
    }

    /// The version before the first step.
    private(set) var base: SaltedVersion
    private(set) var steps: [Step] = []
    /// The changes that create the state of one of these versions from nothing.
    private(set) var bootstrap: Bootstrap?

    init(base: SaltedVersion = SaltedVersion(), _ steps: [Step] = [], bootstrap: Bootstrap? = nil) {
        (self.base, self.steps, self.bootstrap) = (base, steps, bootstrap)
    }

    var newest: SaltedVersion { steps.last?.version ?? base }

    private func version(_ number: UInt64) -> SaltedVersion? {
        guard number >= base.version, number <= newest.version else { return nil }
        return number == base.version ? base : steps[Int(number - base.version) - 1].version
    }

    /// Returns `nil` if the position isn't one of these versions.
    func steps(after position: SaltedVersion?) -> ArraySlice<Step>? {
        guard let position, version(position.version) == position else { return nil }
        return steps[Int(position.version - base.version)...]
    }

    /// Returns the steps that create the newest state from nothing.
    ///
    /// - Throws: `StateError` if earlier versions are missing.
    func stepsFromNothing() throws(StateError) -> ArraySlice<Step> {
        guard let bootstrap else {
            guard base.version == 0 else { throw StateError("the versions up to \(base.version) are missing") }
            return steps[...]
        }
        guard let last = version(bootstrap.version), let rest = steps(after: last) else {
            throw StateError("the history lacks version \(bootstrap.version), which has a bootstrap")
        }
        let count = bootstrap.entries.count
        return bootstrap.entries.enumerated().map { index, entry in
            Step(version: index == count - 1 ? last : nil, kept: entry.kept)
        }[...] + rest
    }

    // MARK: Records

    mutating func add(_ record: StoreRecord) throws(StateError) {
        switch record {
        case .base(let base, _): self = DocumentChanges(base: base)
        case .bootstrap(let bootstrap): self.bootstrap = bootstrap
        case .version(let record):
            guard record.version.version == newest.version &+ 1 else {
                throw StateError("version \(record.version.version) follows \(newest.version)")
            }
            steps.append(Step(version: record.version, kept: .memory(record.bytes)))
        case .file, .advance, .expire, .end, .ingest, .ingested, .query, .view, .fileChange, .views, .lost,
            .schemaVersion:
            break
        }
    }

    /// Returns `nil` if the partition doesn't exist. Its server can be running: the result is then a prefix of the log,
    /// which is only appended to.
    ///
    /// - Throws: `StoreError` if its files are damaged, `SystemError`.
    init?(reading files: PartitionFiles) throws {
        guard Folder.holds(files.folder) else { return nil }
        self = try files.withNewestGeneration { try DocumentChanges(reading: files, $0) }
    }

    private init(reading files: PartitionFiles, _ generation: UInt64) throws {
        self.init()
        if generation > 0 { try files.readSnapshot(generation) { try add($0) } }
        let path = files.path("log", generation)
        guard Folder.holds(path) else { return }
        try files.readLog(try DiskFile.open(path, readOnly: true), generation) { try add($0) }
    }
}

extension PartitionHistory {
    /// Returns the changes after `known`, or all if the history doesn't contain that version.
    func documentChanges(after known: SaltedVersion?) -> DocumentChanges {
        if let known, known.version >= base.version, salt(of: known.version) == known.salt {
            return DocumentChanges(base: known, steps(after: known.version))
        }
        return DocumentChanges(base: base, steps(after: base.version), bootstrap: bootstraps.last)
    }

    private func steps(after version: UInt64) -> [DocumentChanges.Step] {
        versions(after: version).map { DocumentChanges.Step(version: $0.salted, kept: $0.kept) }
    }
}

// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmSyncCore

/// The server's state of a client file in a partition (§4.5).
struct PartitionFile {
    /// A server version created from one of the file's versions.
    struct Step {
        let version: UInt64
        let clientVersion: UInt64
        /// The total size of the retained steps up to this one, in bytes, for progress.
        let bytes: Int
    }

    let salt: SaltedIdent
    /// The last integrated version of the file, and the server version on which it was based.
    var upload = UploadCursor()
    /// The time of the last contact, in seconds since 1970.
    var seen: UInt64
    /// 0 if the file starts from the first version.
    var bootstrap: UInt64
    var isExpired = false
    /// The version of the app's schema in which the file receives its objects. 0 with partitions.
    var schemaVersion: UInt64 = 0
    /// The forms of later versions, where merges have changed them.
    var forms: [UInt64: Changeset] = [:]
    /// In the order of their versions. Empty with partitions.
    var views: [FileView] = []
    /// The versions that only this file receives.
    var changes = FileChanges()
    /// In order. The first is the position at the version with which the history starts.
    var steps: [Step]

    init(_ salt: SaltedIdent, bootstrap: UInt64, seen: UInt64) {
        (self.salt, self.bootstrap, self.seen) = (salt, bootstrap, seen)
        steps = [Step(version: 0, clientVersion: 0, bytes: 0)]
    }

    /// The version up to which the file no longer needs the common history.
    var horizon: UInt64 { max(upload.serverVersion, bootstrap) }

    /// The bootstrap may be incomplete.
    var needsBootstrap: Bool { !isExpired && upload.serverVersion < bootstrap }

    /// Returns the step of the last version that was integrated at or before `version`.
    func step(at version: UInt64) -> Step {
        let end = steps.partitioningIndex { $0.version > version }
        return end > 0 ? steps[end - 1] : Step(version: 0, clientVersion: 0, bytes: 0)
    }

    /// Progress never decreases.
    mutating func advance(to cursor: UploadCursor) {
        upload.clientVersion = max(upload.clientVersion, cursor.clientVersion)
        guard cursor.serverVersion > upload.serverVersion else { return }
        upload.serverVersion = cursor.serverVersion
        if !forms.isEmpty { forms = forms.filter { $0.key > cursor.serverVersion } }
        if !changes.isEmpty { changes.removeAll(through: cursor.serverVersion) }
    }

    func view(at version: UInt64) -> FileView? { views.last { $0.start <= version } }

    mutating func trim(through version: UInt64) {
        let index = steps.lastIndex { $0.version <= version } ?? 0
        steps.removeFirst(index)
    }

    /// Retains only the existence of the file.
    mutating func expire() {
        isExpired = true
        forms = [:]
        views = []
        changes = FileChanges()
        steps = []
    }
}

/// The state of a partition, as changes that create it from nothing. A new client downloads it instead of all versions
/// up to it.
///
/// Versions within a download must increase, so the parts of the bootstrap replace the last of these versions.
struct Bootstrap {
    struct Entry {
        let version: UInt64
        /// Decoded only when a client's own changes are merged with them.
        fileprivate(set) var kept: KeptBytes
        /// The total size of the parts up to this one, in bytes.
        let totalBytes: Int
    }

    let version: UInt64
    /// The time of the newest change. A client's own changes before its first download are merged with the bootstrap.
    let timestamp: UInt64
    private(set) var entries: [Entry] = []

    /// The total size of the parts that are in memory, in bytes.
    private static let small = 1 << 20

    var totalBytes: Int { entries.last?.totalBytes ?? 0 }
    var order: ChangeOrder { ChangeOrder(timestamp: timestamp, fileIdent: ChangeOrder.serverIdent) }

    /// - Parameter parts: Encoded changesets.
    init(version: UInt64, timestamp: UInt64, _ parts: [[UInt8]]) {
        (self.version, self.timestamp) = (version, timestamp)
        for part in parts { append(part, of: parts.count) }
    }

    mutating func append(_ bytes: [UInt8], of count: Int) {
        entries.append(
            Entry(
                version: version - UInt64(count - 1 - entries.count), kept: .memory(bytes),
                totalBytes: totalBytes + bytes.count))
    }

    /// Moves the parts of a large bootstrap to a file. If that fails, they remain in memory.
    func spooled(in spool: SpoolFile?) -> Bootstrap {
        guard totalBytes > Bootstrap.small, let spool else { return self }
        var result = self
        for index in entries.indices {
            guard case .memory(let bytes) = entries[index].kept, let stored = try? spool.store(bytes) else { continue }
            result.entries[index].kept = .spooled(stored)
        }
        return result
    }

    func entries(after version: UInt64) -> ArraySlice<Entry> {
        entries[(entries.firstIndex { $0.version > version } ?? entries.count)...]
    }
}

// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSyncCore

/// The server's state of one client file in a partition (§4.5).
struct PartitionFile {
    /// The server version created from one of the file's versions.
    struct Step {
        let version: UInt64
        let clientVersion: UInt64
        /// The total size of the retained steps up to this one, for progress.
        let bytes: Int
    }

    let salt: SaltedIdent
    /// The last of its versions that was integrated, and the server version on which it was based.
    var upload = UploadCursor()
    /// The time of its last contact, in seconds since 1970.
    var seen: UInt64
    /// The version of the bootstrap from which it starts; 0 if it starts from the first version.
    var bootstrap: UInt64
    var isExpired = false
    /// The forms of later versions for this file, if merges have changed them.
    var forms: [UInt64: Changeset] = [:]
    /// In order; the first is its position at the version with which the history begins.
    var steps: [Step]

    init(_ salt: SaltedIdent, bootstrap: UInt64, seen: UInt64) {
        (self.salt, self.bootstrap, self.seen) = (salt, bootstrap, seen)
        steps = [Step(version: 0, clientVersion: 0, bytes: 0)]
    }

    /// The version up to which it no longer needs the common history.
    var horizon: UInt64 { max(upload.serverVersion, bootstrap) }

    /// Whether its bootstrap may be incomplete.
    var needsBootstrap: Bool { !isExpired && upload.serverVersion < bootstrap }

    /// Returns the step of the last of its versions that was integrated at or before `version`.
    func step(at version: UInt64) -> Step {
        guard let first = steps.first, first.version <= version else {
            return Step(version: 0, clientVersion: 0, bytes: 0)
        }
        var range = 0..<steps.count
        while range.count > 1 {
            let middle = range.lowerBound + range.count / 2
            range = steps[middle].version <= version ? middle..<range.upperBound : range.lowerBound..<middle
        }
        return steps[range.lowerBound]
    }

    /// Records progress, which never decreases.
    mutating func advance(to cursor: UploadCursor) {
        upload.clientVersion = max(upload.clientVersion, cursor.clientVersion)
        guard cursor.serverVersion > upload.serverVersion else { return }
        upload.serverVersion = cursor.serverVersion
        if !forms.isEmpty { forms = forms.filter { $0.key > cursor.serverVersion } }
    }

    mutating func trim(through version: UInt64) {
        let index = steps.lastIndex { $0.version <= version } ?? 0
        steps.removeFirst(index)
    }

    /// Discards all its data except the fact that it existed.
    mutating func expire() {
        isExpired = true
        forms = [:]
        steps = []
    }
}

/// The state of a partition at a version, as changes that create it from nothing. It's sent to a new client instead of
/// all versions up to that one.
///
/// Versions within a download must increase, so its parts replace the last of these versions.
struct Bootstrap {
    struct Entry {
        let version: UInt64
        let bytes: [UInt8]
        let changeset: Changeset
        /// The size of all parts up to this one.
        let totalBytes: Int
    }

    let version: UInt64
    /// The time of the newest change in it. A client's own changes before its first download are merged with the
    /// bootstrap.
    let timestamp: UInt64
    private(set) var entries: [Entry] = []

    var totalBytes: Int { entries.last?.totalBytes ?? 0 }
    var order: ChangeOrder { ChangeOrder(timestamp: timestamp, fileIdent: ServerHistory.ownIdent) }

    init(version: UInt64, timestamp: UInt64, _ changesets: [Changeset]) {
        (self.version, self.timestamp) = (version, timestamp)
        for changeset in changesets { append(changeset.encoded(), changeset, of: changesets.count) }
    }

    mutating func append(_ bytes: [UInt8], _ changeset: Changeset, of count: Int) {
        entries.append(
            Entry(
                version: version - UInt64(count - 1 - entries.count), bytes: bytes, changeset: changeset,
                totalBytes: totalBytes + bytes.count))
    }

    func entries(after version: UInt64) -> ArraySlice<Entry> {
        entries[(entries.firstIndex { $0.version > version } ?? entries.count)...]
    }
}

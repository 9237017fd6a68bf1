// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSyncCore

/// What a partition keeps for one client file (§4.5).
struct PartitionFile {
    /// A server version that one of its versions has become.
    struct Step {
        let version: UInt64
        let clientVersion: UInt64
        /// The size of all of them that are kept, up to this one, as it counts for progress.
        let bytes: Int
    }

    let salt: SaltedIdent
    /// The last of its versions that was integrated, and what it had of the server then.
    var upload = UploadCursor()
    /// When it was heard of last, in seconds since 1970.
    var seen: UInt64
    /// The version of the bootstrap with which it begins; 0 if it begins with the first version.
    var bootstrap: UInt64
    var isExpired = false
    /// The forms that later versions have for it, where merges have changed them.
    var forms: [UInt64: Changeset] = [:]
    /// In order; the first tells where it was at the version with which the history begins.
    var steps: [Step]

    init(_ salt: SaltedIdent, bootstrap: UInt64, seen: UInt64) {
        (self.salt, self.bootstrap, self.seen) = (salt, bootstrap, seen)
        steps = [Step(version: 0, clientVersion: 0, bytes: 0)]
    }

    /// The version behind which it needs nothing of the common history.
    var horizon: UInt64 { max(upload.serverVersion, bootstrap) }

    /// Whether it may not have all of its bootstrap yet.
    var needsBootstrap: Bool { !isExpired && upload.serverVersion < bootstrap }

    /// The step of the last of its versions that was integrated as `version` or before it.
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

    /// Takes note of progress, which never goes back.
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

    /// Forgets all that is kept for it, but that it was there.
    mutating func expire() {
        isExpired = true
        forms = [:]
        steps = []
    }
}

/// The state of a partition at a version, as changes that lead to it from nothing: what a new client is sent in place
/// of all versions up to there.
///
/// Versions within a download have to increase, so its parts take the place of the last of these versions.
struct Bootstrap {
    struct Entry {
        let version: UInt64
        let bytes: [UInt8]
        let changeset: Changeset
        /// The size of all parts up to this one.
        let totalBytes: Int
    }

    let version: UInt64
    /// The time of the newest change in it: a client's own changes before its first download are merged with it.
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

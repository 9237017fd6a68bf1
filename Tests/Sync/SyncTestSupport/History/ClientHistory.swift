// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSyncCore

/// The history of a client file in memory: its own changes, until the server acknowledges them, and its progress in the
/// server's history (§4.5, §4.6).
package struct ClientHistory: Sendable {
    package struct Entry: Sendable {
        /// The last server version that was integrated before this version.
        package let serverVersion: UInt64
        /// The time of the commit; 0 for a version that integrated changes of other files.
        package let timestamp: UInt64
        /// The committed changes. Empty for a version that integrated changes of other files.
        package let changeset: Changeset
    }

    /// The ident assigned by the server; 0 until then.
    package var ident: UInt64
    /// The version before the first of `entries`.
    package private(set) var baseVersion: UInt64
    package private(set) var entries: [Entry] = []
    package private(set) var forms = ReciprocalForms()
    package private(set) var serverVersion: UInt64
    package private(set) var uploadedVersion: UInt64

    package init(ident: UInt64, baseVersion: UInt64 = 0, serverVersion: UInt64 = 0) {
        self.ident = ident
        self.baseVersion = baseVersion
        self.serverVersion = serverVersion
        uploadedVersion = baseVersion
    }

    package var newestVersion: UInt64 { baseVersion + UInt64(entries.count) }

    @discardableResult
    package mutating func commit(_ changeset: Changeset, timestamp: UInt64) -> UInt64 {
        entries.append(Entry(serverVersion: serverVersion, timestamp: timestamp, changeset: changeset))
        return newestVersion
    }

    /// Integrates changes of other files as the next version, and returns their merged forms. Changes nothing if it
    /// throws.
    ///
    /// Changes based on the same version of this file are merged together.
    ///
    /// - Parameter serverVersion: The version up to which the server has no more changes for this file.
    package mutating func integrate(
        _ changes: [DownloadedChange], through serverVersion: UInt64 = 0
    ) throws(MergeError) -> [Changeset] {
        var newForms = forms
        var applied: [Changeset] = []
        var rest = changes[...]
        while let first = rest.first {
            let group = rest.prefix { $0.clientVersion == first.clientVersion }
            rest = rest.dropFirst(group.count)
            let merged = try newForms.merge(
                group.map { MergeInput($0.changeset, $0.order) }, with: ownChanges(after: first.clientVersion))
            applied += merged.map(\.changeset)
        }
        forms = newForms
        self.serverVersion = max(self.serverVersion, serverVersion, changes.last?.serverVersion ?? 0)
        entries.append(Entry(serverVersion: self.serverVersion, timestamp: 0, changeset: Changeset()))
        return applied
    }

    private func ownChanges(after version: UInt64) -> [(version: UInt64, original: MergeInput)] {
        let first = Int(min(max(version, baseVersion), newestVersion) - baseVersion)
        return entries.indices[first...].compactMap { index in
            let entry = entries[index]
            guard !entry.changeset.isEmpty else { return nil }
            let order = ChangeOrder(timestamp: entry.timestamp, fileIdent: ident)
            return (baseVersion + UInt64(index) + 1, MergeInput(entry.changeset, order))
        }
    }

    package var uploads: [UploadedChange] { uploads(after: uploadedVersion) }

    package func uploads(after version: UInt64) -> [UploadedChange] {
        ownChanges(after: version).map { version, input in
            UploadedChange(
                clientVersion: version, serverVersion: entries[Int(version - baseVersion) - 1].serverVersion,
                order: input.order, changeset: input.changeset)
        }
    }

    package mutating func acknowledge(_ version: UInt64) {
        uploadedVersion = max(uploadedVersion, min(version, newestVersion))
    }

    /// Removes versions that merges no longer need, because all later downloads are based on `version` or a newer one.
    package mutating func trim(through version: UInt64) {
        let end = min(version, uploadedVersion, newestVersion)
        guard end > baseVersion else { return }
        entries.removeFirst(Int(end - baseVersion))
        baseVersion = end
        forms.forget(through: end)
    }
}

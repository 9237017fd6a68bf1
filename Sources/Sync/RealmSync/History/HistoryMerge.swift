// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmSyncCore

/// Merges changes of other files with local changes that those don't include (§4.6, "Integration on the client").
struct HistoryMerge {
    /// The merged changes of other files, in order.
    private(set) var applied: [Changeset] = []
    /// The merged own changes, keyed by position in the history.
    private(set) var forms: [Int: Changeset] = [:]
    private var own: [(index: Int, version: UInt64, input: MergeInput)] = []

    /// Merges changes in groups: those of a group are based on the same version of this file.
    init(_ history: StoredHistory?, _ changes: [DownloadedChange]) throws {
        if let history, let first = changes.first { try load(history, after: first.clientVersion) }
        var rest = changes[...]
        while let first = rest.first {
            let group = rest.prefix { $0.clientVersion == first.clientVersion }
            rest = rest.dropFirst(group.count)
            try merge(group, after: first.clientVersion)
        }
    }

    private mutating func load(_ history: StoredHistory, after version: UInt64) throws {
        try history.forEachEntry(in: history.indexes(after: version)) { index, entry in
            guard entry.isUpload else { return true }
            let form = try Changeset(decoding: entry.reciprocal() ?? entry.changeset())
            let order = ChangeOrder(timestamp: entry.timestamp, fileIdent: history.fileIdent)
            own.append((index, entry.version, MergeInput(form, order)))
            return true
        }
    }

    private mutating func merge(_ group: ArraySlice<DownloadedChange>, after version: UInt64) throws {
        var incoming = group.map { MergeInput($0.changeset, $0.order) }
        let first = own.firstIndex { $0.version > version } ?? own.endIndex
        var local = own[first...].map { MergeInput($0.input.changeset, $0.input.order) }
        try Merger.merge(incoming: &incoming, local: &local)
        for (offset, form) in local.enumerated() where form.isChanged {
            own[first + offset].input = form
            forms[own[first + offset].index] = form.changeset
        }
        applied += incoming.map(\.changeset)
    }
}

// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// Histories (container 7).
extension Audit {
    private static let newestSchemas: [UInt64: UInt64] = [2: 1, 3: 12, 4: 20]
    private static let syncRootCounts: [UInt64: Int] = [3: 21, 4: 11]

    func checkHistory() throws(Damage) {
        if era?.hasRowTables == true {
            // Not used any more (older 2.2).
            if top.historyType > 4 { violation(top.ref, "1:7.1", "history type \(top.historyType)") }
            if isRef(top.history) { opaqueRoots.append(top.history) }
            return
        }
        if top.historyType > 4 { violation(top.ref, "1:7.1", "history type \(top.historyType)") }
        if top.history & 1 != 0 { throw Damage(top.ref, "1:5.1", "history slot holds \(top.history)") }
        if top.historySchema > Self.newestSchemas[top.historyType] ?? 0 {
            violation(top.ref, "1:7.1", "history schema \(top.historySchema) of type \(top.historyType)")
        }
        if top.history == 0 { return }
        if top.historyType == FileFormat.History.local {
            try checkLocalHistory()
        } else {
            try checkSyncHistory()
        }
    }

    /// Only the root of a server's history is specified; the nodes below it aren't checked (container 7.3).
    private func checkSyncHistory() throws(Damage) {
        let root = try node(top.history)
        if root.flags != Node.refs || root.count != Self.syncRootCounts[top.historyType] ?? root.count {
            violation(root.ref, "1:7.3", "sync history with flags \(hex(root.flags)) and \(root.count) slots")
        }
        opaqueRoots.append(root.ref)
        if top.historyType == FileFormat.History.syncClient { try checkClientHistory(root) }
    }

    private func checkLocalHistory() throws(Damage) {
        var number = 0
        try readTree(top.history, "history") { leaf throws(Damage) in
            let changesets = try binaryLeaf(leaf, .upTo(FileFormat.treeNodeCapacity), limits: .none)
            for changeset in changesets {
                checkChangeset(changeset, number)
                number += 1
            }
            return changesets.count
        }
        report.statistics.changesetCount = number
        if UInt64(number) >= top.version {
            throw Damage(top.history, "1:7.2 C8", "\(number) changesets in a history up to version \(top.version)")
        }
    }

    private func checkChangeset(_ run: ByteRun, _ number: Int) {
        if run.isNull { return violation(top.history, "1:7.2", "changeset \(number) is null") }
        guard top.historySchema == FileFormat.History.localSchemaVersion, run.count > 0 else { return }
        var decoder = ChangesetDecoder(array(run))
        do {
            try decoder.decode()
        } catch {
            violation(top.history, "1:7.4", "changeset \(number): \(error.message) at byte \(decoder.at)")
        }
    }
}

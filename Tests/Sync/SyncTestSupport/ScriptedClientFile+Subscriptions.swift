// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSyncCore

/// A file without content also has no subscriptions, only the recorded queries.
extension ScriptedClientFile: FlexibleClientStore {
    package func pendingQuery(after version: UInt64) -> PendingQuery? {
        pendingQueries.first { $0.query.version > max(version, activeQuery.version) }
    }

    package func hasSet(_ version: UInt64) -> Bool {
        version == activeQuery.version || pendingQueries.contains { $0.query.version == version }
    }

    package func beginSession() -> Int? { nil }

    package func receive(_ part: BootstrapPart) throws(SessionError) -> Int? {
        bootstrapParts.append(part)
        guard let progress = part.progress else { return nil }
        if refusesBootstraps, part.queryVersion > 0 { throw SessionError(.badChangeset, "scripted") }
        state.progress = progress
        if let pending = pendingQueries.first(where: { $0.query.version == part.queryVersion }) {
            activeQuery = pending.query
            pendingQueries.removeAll { $0.query.version <= part.queryVersion }
        }
        awaitsMark = true
        return part.entries.count
    }

    package func completeSet() -> Bool {
        defer { awaitsMark = false }
        return awaitsMark
    }

    package func reject(_ queryVersion: UInt64, _ reason: String) -> Bool {
        let count = pendingQueries.count
        pendingQueries.removeAll { $0.query.version == queryVersion }
        return pendingQueries.count < count
    }

    package func subscribe(_ query: VersionedQuery) {
        guard !hasSet(query.version) else { return }
        pendingQueries.append(PendingQuery(query: query, snapshotVersion: state.newestVersion))
    }
}

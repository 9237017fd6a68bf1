// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSyncCore

/// The rights of the connected users of an app with flexible sync. Users without an entry have no rights.
package struct GrantedRights {
    private struct Entry {
        let rights: UserRights
        /// Increases with each change, also of other users.
        let revision: UInt64
    }

    private var entries: [Text: Entry] = [:]
    private var lastRevision: UInt64 = 0

    package init() {}

    package subscript(user: Text) -> UserRights { entries[user]?.rights ?? .none }

    /// 0 for a user without an entry.
    package func revision(of user: Text) -> UInt64 { entries[user]?.revision ?? 0 }

    package func contains(_ user: Text) -> Bool { entries[user] != nil }

    /// Returns whether the user had other rights before.
    @discardableResult
    package mutating func grant(_ rights: UserRights, to user: Text) -> Bool {
        let known = entries[user]
        if known?.rights == rights { return false }
        lastRevision += 1
        entries[user] = Entry(rights: rights, revision: lastRevision)
        return known != nil
    }

    /// Removes the users without connections.
    mutating func retain(_ users: Set<Text>) { entries = entries.filter { users.contains($0.key) } }
}

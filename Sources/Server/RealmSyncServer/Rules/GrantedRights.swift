// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSyncCore

/// The rights of the connected users of an app with flexible sync. Users without an entry have no rights.
///
/// A user has an entry for each request with which clients have connected, because rules can depend on it.
package struct GrantedRights {
    private struct Entry {
        let rights: UserRights
        /// Increases with each change, also of other users.
        let revision: UInt64
    }

    private var entries: [Text: Entry] = [:]
    private var lastRevision: UInt64 = 0

    package init() {}

    /// Ends the id of the user in a holder of rights.
    static let separator = "\u{0}"

    static func user(of holder: String) -> String { String(decoding: holder.utf8.prefix { $0 != 0 }, as: UTF8.self) }

    package subscript(holder: Text) -> UserRights { entries[holder]?.rights ?? .none }

    /// 0 for a holder without an entry.
    package func revision(of holder: Text) -> UInt64 { entries[holder]?.revision ?? 0 }

    package func contains(_ holder: Text) -> Bool { entries[holder] != nil }

    /// Returns whether the holder had other rights before.
    @discardableResult
    package mutating func grant(_ rights: UserRights, to holder: Text) -> Bool {
        let known = entries[holder]
        if known?.rights == rights { return false }
        lastRevision += 1
        entries[holder] = Entry(rights: rights, revision: lastRevision)
        return known != nil
    }

    /// Removes the users without connections.
    mutating func retain(_ holders: Set<Text>) { entries = entries.filter { holders.contains($0.key) } }
}

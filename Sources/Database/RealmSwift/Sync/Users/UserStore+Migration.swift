// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmSyncCore

extension UserStore {
    /// Migrates the files of older releases to version 7. Before that, a user had one entry for each provider, entries
    /// shared their identities, and files were named by `local_uuid`.
    static let migrate: MigrationBlock = { migration, oldVersion in
        guard oldVersion < MetadataClasses.schemaVersion else { return }
        var users: [ByteText: OldUser] = [:]
        migration.enumerateObjects(ofType: "UserMetadata") { old, _ in
            guard let user = old.flatMap(OldUser.init) else { return }
            let identity = ByteText(user.identity)
            users[identity] = users[identity]?.merged(with: user) ?? user
        }
        // Embedded objects have one parent each, so they are deleted and created again.
        migration.enumerateObjects(ofType: "UserIdentity") { _, new in new.map(migration.delete) }
        migration.enumerateObjects(ofType: "UserMetadata") { old, new in
            guard let old, let new else { return }
            if let user = users.removeValue(forKey: ByteText(old["identity"] as? String ?? "")) {
                user.write(to: new)
            } else {
                migration.delete(new)
            }
        }
    }
}

private struct OldUser {
    var identity: String
    var state: UserState
    var refreshToken: String
    var accessToken: String
    var identities: [[String: String]] = []
    var uuids: [String] = []
    var paths: Set<ByteText> = []

    init?(_ object: MigrationObject) {
        let names = Set(object.objectSchema.properties.map(\.name))
        func value<T>(_ name: String) -> T? { names.contains(name) ? object[name] as? T : nil }
        guard let identity: String = value("identity") else { return nil }
        self.identity = identity
        let state = UserState(rawValue: UInt(clamping: value("state") ?? Int(UserState.loggedOut.rawValue)))
        self.state = value("marked_for_removal") == true ? .removed : state ?? .loggedOut
        refreshToken = value("refresh_token") ?? ""
        accessToken = value("access_token") ?? ""
        if let uuid: String = value("local_uuid"), !uuid.isEmpty { uuids = [uuid] }
        if let linked: List<DynamicObject> = value("identities") {
            identities = linked.map {
                ["id": $0["id"] as? String ?? "", "provider_type": $0["provider_type"] as? String ?? ""]
            }
        }
        if let paths: MutableSet<String> = value("local_realm_paths") { self.paths = Set(paths.map { ByteText($0) }) }
    }

    /// The result is logged in if either entry is, with the newer tokens.
    func merged(with other: OldUser) -> OldUser {
        if other.state == .loggedIn, state != .loggedIn { return other.merged(with: self) }
        var user = self
        if state == .loggedIn, other.state == .loggedIn {
            user.refreshToken = OldUser.newer(refreshToken, other.refreshToken)
            user.accessToken = OldUser.newer(accessToken, other.accessToken)
        }
        if other.state == .loggedOut, state == .removed { user.state = .loggedOut }
        user.identities += other.identities.filter { !identities.contains($0) }
        user.uuids = Set(uuids + other.uuids).sorted()
        user.paths.formUnion(other.paths)
        return user
    }

    private static func newer(_ a: String, _ b: String) -> String {
        (Token(a)?.issuedAt ?? .min) < (Token(b)?.issuedAt ?? .min) ? b : a
    }

    func write(to object: MigrationObject) {
        object["state"] = Int(state.rawValue)
        object["refresh_token"] = state == .loggedIn ? refreshToken : ""
        object["access_token"] = state == .loggedIn ? accessToken : ""
        object["legacy_uuids"] = uuids
        object["identities"] = identities
        object["local_realm_paths"] = paths.sorted().map(\.string)
    }
}

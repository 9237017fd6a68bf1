// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// The classes of the file that stores users, version 7 of the original's schema (§1.13). Their tables have the
/// original's names. They don't belong to the app's models.
enum MetadataClasses {
    static let schemaVersion: UInt64 = 7
    static let all: [ObjectBase.Type] = [
        MetadataUser.self, MetadataIdentity.self, MetadataCurrentUser.self, MetadataFileAction.self,
    ]
}

final class MetadataUser: Object {
    @Persisted var identity: String
    @Persisted var legacy_uuids: List<String>
    @Persisted var refresh_token: String?
    @Persisted var access_token: String?
    @Persisted var identities: List<MetadataIdentity>
    @Persisted var state: Int
    @Persisted var device_id: String
    @Persisted var profile_data: String
    @Persisted var local_realm_paths: MutableSet<String>

    override class func _realmObjectName() -> String? { "UserMetadata" }
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

final class MetadataIdentity: EmbeddedObject {
    @Persisted var id: String
    @Persisted var provider_type: String

    override class func _realmObjectName() -> String? { "UserIdentity" }
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

final class MetadataCurrentUser: Object {
    @Persisted var current_user_identity: String

    override class func _realmObjectName() -> String? { "current_user_identity" }
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

final class MetadataFileAction: Object {
    @Persisted(primaryKey: true) var original_name: String
    @Persisted var new_name: String?
    @Persisted var action: Int
    @Persisted var url: String
    @Persisted var identity: String

    override class func _realmObjectName() -> String? { "FileActionMetadata" }
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

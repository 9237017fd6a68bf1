// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmRuntime
import RealmStorage

extension Realm.Configuration {
    /// Creates a configuration. Without arguments, it describes the file `default.realm` in the default folder.
    @preconcurrency public init(
        fileURL: URL? = Realm.Configuration.defaultFileURL, inMemoryIdentifier: String? = nil,
        syncConfiguration: SyncConfiguration? = nil, encryptionKey: Data? = nil, readOnly: Bool = false,
        schemaVersion: UInt64 = 0,
        migrationBlock: MigrationBlock? = nil, deleteRealmIfMigrationNeeded: Bool = false,
        shouldCompactOnLaunch: (@Sendable (Int, Int) -> Bool)? = nil,
        objectTypes: [ObjectBase.Type]? = nil,
        seedFilePath: URL? = nil
    ) {
        self.init(at: fileURL)
        if inMemoryIdentifier != nil { self.inMemoryIdentifier = inMemoryIdentifier }
        if syncConfiguration != nil { self.syncConfiguration = syncConfiguration }
        self.encryptionKey = encryptionKey
        self.readOnly = readOnly
        self.schemaVersion = schemaVersion
        self.migrationBlock = migrationBlock
        self.deleteRealmIfMigrationNeeded = deleteRealmIfMigrationNeeded
        self.shouldCompactOnLaunch = shouldCompactOnLaunch
        self.objectTypes = objectTypes
        if seedFilePath != nil { self.seedFilePath = seedFilePath }
        // Initialisers don't call property observers.
        verifyKeptIfSynchronised()
        if schemaVersion == .max {
            throwRealmException("Cannot set schema version to \(UInt64.max) (RLMNotVersioned)")
        }
    }

    /// The user and partition whose data the Realm contains; `nil` for a local Realm. Setting it clears
    /// `inMemoryIdentifier`. A configuration without a `fileURL` gets the file of
    /// `User.configuration(partitionValue:)`.
    ///
    /// The tables of the file are adapted to the models as with `SchemaRules.Mode.additive`, regardless of
    /// `schemaRules.mode` and `migrationBlock`: tables and columns that the models lack are retained for other clients.
    /// A Realm with subscriptions states its `schemaVersion` to the server. If the server has versions and the file's
    /// was another one, the file uploads its changes, becomes empty, and downloads the objects of its initial
    /// subscriptions.
    ///
    /// - Precondition: The user wasn't removed.
    public var syncConfiguration: SyncConfiguration? {
        get { synchronisedData as? SyncConfiguration }
        set {
            if newValue?.user.state == .removed {
                throwRealmException("Cannot set a sync configuration which has a removed user.")
            }
            synchronisedData = newValue
        }
    }
}

extension SyncConfiguration: SynchronisedData {
    /// The path is in the folder of the user (§1.13).
    var defaultPath: String {
        user.app.store.folder.realmFile(
            userId: user.id, name: isFlexible ? SyncFolder.flexibleName : SyncFolder.name(of: partitionValue ?? .null))
    }

    func isSameData(as other: any SynchronisedData) -> Bool {
        guard let other = other as? SyncConfiguration else { return false }
        return user == other.user && isFlexible == other.isFlexible && partition.isIdentical(to: other.partition)
    }

    func isSamePartition(as other: any SynchronisedData) -> Bool {
        guard let other = other as? SyncConfiguration else { return false }
        return !isFlexible && !other.isFlexible && user.app.appId == other.user.app.appId
            && partitionValue == other.partitionValue
    }

    func willOpen(_ path: String) { user.app.store.note(realmAt: path, of: user.id) }

    func prepare(_ database: Database) throws {
        if isFlexible { try database.prepareSubscriptions() }
    }

    func didOpen(_ coordinator: RealmCoordinator) throws {
        guard isFlexible, let initialSubscriptions else { return }
        let instance = try RealmInstance(coordinator, coordinator.configuration, at: .current)
        let core = SubscriptionsCore(instance)
        guard core.version == 0 || initialSubscriptions.rerunOnOpen else { return }
        try core.update { initialSubscriptions.callback(SyncSubscriptionSet(core)) }
    }

    func begin(_ database: Database, _ configuration: Realm.Configuration) -> any FileSynchronisation {
        SynchronisedFile(database, configuration, self)
    }
}

extension RealmCoordinator {
    var synchronisedFile: SynchronisedFile? { synchronisation?.file as? SynchronisedFile }
}

extension SynchronisedFiles {
    static func all(of user: User) -> [SynchronisedFile] {
        all.compactMap { $0 as? SynchronisedFile }.filter { $0.sync.user == user && $0.state != .invalid }
    }
}

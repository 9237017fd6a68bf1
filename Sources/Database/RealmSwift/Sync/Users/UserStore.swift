// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmRuntime

/// The file that stores an app's users. It is an ordinary Realm that the original also reads and writes (§1.13).
///
/// Each function opens the file, so that any thread and any process can use it. If it can't be opened or written, the
/// error is logged once, and users are known only until the program ends.
final class UserStore: Sendable {
    let folder: SyncFolder
    private let key: Data?
    private let hasFailed = Locked(false)

    init(_ folder: SyncFolder, key: Data?) {
        self.folder = folder
        self.key = key
    }

    private var configuration: Realm.Configuration {
        var configuration = Realm.Configuration(
            fileURL: URL(fileURLWithPath: folder.metadataFile), encryptionKey: key,
            schemaVersion: MetadataClasses.schemaVersion, objectTypes: MetadataClasses.all)
        configuration.migrationBlock = UserStore.migrate
        return configuration
    }

    @discardableResult
    private func using<Result>(_ body: (Realm) throws -> Result) -> Result? {
        do {
            try FileManager.default.createDirectory(
                atPath: (folder.metadataFile as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
            return try body(try Realm(configuration: configuration))
        } catch {
            if hasFailed.withLock({ $0.exchange(true) }) { return nil }
            Logger.shared.log(
                .error,
                """
                The users of the app cannot be saved in '\(folder.metadataFile)': \(error). They have to log in \
                again after the program restarts.
                """)
            return nil
        }
    }

    // MARK: Users

    func load() -> (users: [UserRecord], current: String?) {
        guard FileManager.default.fileExists(atPath: folder.metadataFile) else { return ([], nil) }
        let loaded = using { realm in
            (
                Array(realm.objects(MetadataUser.self)).compactMap { UserRecord($0) },
                realm.objects(MetadataCurrentUser.self).first?.current_user_identity
            )
        }
        return (loaded?.0 ?? [], loaded?.1)
    }

    func save(_ record: UserRecord) {
        using { realm in
            try realm.write {
                let user = realm.user(record.identity) ?? realm.create(MetadataUser.self)
                user.take(record)
            }
        }
    }

    func setCurrent(_ identity: String?) {
        using { realm in
            try realm.write {
                let current = realm.objects(MetadataCurrentUser.self)
                guard let identity else { return realm.delete(current) }
                (current.first ?? realm.create(MetadataCurrentUser.self)).current_user_identity = identity
            }
        }
    }

    func note(realmAt path: String, of identity: String) {
        using { realm in
            guard let user = realm.user(identity), !user.local_realm_paths.contains(path) else { return }
            try realm.write { user.local_realm_paths.insert(path) }
        }
    }

    // MARK: Files

    enum FileAction: Int {
        case delete = 0
        case backUpThenDelete = 1
    }

    /// Records the action to run on a file when the app is next created, and returns the path of its copy. If the
    /// action is already recorded, the recorded path is returned, because the program may have received it.
    @discardableResult
    func note(_ action: FileAction, of file: String, copyingTo copy: String? = nil) -> String? {
        let noted: String?? = using { realm in
            let known = realm.object(ofType: MetadataFileAction.self, forPrimaryKey: file)
            if let known, known.action == action.rawValue, known.new_name != nil { return known.new_name }
            try realm.write {
                let noted = realm.create(
                    MetadataFileAction.self, value: ["original_name": file], update: .modified)
                noted.new_name = copy
                noted.action = action.rawValue
            }
            return copy
        }
        return noted ?? copy
    }

    /// Called before any synchronised file is opened.
    func executeNotes() {
        guard FileManager.default.fileExists(atPath: folder.metadataFile) else { return }
        using { realm in
            let done = Array(realm.objects(MetadataFileAction.self)).filter(isDone)
            let removed = Array(realm.objects(MetadataUser.self).where { $0.state == Int(UserState.removed.rawValue) })
                .filter(isGone)
            if done.isEmpty, removed.isEmpty { return }
            try realm.write {
                realm.delete(done)
                realm.delete(removed)
            }
        }
    }

    private func isDone(_ noted: MetadataFileAction) -> Bool {
        let file = noted.original_name
        guard FileManager.default.fileExists(atPath: file) else { return true }
        switch FileAction(rawValue: noted.action) {
        case .delete: return delete(file)
        case .backUpThenDelete:
            guard let copy = noted.new_name, isCopied(file, to: copy) else { return false }
            return delete(file)
        case nil: return false
        }
    }

    private func isCopied(_ file: String, to copy: String) -> Bool {
        let files = FileManager.default
        if files.fileExists(atPath: copy) { return true }
        do {
            let unfinished = copy + ".unfinished"
            try? files.removeItem(atPath: unfinished)
            try files.createDirectory(
                atPath: (copy as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
            try files.copyItem(atPath: file, toPath: unfinished)
            try files.moveItem(atPath: unfinished, toPath: copy)
            return true
        } catch {
            Logger.shared.log(.error, "'\(file)' could not be copied to '\(copy)': \(error)")
            return false
        }
    }

    private func isGone(_ user: MetadataUser) -> Bool {
        for path in user.local_realm_paths where !delete(path) { return false }
        let userFolder = folder.userFolder(user.identity)
        guard FileManager.default.fileExists(atPath: userFolder) else { return true }
        do {
            try FileManager.default.removeItem(atPath: userFolder)
            return true
        } catch {
            Logger.shared.log(.warn, "The folder '\(userFolder)' of a removed user could not be deleted: \(error)")
            return false
        }
    }

    private func delete(_ file: String) -> Bool {
        do {
            _ = try Realm.deleteFiles(for: Realm.Configuration(fileURL: URL(fileURLWithPath: file)))
            return true
        } catch {
            Logger.shared.log(.warn, "'\(file)' could not be deleted; the next start tries again: \(error)")
            return false
        }
    }
}

extension Bool {
    fileprivate mutating func exchange(_ value: Bool) -> Bool {
        defer { self = value }
        return self
    }
}

extension Realm {
    fileprivate func user(_ identity: String) -> MetadataUser? {
        objects(MetadataUser.self).where { $0.identity == identity }.first
    }
}

extension UserRecord {
    fileprivate init?(_ user: MetadataUser) {
        guard let state = UserState(rawValue: UInt(clamping: user.state)), state != .removed else { return nil }
        self.init(identity: user.identity)
        self.state = state
        accessToken = user.access_token ?? ""
        refreshToken = user.refresh_token ?? ""
        identities = user.identities.map { UserIdentity(providerType: $0.provider_type, identifier: $0.id) }
        deviceId = user.device_id
        profile = user.profile_data
    }
}

extension MetadataUser {
    fileprivate func take(_ record: UserRecord) {
        identity = record.identity
        access_token = record.accessToken
        refresh_token = record.refreshToken
        state = Int(record.state.rawValue)
        device_id = record.deviceId
        profile_data = record.profile
        if !identities.elementsEqual(
            record.identities, by: { $0.id == $1.identifier && $0.provider_type == $1.providerType })
        {
            identities.removeAll()
            for one in record.identities {
                identities.append(MetadataIdentity(value: ["id": one.identifier, "provider_type": one.providerType]))
            }
        }
    }
}

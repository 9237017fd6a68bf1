// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmRuntime
import RealmStorage
import RealmSystem

extension Realm {
    /// Returns whether the file of a configuration exists. False for in-memory databases. Call it from any thread.
    public static func fileExists(for config: Configuration) -> Bool {
        guard let url = config.fileURL else { return false }
        return FileManager.default.fileExists(atPath: url.path)
    }

    /// Deletes the file of a configuration and its auxiliary files except the lock file, including copies made before
    /// upgrades.
    ///
    /// Returns whether a file was deleted. Before the call, release every object and collection of the Realm on all
    /// threads. After a crash during the call, the Realm is deleted, but some of the other files may remain. Call it
    /// from any thread.
    ///
    /// - Throws: `Realm.Error`: `.alreadyOpen` if any process has the Realm open.
    public static func deleteFiles(for config: Configuration) throws -> Bool {
        if let path = config.fileURL?.path { SynchronisedFiles.closeUploading(Folder.absolute(Folder.followed(path))) }
        do {
            let deleted = try RealmRegistry.whileClosed(config) {
                try config.fileURL.map { try DatabaseFiles.remove(at: $0.path) } ?? false
            }
            if let deleted { return deleted }
        } catch let error as StorageError where error.code == .alreadyOpen {
        } catch {
            throw Realm.Error(error)
        }
        throw Realm.Error(
            .alreadyOpen, "Cannot delete files of an open Realm: \(config.place) is still in use.",
            fileURL: config.fileURL)
    }
}

/// Returns the schema version of a file, whether it is open or not.
///
/// Changes nothing. Call it from any thread.
///
/// - Throws: `Realm.Error`: `.invalidDatabase` if the file doesn't exist, isn't a Realm file or has another key, and
///   `.fail` if it has no schema yet.
public func schemaVersionAtURL(_ fileURL: URL, encryptionKey: Data? = nil) throws -> UInt64 {
    let cipher = try Realm.Configuration(fileURL: fileURL, encryptionKey: encryptionKey).cipher()
    do {
        guard let attributes = try? FileManager.default.attributesOfItem(atPath: fileURL.path) else {
            throw uninitialised(.invalidDatabase, fileURL)
        }
        if attributes[.size] as? Int != 0 {
            let database = try Database.open(fileURL.path, readOnly: true, joining: .existing, cipher: cipher)
            if let version = try SchemaVersion.read(database.snapshot(label: "schema version")) { return version }
        }
    } catch {
        throw Realm.Error(error, opening: fileURL.path)
    }
    throw uninitialised(.fail, fileURL)
}

private func uninitialised(_ code: Realm.Error.Code, _ fileURL: URL) -> Realm.Error {
    Realm.Error(code, "Realm at path '\(fileURL.path)' has not been initialized.", fileURL: fileURL)
}

// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmCrypto
import RealmStorage
import RealmSystem

extension Realm.Configuration {
    /// Determines the effects of opening the file with this configuration: the schema versions, the changes, the number
    /// of affected objects and values, and the problems that would make opening fail. An addition to Realm's API.
    ///
    /// The migration block runs in a write transaction that is rolled back, so the file isn't changed. Other writers
    /// wait meanwhile. A file of an older format is copied first, because only an upgraded file can be written to. An
    /// error that traps in the block traps here too.
    ///
    /// - Throws: `Realm.Error` if the file can't be read.
    public func rehearseMigration() throws -> MigrationRehearsal {
        do {
            var open: RealmCoordinator?
            let rehearsal = try RealmRegistry.whileOpening(self) {
                open = $0
                return $0 == nil ? try rehearseClosed() : nil
            }
            if let rehearsal { return rehearsal }
            // This may wait for another writer, which may itself have to open a Realm.
            guard let database = open?.database else { return try rehearseClosed() }
            return try MigrationRehearser(self, database).rehearse()
        } catch {
            throw Realm.Error(error)
        }
    }

    private func rehearseClosed() throws -> MigrationRehearsal {
        guard let path = fileURL?.path, fileByteCount(path) > 0 else {
            let database = try Database.inMemory(in: NSTemporaryDirectory())
            return try MigrationRehearser(self, database).rehearse()
        }
        let cipher = try cipher()
        var options = DatabaseOpener(self).options
        options.leavesFile = true
        options.allowsUpgrade = false
        do {
            let database = try Database.open(path, cipher: cipher, options: options)
            return try MigrationRehearser(self, database).rehearse()
        } catch let error as StorageError {
            guard case .upgradeRequired = error.code else { throw error }
            return try rehearseCopy(of: path, cipher)
        }
    }

    private func rehearseCopy(of path: String, _ cipher: RealmPageCipher?) throws -> MigrationRehearsal {
        let folder = NSTemporaryDirectory() + "rehearsal-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let copy = folder + "/copy.realm"
        let source = try Database.open(path, readOnly: true, joining: .existing, cipher: cipher)
        let snapshot = try source.snapshot(label: "rehearsal")
        try NewFile.write(copy, wrap: { try EncryptedFile.wrap($0, cipher) }) { try snapshot.writeCopy(to: $0) }
        return try MigrationRehearser(self, try Database.open(copy, cipher: cipher)).rehearse()
    }

    private func fileByteCount(_ path: String) -> Int {
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        return (attributes?[.size] as? Int) ?? 0
    }
}

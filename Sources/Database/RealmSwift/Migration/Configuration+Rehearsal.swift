// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmCrypto
import RealmStorage
import RealmSystem

extension Realm.Configuration {
    /// Finds out what opening the file with this configuration would do to it: which version it has, what changes, how
    /// many objects and values that concerns, and what would make it fail. An addition to Realm's API.
    ///
    /// The migration block runs, in a write transaction that is rolled back; not a byte of the file changes. Other
    /// writers wait meanwhile. A file of an older format is rehearsed with as a copy, because only an upgraded one can
    /// be written to. What traps in the block traps here too.
        ///
        /// - Throws: `Realm.Error` if the file cannot be read.
    public func rehearseMigration() throws -> MigrationRehearsal {
        do {
            var open: RealmCoordinator?
            let rehearsal = try RealmRegistry.whileOpening(self) {
                open = $0
                return $0 == nil ? try rehearseClosed() : nil
            }
            if let rehearsal { return rehearsal }
            // There may be a writer to wait for, which may want to open something itself.
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

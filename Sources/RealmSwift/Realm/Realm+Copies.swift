// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmStorage
import RealmSystem

extension Realm {
    /// Writes a compact copy of the Realm to a new file.
    ///
    /// Within a write transaction the copy has the state that has not been committed yet. Throws `.fileExists` if there
    /// is a file already, `.fileNotFound` if its directory is missing. A copy that fails leaves no file.
    public func writeCopy(toFile fileURL: URL) throws {
        try instance.writeCopy(to: fileURL.path)
    }

    /// Writes a compact copy of the Realm to the file that `configuration` names; see `writeCopy(toFile:)`. Ends the
    /// process if that is a database in memory.
    public func writeCopy(configuration: Configuration) throws {
        guard let url = configuration.fileURL else {
            throwRealmException("A copy can only be written to a file, not to an in-memory Realm.")
        }
        try writeCopy(toFile: url)
    }

    /// Writes the file anew without the space that is free in it, and uses that from now on. An addition to Realm's API
    /// in Swift.
    ///
    /// Returns false, with nothing done, if anybody else has the file open or reads a version of it, on other threads
    /// for instance, or if the Realm is in memory. Objects and collections of this Realm stay valid. A crash or an
    /// error leaves the file as it was. Ends the process within a write transaction, and for a read-only Realm.
    @discardableResult
    public func compact() throws -> Bool { try instance.compact() }
}

extension RealmInstance {
    fileprivate func writeCopy(to path: String) throws {
        verifyThread()
        do {
            try NewFile.write(path) { file in
                if let transaction { return try transaction.writeCopy(to: file) }
                try snapshot?.writeCopy(to: file)
            }
        } catch {
            throw Realm.Error(error)
        }
    }

    fileprivate func compact() throws -> Bool {
        verifyThread()
        if configuration.readOnly { throwRealmException("Can't compact a read-only Realm.") }
        if isInWriteTransaction { throwRealmException("Can't compact a Realm within a write transaction.") }
        do {
            return try withoutVersion { try coordinator.database.compact() }
        } catch {
            throw Realm.Error(error)
        }
    }
}

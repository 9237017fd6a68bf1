// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmStorage
import RealmSystem

package enum WritableFile {
    /// The file must exist, and have the current format unless `options` allow others.
    static func open(
        _ path: String, cipher: (any PageCipher)?, options: OpenOptions? = nil
    ) throws -> Database {
        guard Folder.holds(path) else {
            throw StorageError(.notFound, "there is no such file", path: path)
        }
        var options = options ?? OpenOptions()
        options.patience.limit = options.patience.limit ?? patience
        do {
            return try Database.open(path, cipher: cipher, options: options)
        } catch let error as StorageError {
            guard case .upgradeRequired(let format) = error.code else { throw error }
            throw StorageError(
                .upgradeRequired(format),
                "the file is of the older format \(format); 'realm upgrade' makes it one of format "
                    + "\(FileFormat.version)", path: path)
        }
    }

    /// Rejects a file of an older format.
    package static func openAsIs(_ path: String, cipher: (any PageCipher)?) throws -> Database {
        var options = OpenOptions()
        options.allowsUpgrade = false
        return try open(path, cipher: cipher, options: options)
    }

    /// Removes the companion files of a file that only this process had open and has closed.
    static func removeCompanions(of path: String) {
        for suffix in [".lock", ".management"] { try? FileManager.default.removeItem(atPath: path + suffix) }
    }

    /// The time that the tool waits for another program's write, in nanoseconds.
    private static let patience: Int64 = 10_000_000_000

    static func requireNone(at path: String) throws {
        guard !Folder.holds(path) else {
            throw StorageError(.alreadyExists, "there is a file already; name another one, or remove it", path: path)
        }
    }
}

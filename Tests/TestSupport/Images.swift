// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmSystem

package enum Images {
    package static func read(_ path: String) throws -> [UInt8] {
        let file = try DiskFile.open(path, readOnly: true)
        return try file.contents()
    }

    package static func decrypted(_ path: String, _ cipher: any PageCipher) throws -> [UInt8] {
        let file = try EncryptedFile(try DiskFile.open(path, readOnly: true), cipher: cipher)
        return try file.contents()
    }

    /// The relevant content of a lock file of realm-core (container 8.4).
    package static let coreLock: [UInt8] =
        [1, 40, 48, 0, 24, 2, 14, 0] + Array(repeating: 0, count: 8) + [2] + Array(repeating: 0, count: 1711)

    package static func write(_ bytes: [UInt8], to path: String) throws {
        let file = try DiskFile.open(path, readOnly: false, creation: .createIfMissing)
        try file.resize(to: 0)
        try bytes.withUnsafeBytes { try file.write($0, at: 0) }
    }
}

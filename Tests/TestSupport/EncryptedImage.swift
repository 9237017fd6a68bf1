// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmSystem

/// Encrypted files of tests, with the quick cipher by default.
package enum EncryptedImage {
    /// The encrypted file with the data space `plain`, of whole pages.
    package static func encrypt(_ plain: [UInt8], _ cipher: any PageCipher = QuickCipher()) throws -> [UInt8] {
        let disk = try DiskFile.anonymous(in: TemporaryFolder.base)
        let file = try EncryptedFile(disk, cipher: cipher)
        try plain.withUnsafeBytes { try file.write($0, at: 0) }
        try file.sync()
        return try disk.contents()
    }

    /// Encrypts a file in streaming form, whose footer is moved to the end of a page (container 6.9).
    package static func encrypt(streaming plain: [UInt8]) throws -> [UInt8] {
        let footer = FileFormat.footerByteCount
        let padding = [UInt8](repeating: 0, count: -plain.count & 4095)
        return try encrypt(Array(plain.dropLast(footer)) + padding + Array(plain.suffix(footer)))
    }

    package static func audit(_ disk: any DatabaseFile, strict: Bool = true) throws {
        let image = try EncryptedFile(disk, cipher: QuickCipher()).contents()
        try FileAudit.requireClean(bytes: image, isDecrypted: true, strict: strict)
    }
}

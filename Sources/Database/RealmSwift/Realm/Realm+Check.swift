// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmCheck
import RealmCrypto
import RealmStorage
import RealmSystem

extension Realm {
    /// Verifies the integrity of a whole database file, like the command `realm check`, and returns the violations of
    /// the file format.
    ///
    /// It reads the entire file and changes nothing, in about two seconds for 100 MB. Meanwhile other processes that
    /// use this library can have the file open and write to it. Call it from any thread. The audit of an encrypted file
    /// requires its 64-byte `encryptionKey`. An addition to Realm's API.
    ///
    /// - Throws: `Realm.Error`: `.fileNotFound` and similar codes if the file can't be read,
    ///   `.unsupportedFileFormatVersion` if its format isn't supported, and `.invalidDatabase` if it isn't a Realm
    ///   file, if it has another encryption key, or if damage prevents even opening it.
    public static func check(fileAt url: URL, encryptionKey: Data? = nil) throws -> CheckReport {
        try check(fileAt: url, encryptionKey: encryptionKey, isStrict: false)
    }

    /// With `isStrict`, remnants also count as damage (`FileChecker.Options.strict`).
    package static func check(fileAt url: URL, encryptionKey: Data?, isStrict: Bool) throws -> CheckReport {
        CheckReport(try report(fileAt: url, encryptionKey: encryptionKey, isStrict: isStrict), url)
    }

    private static func report(
        fileAt url: URL, encryptionKey: Data?, isStrict: Bool
    ) throws -> RealmCheck.CheckReport {
        let cipher = try Configuration(fileURL: url, encryptionKey: encryptionKey).cipher()
        do {
            // Opening the file read-only gives a clearer error for a file that isn't a Realm.
            let database = try Database.open(url.path, readOnly: true, joining: .existing, cipher: cipher)
            return try check(url, database, cipher, isStrict)
        } catch {
            throw Realm.Error(error)
        }
    }

    private static func check(
        _ url: URL, _ database: Database, _ cipher: RealmPageCipher?, _ isStrict: Bool
    ) throws -> RealmCheck.CheckReport {
        let options = FileChecker.Options(strict: isStrict, isDecrypted: cipher != nil)
        if let image = try database.imageBesideOthers() {
            return FileChecker.check(bytes: image, options: options)
        }
        guard let cipher else {
            let contents = try Data(contentsOf: url, options: .alwaysMapped)
            return unsafe contents.withUnsafeBytes { unsafe FileChecker(image: $0, options: options).check() }
        }
        let file = try EncryptedFile(try DiskFile.open(url.path, readOnly: true), cipher: cipher)
        return FileChecker.check(bytes: try file.contents(), options: options)
    }
}

// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmCheck
import RealmStorage
import RealmSystem

/// Runs the engine's audit on a file. The file is mapped, or copied if it's encrypted or open elsewhere.
enum FileAudit {
    /// Throws if the file isn't a database that an audit can begin to read, or if a page can't be decrypted.
    static func report(on path: String, cipher: (any PageCipher)?, options: CheckOptions) throws -> CheckReport {
        let file = try EncryptedFile.wrap(try OpenFile.disk(path), cipher)
        // Reports the reason if the file isn't a Realm file.
        _ = try FileHeader(file, size: try file.size())
        var options = options
        options.isDecrypted = cipher != nil
        return try readable(report(on: path, file, cipher, options))
    }

    private static func report(
        on path: String, _ file: any DatabaseFile, _ cipher: (any PageCipher)?, _ options: CheckOptions
    ) throws -> CheckReport {
        // The audit of a damaged file doesn't depend on opening it.
        let database = try? Database.open(path, readOnly: true, joining: .existing, cipher: cipher)
        do {
            if let image = try database?.imageBesideOthers() {
                return FileChecker.check(bytes: image, options: options)
            }
            return try report(on: file, options)
        } catch let error as StorageError where error.code == .outOfSpace {
            // There's no disk space for the file that pins a version, so no version is pinned: other processes must not
            // write meanwhile.
            let unguarded = try? Database.open(path, readOnly: true, joining: .never, cipher: cipher)
            let report = try report(on: file, options)
            try unguarded?.verifyUnmoved()
            return report
        }
    }

    private static func report(on file: any DatabaseFile, _ options: CheckOptions) throws -> CheckReport {
        guard !options.isDecrypted else {
            return FileChecker.check(bytes: try file.contents(), options: options)
        }
        return try onMapping(file, try file.size(), options)
    }

    private static func readable(_ report: CheckReport) throws -> CheckReport {
        if let reason = report.unreadable { throw StorageError(.invalidDatabase, reason) }
        return report
    }

    private static func onMapping(
        _ file: any DatabaseFile, _ byteCount: Int, _ options: CheckOptions
    ) throws -> CheckReport {
        let mapping = try file.map(fileWindow: byteCount, slabWindow: 0)
        return withExtendedLifetime(mapping) {
            let image = UnsafeRawBufferPointer(start: mapping.base, count: byteCount)
            return FileChecker(image: image, options: options).check()
        }
    }
}

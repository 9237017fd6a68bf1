// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import RealmCheck
import RealmStorage
import RealmSystem

/// A database in a temporary folder, which is removed with this object. Closing it audits the file strictly, because
/// only our own writer wrote it.
package final class TestDatabase {
    package let folder: TemporaryFolder
    package let path: String
    private let cipher: (any PageCipher)?
    private var opened: Database?

    package init(cipher: (any PageCipher)? = nil) throws {
        folder = try TemporaryFolder()
        path = folder.path + "/test.realm"
        self.cipher = cipher
        opened = try Database.open(path, cipher: cipher)
    }

    package var database: Database {
        guard let opened else { preconditionFailure("the test database is closed") }
        return opened
    }

    /// Runs `body` on a new database, then closes and audits it.
    package static func using<Result>(_ body: (TestDatabase) throws -> Result) throws -> Result {
        let database = try TestDatabase()
        let result = try body(database)
        try database.close()
        return result
    }

    /// Runs `body` in a write transaction and commits it, or rolls it back if it throws.
    @discardableResult
    package func write<Result>(_ body: (WriteTransaction) throws -> Result) throws -> Result {
        try database.write(body)
    }

    /// Closes and opens the file. Snapshots must have been released.
    package func reopen() throws {
        opened = nil
        try audit()
        opened = try Database.open(path, cipher: cipher)
    }

    package func close() throws {
        opened = nil
        try audit()
    }

    /// Audits the current file on disk. No process may commit meanwhile.
    package func audit() throws { try FileAudit.requireClean(path: path, cipher: cipher) }
}

/// The full, strict audit of tests, with failures that name the problem.
package enum FileAudit {
    package static func requireClean(path: String, cipher: (any PageCipher)? = nil, strict: Bool = true) throws {
        if let cipher { return try requireClean(bytes: Images.decrypted(path, cipher), isDecrypted: true) }
        guard let data = FileManager.default.contents(atPath: path) else { throw Failure("\(path) cannot be read") }
        try requireClean(bytes: Array(data), strict: strict)
    }

    package static func requireClean(bytes: [UInt8], isDecrypted: Bool = false, strict: Bool = true) throws {
        let options = FileChecker.Options(strict: strict, violationLimit: 10, isDecrypted: isDecrypted)
        let report = FileChecker.check(bytes: bytes, options: options)
        guard !report.isClean else { return }
        let violations = report.violations.map(\.description).joined(separator: "\n  ")
        throw Failure("the audit is not clean: \(report.unreadable ?? "")\n  \(violations)")
    }
}

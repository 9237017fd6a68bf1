// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmCheck
import RealmStorage
import RealmSystem

/// Applies all file operations to arbitrary bytes. They must not trap, hang, or use more memory than a small multiple
/// of the bytes. If the audit is clean, they must succeed.
package final class HostileFile {
    private let memory: ImageFile
    private var isEncrypted = false

    package init() throws { memory = try ImageFile() }

    private func wrap(_ file: ImageFile) throws -> any DatabaseFile {
        isEncrypted ? try EncryptedFile(file, cipher: QuickCipher()) : file
    }

    package enum Outcome: Hashable { case nothing, reading, writing }

    /// Audits, opens, reads, and if that succeeds writes. Throws a `Failure` if an invariant is broken.
    @discardableResult
    package func use(_ bytes: [UInt8]) throws -> Outcome {
        isEncrypted = false
        return try use(bytes, as: bytes)
    }

    /// Tries `bytes` like `use`, but as the data space of an encrypted file with a few bytes changed by `seed`.
    @discardableResult
    package func useEncrypted(_ bytes: [UInt8], seed: UInt64) throws -> Outcome {
        isEncrypted = true
        var image = try EncryptedImage.encrypt(bytes + [UInt8](repeating: 0, count: -bytes.count & 4095))
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<generator.below(4) where !image.isEmpty {
            let place = generator.chance(50) ? image.count : min(image.count, 4096)
            image[generator.below(place)] = UInt8(truncatingIfNeeded: generator.next())
        }
        return try use(bytes, as: image)
    }

    private func use(_ bytes: [UInt8], as image: [UInt8]) throws -> Outcome {
        try memory.load(image)
        let isClean = !isEncrypted && staysClean(FileChecker.check(bytes: bytes))
        let limit = 128 * bytes.count + 1 << 16
        guard try attempt({ try read(limit) }) != nil else {
            try require(!isClean, "what the audit finds clean cannot be read")
            return .nothing
        }
        guard try attempt({ try write(limit) }) != nil else { return .reading }
        if isClean {
            let report = FileChecker.check(bytes: try memory.bytes())
            try require(report.isClean, "a clean file is not clean any more: \(report.violations)")
        }
        return .writing
    }

    /// A stale backlink (content 13.9) names a missing object, and becomes wrong when a new object gets that key.
    private func staysClean(_ report: CheckReport) -> Bool {
        report.isClean && !report.remnants.keys.contains { $0.hasPrefix("2:13.9 ") }
    }

    /// Returns the result of `body`, or nil if it throws an error that damage may cause.
    private func attempt<Result>(_ body: () throws -> Result) throws -> Result? {
        do { return try body() } catch is StorageError { return nil } catch is SystemError { return nil }
    }

    private func read(_ limit: Int) throws {
        let database = try Database(file: try wrap(memory), readOnly: true)
        let snapshot = try database.snapshot()
        _ = try? snapshot.freeList()
        search(snapshot)
        do { _ = try SnapshotText.lines(of: snapshot, limit: limit) } catch is Failure {}
    }

    private func search(_ snapshot: Snapshot) {
        for key in (try? snapshot.tableKeys()) ?? [] {
            guard let table = try? snapshot.table(key) else { continue }
            guard let row = try? table.clusters.position(at: 0) else { continue }
            _ = try? table.find(row.leaf.key(at: row.row))
            for column in table.publicColumns where !column.key.isCollection {
                guard let value = try? table.value(column, at: row) else { continue }
                _ = try? table.objects(column.key, equalTo: value)
            }
        }
    }

    private func write(_ limit: Int) throws {
        var options = OpenOptions()
        options.makesBackup = false
        let database = try Database(file: try wrap(memory), readOnly: false, options: options)
        let before = try database.snapshot()
        let content = try content()
        do {
            try database.write { transaction in
                for key in try transaction.tableKeys().prefix(20) { try change(key, transaction) }
            }
        } catch let error as StorageError where error.message.contains("used more than once") {
            // Other damage may be detected while nodes are written to free space.
            try require(try self.content().starts(with: content), "a write that was refused has changed the file")
            throw error
        }
        let after = try database.snapshot()
        _ = try? SnapshotText.lines(of: after, limit: limit)
        for key in try before.tableKeys() { compare(key, before, after) }
    }

    /// The bytes of a plain file without the header. Those of an encrypted one may change, since it keeps copies of
    /// pages.
    private func content() throws -> ArraySlice<UInt8> {
        isEncrypted ? [] : try memory.bytes().dropFirst(FileFormat.Header.byteCount)
    }

    /// Computes the diff of a table, and those of the collections of a few objects; then all by content alone.
    private func compare(_ key: TableKey, _ before: Snapshot, _ after: Snapshot) {
        guard let diff = try? VersionDiff(from: before, to: after), let table = try? before.table(key) else { return }
        let objects = try? diff.table(key).modifications.map(\.object)
        _ = try? TableDiff(from: table, to: table, isOneFile: false)
        _ = try? TableDiff(from: table, to: after.table(key), isOneFile: false)
        guard let first = try? table.clusters.position(at: 0) else { return }
        for object in (objects ?? []).prefix(3) + [first.leaf.key(at: first.row)] {
            for column in table.publicColumns {
                let path = CollectionPath(column.key, of: object, in: key)
                guard let collection = try? before.collectionIfPresent(path),
                    let other = try? after.collectionIfPresent(path)
                else { continue }
                for isOneFile in [true, false] { compare(collection, other, isOneFile: isOneFile) }
            }
        }
    }

    private func compare(_ a: StoredCollection, _ b: StoredCollection, isOneFile: Bool) {
        switch (a, b) {
        case (.list(let a), .list(let b)): _ = try? CollectionDiff(from: a, to: b, isOneFile: isOneFile)
        case (.set(let a), .set(let b)): _ = try? CollectionDiff(from: a, to: b, isOneFile: isOneFile)
        case (.dictionary(let a), .dictionary(let b)): _ = try? DictionaryDiff(from: a, to: b, isOneFile: isOneFile)
        default: break
        }
    }

    private func change(_ key: TableKey, _ transaction: WriteTransaction) throws {
        guard let table = try transaction.table(key) else { return }
        let count = try table.count()
        if count > 0 {
            let last = try table.clusters.position(at: count - 1)
            try transaction.removeObject(last.leaf.key(at: last.row), from: key)
        }
        if try table.count() > 0 {
            let first = try table.clusters.position(at: 0)
            let object = first.leaf.key(at: first.row)
            for column in table.publicColumns where column.key != table.primaryKey && !column.key.isCollection {
                let value = try table.value(column.key, of: object)
                if case .link = value { continue }
                if case .list = value { continue }
                if case .dictionary = value { continue }
                try transaction.set(value, column.key, of: object, in: key)
            }
        }
        if table.kind == .topLevel, table.primaryKey == nil { _ = try transaction.createObject(in: key) }
    }
}

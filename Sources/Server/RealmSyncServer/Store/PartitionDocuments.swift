// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmSync
import RealmSyncCore
import RealmSystem

/// The documents of a partition in an ordinary database file, which tools can open while the server runs.
///
/// The file follows the log. An update applies versions that are durable in the log, and commits them together with its
/// position. So the file is never ahead of the log, which remains authoritative. A file without a position in the log
/// is filled again: a new file, one that another program has changed, or that of a restored or repaired partition.
///
/// Used by one thread at a time.
final class PartitionDocuments: Sendable {
    let database: Database
    private let batchSize: Int

    static func path(in folder: String) -> String { folder + "/documents.realm" }

    /// Creates the file if it doesn't exist.
    ///
    /// - Parameter batchSize: The size in bytes at which a commit ends, including the changeset that exceeds it.
    /// - Throws: `StorageError`.
    init(folder: String, batchSize: Int = 4 << 20) throws {
        self.batchSize = batchSize
        var options = OpenOptions()
        options.patience = Patience(limit: PartitionDocuments.writeTimeout)
        database = try Database.open(PartitionDocuments.path(in: folder), options: options)
    }

    /// The limit in nanoseconds. A program that writes to the file delays the documents of all partitions by up to this
    /// time.
    private static let writeTimeout: Int64 = 1_000_000_000

    /// Applies the changes that the file doesn't contain. Stops between two commits if `isWanted` returns false.
    ///
    /// - Returns: The newest version, or `nil` if the update was stopped.
    /// - Throws: `StorageError`, `StateError` if a change can't be applied or earlier versions are missing.
    func follow(_ changes: DocumentChanges, while isWanted: () -> Bool = { true }) throws -> SaltedVersion? {
        var rest: ArraySlice<DocumentChanges.Step> = []
        var committed: UInt64?
        repeat {
            guard isWanted() else { return nil }
            let transaction = try database.beginWrite()
            defer { if transaction.isOpen { transaction.rollback() } }
            let writer = DocumentWriter(transaction)
            if let committed {
                guard committed == transaction.baseVersion else {
                    throw StorageError(.writeRefused, "another program writes to the file", path: database.path)
                }
            } else if let found = changes.steps(after: try writer.position()) {
                if found.isEmpty { return changes.newest }
                rest = found
            } else {
                rest = try changes.stepsFromNothing()
                try writer.clear()
            }
            let batch = takeBatch(of: &rest)
            try writer.apply(batch)
            try writer.setPosition(rest.isEmpty ? changes.newest : batch.last?.version)
            committed = try transaction.commit()
        } while !rest.isEmpty
        return changes.newest
    }

    private func takeBatch(of rest: inout ArraySlice<DocumentChanges.Step>) -> ArraySlice<DocumentChanges.Step> {
        var size = 0
        let batch = rest.prefix { step in
            defer { size += step.kept.count }
            return size < batchSize
        }
        rest = rest.dropFirst(batch.count)
        return batch
    }

    func snapshot() throws -> Snapshot { try database.snapshot(label: "documents") }

    /// Runs a function that fills the file. A damaged file is replaced, because it can be derived.
    static func replacingDamaged<Result>(in folder: String, _ body: () throws -> Result) throws -> Result {
        do { return try body() } catch let error as StorageError where error.isDamage {
            _ = try DatabaseFiles.remove(at: path(in: folder))
            return try body()
        }
    }

    /// Returns a temporary copy of the file, or `nil` if it doesn't exist or is damaged. A server can be running.
    ///
    /// - Parameter temporary: A folder for data that doesn't fit into memory.
    /// - Throws: `StorageError`, `SystemError`.
    static func copy(from folder: String, temporary: String) throws -> Database? {
        let path = path(in: folder)
        guard Folder.holds(path) else { return nil }
        let unnamed = try DiskFile.anonymous(in: temporary)
        do {
            // The session preserves the version while it's copied.
            try Database.open(path, readOnly: true, joining: .always).snapshot(label: "export").writeCopy(to: unnamed)
        } catch let error as StorageError where error.isDamage {
            return nil
        }
        return try Database(file: unnamed, readOnly: false)
    }
}

extension StorageError {
    /// Whether the file isn't a local database.
    var isDamage: Bool { code == .invalidDatabase || code == .incompatibleHistory }
}

/// The documents at a version of their partition.
struct DocumentSnapshot: Sendable {
    let snapshot: Snapshot
    let version: SaltedVersion

    /// Returns `nil` if the file doesn't contain the state of a version, or was changed by another program.
    ///
    /// - Throws: `StorageError`.
    init?(_ documents: PartitionDocuments) throws {
        snapshot = try documents.snapshot()
        guard let version = try DocumentWriter.position(in: snapshot, snapshot.version) else { return nil }
        self.version = version
    }

    /// Whether it's the version or a later one.
    func contains(_ version: SaltedVersion) -> Bool {
        self.version == version || self.version.version > version.version
    }
}

/// Changes the documents of a partition in a transaction.
struct DocumentWriter {
    private let transaction: WriteTransaction

    init(_ transaction: WriteTransaction) { self.transaction = transaction }

    /// - Throws: `StateError` if a change can't be applied, `StorageError`.
    func apply(_ steps: ArraySlice<DocumentChanges.Step>) throws {
        let applier = ChangesetApplier(transaction)
        for step in steps {
            do { try applier.apply(try Changeset(decoding: try step.kept.bytes)) } catch let error as SessionError {
                guard error.code == .badChangeset else {
                    throw StorageError(.fileAccess, error.message, path: transaction.database.path)
                }
                // The text contains the instruction with its values.
                throw StateError("a change can't be applied to the documents")
            } catch let error as ChangesetError {
                throw StateError(error.description)
            }
        }
    }

    /// Removes everything from the file.
    func clear() throws {
        let keys = try transaction.tableKeys()
        // A table can be removed when no other one links to it.
        for key in keys {
            guard let table = try transaction.table(key) else { continue }
            for column in table.publicColumns where column.holdsLinks && column.key != table.primaryKey {
                try transaction.schema.removeColumn(column.key, of: key)
            }
        }
        for key in keys { try transaction.schema.removeTable(key) }
    }

    // MARK: Position

    private static let tableName = "server_position"
    private static let row = ObjectKey(0)
    private static let (version, salt, file) = ("version", "salt", "file")

    /// Returns the version whose state the file contains, or `nil` if the file doesn't contain the state of a version,
    /// or was changed by another program.
    func position() throws -> SaltedVersion? {
        try DocumentWriter.position(in: transaction, transaction.baseVersion)
    }

    /// - Parameter fileVersion: The version of the file.
    fileprivate static func position(in source: any TableSource, _ fileVersion: UInt64) throws -> SaltedVersion? {
        guard let table = try source.table(named: DocumentWriter.tableName),
            try table.find(DocumentWriter.row) != nil,
            try number(DocumentWriter.file, table) == fileVersion,
            let version = try number(DocumentWriter.version, table), let salt = try number(DocumentWriter.salt, table)
        else { return nil }
        return SaltedVersion(version: version, salt: salt)
    }

    private static func number(_ name: String, _ table: Table) throws -> UInt64? {
        guard let column = table.column(named: name),
            case .int(let number) = try table.value(column.key, of: DocumentWriter.row)
        else { return nil }
        return UInt64(bitPattern: number)
    }

    /// The transaction must then be committed.
    func setPosition(_ position: SaltedVersion?) throws {
        let table = try transaction.table(named: DocumentWriter.tableName) ?? makeTable()
        let isThere = try table.find(DocumentWriter.row) != nil
        guard let position else {
            if isThere { try transaction.removeObject(DocumentWriter.row, from: table.key) }
            return
        }
        if !isThere { try transaction.createObject(DocumentWriter.row, in: table.key) }
        let numbers = [
            (DocumentWriter.version, position.version), (DocumentWriter.salt, position.salt),
            (DocumentWriter.file, transaction.baseVersion + 1),
        ]
        for (name, number) in numbers {
            guard let column = table.column(named: name)?.key else { continue }
            try transaction.set(.int(Int64(bitPattern: number)), column, of: DocumentWriter.row, in: table.key)
        }
    }

    private func makeTable() throws -> Table {
        let key = try transaction.schema.addTable(DocumentWriter.tableName)
        for name in [DocumentWriter.version, DocumentWriter.salt, DocumentWriter.file] {
            try transaction.schema.addColumn(name, .int, to: key)
        }
        return try transaction.require(key)
    }

    func removePositionTable() throws {
        guard let table = try transaction.table(named: DocumentWriter.tableName) else { return }
        try transaction.schema.removeTable(table.key)
    }
}

// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmRuntime
import RealmStorage
import RealmSystem
import RealmValues

/// Imports all records of a source into a database file, or none.
///
/// An existing file is changed in one commit. A new one is filled under a temporary name, in commits of limited size,
/// and renamed at the end.
struct FileImport {
    let path: String
    let cipher: (any PageCipher)?
    let source: any ImportSource
    let mappings: [FieldMapping]
    let primaryKey: String?
    let updates: Bool
    let skipsBadRows: Bool
    let isDryRun: Bool
    let progress: Progress?

    static let sampleCount = 10_000
    private static let batchCount = 100_000
    private static let keptBadRows = 100

    struct Outcome {
        var imported = 0
        var badRowCount = 0
        var badRows: [BadRow] = []
        var lostLinkCount = 0
        /// Fields of mappings that haven't occurred in a record yet.
        fileprivate var unseenFields: Set<ByteText> = []
        var notes: [String] = []
    }

    func run(show: (SchemaDescription, _ existing: Set<String>) throws -> Void) throws -> Outcome {
        let sample = try source.sample(FileImport.sampleCount)
        let schema =
            try source.schema?.mapped(mappings) ?? source.inferredSchema
            ?? TypeInference(sample, mappings).schema(primaryKey: primaryKey)
        let isNew = !Folder.holds(path)
        if isDryRun { return try rehearse(schema, isNew, show) }
        if !isNew {
            let database = try WritableFile.openAsIs(path, cipher: cipher)
            return try fill(database, schema, batchCount: .max, show)
        }
        return try makeFile(schema, show)
    }

    private func rehearse(
        _ schema: SchemaDescription, _ isNew: Bool, _ show: (SchemaDescription, Set<String>) throws -> Void
    ) throws -> Outcome {
        let database =
            isNew
            ? try Database.inMemory(in: FileManager.default.temporaryDirectory.path)
            : try WritableFile.openAsIs(path, cipher: cipher)
        return try fill(database, schema, batchCount: isNew ? FileImport.batchCount : .max, show)
    }

    private func makeFile(
        _ schema: SchemaDescription, _ show: (SchemaDescription, Set<String>) throws -> Void
    ) throws -> Outcome {
        try UnfinishedOutput.write(path) { part in
            try fill(try Database.open(part, cipher: cipher), schema, batchCount: FileImport.batchCount, show)
        }
    }

    // MARK: Records

    private func fill(
        _ database: Database, _ schema: SchemaDescription, batchCount: Int,
        _ show: (SchemaDescription, Set<String>) throws -> Void
    ) throws -> Outcome {
        var write = try database.beginWrite()
        defer { if write.isOpen { write.rollback() } }
        let existing = try Set(write.allTables().compactMap(\.className))
        let awaited = try FileImport.tombstones(write)
        try show(schema, existing)
        try ImportTarget.prepare(schema, in: write)
        // Programs accept a new file only with a schema version.
        if existing.isEmpty, try write.table(named: FileFormat.metadataTable) == nil {
            try SchemaVersion.write(0, write)
        }
        var outcome = Outcome(unseenFields: Set(mappings.map { ByteText($0.field) }), notes: schema.notes)
        var isOver = false
        while !isOver {
            isOver = try !fill(write, batchCount, &outcome)
            if isOver {
                try requireFields(outcome)
                try endLinks(write, awaited, &outcome)
            }
            // A dry run on a new file commits to a file without a name.
            if isDryRun, batchCount == .max { continue }
            try write.commit()
            if !isOver { write = try database.beginWrite() }
        }
        return outcome
    }

    private func fill(_ write: WriteTransaction, _ limit: Int, _ outcome: inout Outcome) throws -> Bool {
        let target = ImportTarget(
            write, cellsHoldJSON: source.cellsHoldJSON,
            mappings: Dictionary(mappings.map { (ByteText($0.field), $0.property) }) { first, _ in first },
            updates: updates)
        for _ in 0..<limit {
            do {
                guard let record = try source.next() else { return false }
                progress?.advance()
                if !outcome.unseenFields.isEmpty {
                    for (field, _) in record.fields { outcome.unseenFields.remove(ByteText(field)) }
                }
                try target.importRecord(record)
                outcome.imported += 1
            } catch let error as BadRow {
                guard skipsBadRows else { throw error }
                outcome.badRowCount += 1
                if outcome.badRows.count < FileImport.keptBadRows { outcome.badRows.append(error) }
            }
        }
        return true
    }

    /// Rejects mappings of fields that occur in no record. They are probably misspelled, and the intended field would
    /// be imported under its own name.
    private func requireFields(_ outcome: Outcome) throws {
        let unknown = outcome.unseenFields.subtracting(source.declaredFields.map(ByteText.init(_:)))
        guard outcome.imported + outcome.badRowCount > 0, let field = unknown.map(\.string).min() else { return }
        throw TransferError("no record has the field '\(field)', which a --map names; correct it, or leave it out")
    }

    // MARK: Links

    private static func tombstones(_ write: WriteTransaction) throws -> Set<ObjectLink> {
        var result: Set<ObjectLink> = []
        for table in try write.allTables() {
            for object in try table.tombstoneKeys() { result.insert(ObjectLink(table: table.key, object: object)) }
        }
        return result
    }

    /// Links to objects that were never imported are errors, or set to null if bad rows are skipped.
    private func endLinks(
        _ write: WriteTransaction, _ awaited: Set<ObjectLink>, _ outcome: inout Outcome
    ) throws {
        for link in try FileImport.tombstones(write).subtracting(awaited) {
            let table = try write.require(link.table)
            guard try table.isLinked(tombstone: link.object) else { continue }
            let name = try table.tombstoneValue(of: link.object) ?? .int(link.object.unresolved.rawValue)
            outcome.lostLinkCount += 1
            guard skipsBadRows else {
                throw TransferError(
                    "a link leads to the object \(ValueText.plain(name)) of '\(table.className ?? table.name)', which "
                        + "neither the file nor the import has; --skip-bad makes it null")
            }
            try write.tombstones.remove(link.object, of: table)
        }
    }
}

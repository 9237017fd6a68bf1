// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSyncCore

/// Logs and snapshots are lists of records, which are read by replaying them.
enum StoreRecord {
    case base(SaltedVersion, lastIdent: UInt64)
    case file(PartitionFile)
    case version(VersionRecord)
    /// `seen` is the time of the last contact, in seconds since 1970.
    case advance(UInt64, UploadCursor, seen: UInt64)
    /// Discards the data of the file.
    case expire(UInt64)
    case bootstrap(Bootstrap)
    /// The last record of a snapshot.
    case end
    /// Belongs to the upload that is recorded with it.
    case ingest(IngestRecord)
    /// The sequence number of the last ingested record. Part of a snapshot, and of the frames of a shared log, which
    /// contain no such records.
    case ingested(UInt64)
    /// A query of a class, which views name by its id.
    case query(UInt64, Text, Text)
    /// Replaces the views of a file that start after `after`, and their bootstraps, which the file hasn't received.
    case view(UInt64, FileView, after: UInt64)
    /// The changes of a version that only one file receives.
    case fileChange(UInt64, UInt64, FileChange)
    /// The objects of the next version in the results of queries.
    case views(ViewChanges)
    /// The objects of a file's uploads that were merged with the bootstrap of a version.
    case lost(UInt64, UInt64, [ObjectReference])
    /// The schema version of a file. Files without this record have version 0.
    case schemaVersion(UInt64, UInt64)
}

struct VersionRecord {
    var version: SaltedVersion
    var origin: UInt64
    var clientVersion: UInt64
    /// The server version on which the change was based.
    var serverVersion: UInt64
    var timestamp: UInt64
    var originalSize: Int
    var bytes: [UInt8]
    /// The new forms of versions. For an upload of multiple changes, only the last record contains them.
    var forms: [UInt64: [UInt8]]
}

extension StoreRecord {
    /// The number of the last ingested object after the record, if the record determines it.
    var lastIngested: UInt64? {
        switch self {
        case .ingest(let record): record.sequence
        case .ingested(let sequence): sequence
        default: nil
        }
    }

    /// - Throws: `SystemError` if a large bootstrap can't be read from its file.
    func write(to writer: inout RecordWriter) throws {
        switch self {
        case .base(let base, let lastIdent):
            writer.byte(1)
            for number in [base.version, base.salt, lastIdent] { writer.number(number) }
        case .file(let file):
            writer.byte(2)
            file.write(to: &writer)
        case .version(let version):
            writer.byte(3)
            version.write(to: &writer)
        case .advance(let ident, let cursor, let seen):
            writer.byte(4)
            for number in [ident, cursor.clientVersion, cursor.serverVersion, seen] { writer.number(number) }
        case .expire(let ident):
            writer.byte(5)
            writer.number(ident)
        case .bootstrap(let bootstrap):
            writer.byte(6)
            try bootstrap.write(to: &writer)
        case .end: writer.byte(7)
        case .ingest(let record):
            writer.byte(20)
            record.write(to: &writer)
        case .ingested(let sequence):
            writer.byte(21)
            writer.number(sequence)
        case .query(let id, let name, let text):
            writer.byte(8)
            writer.number(id)
            writer.text(name)
            writer.text(text)
        case .view(let ident, let view, let after):
            writer.byte(9)
            for number in [ident, after] { writer.number(number) }
            view.write(to: &writer)
        case .fileChange(let ident, let version, let change):
            writer.byte(10)
            for number in [ident, version] { writer.number(number) }
            try change.write(to: &writer)
        case .views(let changes):
            writer.byte(11)
            changes.write(to: &writer)
        case .lost(let ident, let version, let objects):
            writer.byte(12)
            for number in [ident, version] { writer.number(number) }
            writer.objects(objects)
        case .schemaVersion(let ident, let version):
            writer.byte(22)
            for number in [ident, version] { writer.number(number) }
        }
    }

    init(_ reader: inout RecordReader) throws(RecordError) {
        let start = reader.offset
        switch try reader.byte() {
        case 1:
            let base = SaltedVersion(version: try reader.number(), salt: try reader.number())
            self = .base(base, lastIdent: try reader.number())
        case 2: self = .file(try PartitionFile(&reader))
        case 3: self = .version(try VersionRecord(&reader))
        case 4:
            let ident = try reader.number()
            let cursor = UploadCursor(clientVersion: try reader.number(), serverVersion: try reader.number())
            self = .advance(ident, cursor, seen: try reader.number())
        case 5: self = .expire(try reader.number())
        case 6: self = .bootstrap(try Bootstrap(&reader))
        case 7: self = .end
        case 20: self = .ingest(try IngestRecord(&reader))
        case 21: self = .ingested(try reader.number())
        case 8:
            let id = try reader.number()
            self = .query(id, try reader.text(), try reader.text())
        case 9:
            let (ident, after) = (try reader.number(), try reader.number())
            self = .view(ident, try FileView(&reader), after: after)
        case 10:
            let (ident, version) = (try reader.number(), try reader.number())
            self = .fileChange(ident, version, try FileChange(&reader))
        case 11: self = .views(try ViewChanges(&reader))
        case 12:
            let (ident, version) = (try reader.number(), try reader.number())
            self = .lost(ident, version, try reader.objects())
        case 22: self = .schemaVersion(try reader.number(), try reader.number())
        case let kind: throw RecordError("unknown record kind \(kind)", at: start)
        }
    }
}

extension VersionRecord {
    fileprivate func write(to writer: inout RecordWriter) {
        for number in [
            version.version, version.salt, origin, clientVersion, serverVersion, timestamp, UInt64(originalSize),
        ] { writer.number(number) }
        writer.blob(bytes)
        writer.forms(forms)
    }

    fileprivate init(_ reader: inout RecordReader) throws(RecordError) {
        version = SaltedVersion(version: try reader.number(), salt: try reader.number())
        (origin, clientVersion) = (try reader.number(), try reader.number())
        (serverVersion, timestamp) = (try reader.number(), try reader.number())
        originalSize = Int(UInt32(truncatingIfNeeded: try reader.number()))
        bytes = try reader.blob()
        forms = try reader.forms()
    }
}

extension PartitionFile {
    fileprivate func write(to writer: inout RecordWriter) {
        let numbers: [UInt64] = [
            salt.ident, salt.salt, upload.clientVersion, upload.serverVersion, seen, bootstrap, isExpired ? 1 : 0,
            steps.first?.version ?? 0, steps.first?.clientVersion ?? 0,
        ]
        for number in numbers { writer.number(number) }
        writer.forms(forms.mapValues { $0.encoded() })
    }

    fileprivate init(_ reader: inout RecordReader) throws(RecordError) {
        self.init(SaltedIdent(ident: try reader.number(), salt: try reader.number()), bootstrap: 0, seen: 0)
        upload = UploadCursor(clientVersion: try reader.number(), serverVersion: try reader.number())
        (seen, bootstrap) = (try reader.number(), try reader.number())
        isExpired = try reader.number() != 0
        steps = [Step(version: try reader.number(), clientVersion: try reader.number(), bytes: 0)]
        for (version, bytes) in try reader.forms() { forms[version] = try reader.changeset(bytes) }
    }
}

extension Bootstrap {
    fileprivate func write(to writer: inout RecordWriter) throws {
        writer.number(version)
        writer.number(timestamp)
        writer.number(UInt64(entries.count))
        for entry in entries { writer.blob(try entry.kept.bytes) }
    }

    fileprivate init(_ reader: inout RecordReader) throws(RecordError) {
        let start = reader.offset
        let (version, timestamp) = (try reader.number(), try reader.number())
        var changesets: [[UInt8]] = []
        for _ in 0..<(try reader.count()) { changesets.append(try reader.blob()) }
        guard UInt64(changesets.count) <= version else {
            throw RecordError("a bootstrap has more parts than there are versions", at: start)
        }
        self.init(version: version, timestamp: timestamp, [])
        for bytes in changesets { append(bytes, of: changesets.count) }
    }
}

extension RecordWriter {
    fileprivate mutating func forms(_ forms: [UInt64: [UInt8]]) {
        number(UInt64(forms.count))
        for (version, bytes) in forms.sorted(by: { $0.key < $1.key }) {
            number(version)
            blob(bytes)
        }
    }
}

extension RecordReader {
    fileprivate mutating func forms() throws(RecordError) -> [UInt64: [UInt8]] {
        var forms: [UInt64: [UInt8]] = [:]
        for _ in 0..<(try count()) { forms[try number()] = try blob() }
        return forms
    }

    /// The changeset ends at the current offset.
    func changeset(_ bytes: [UInt8]) throws(RecordError) -> Changeset {
        do { return try Changeset(decoding: bytes) } catch {
            throw RecordError(error.description, at: offset - bytes.count)
        }
    }
}

extension StoreError {
    private static let repair =
        "No client can apply this change: 'realm-server repair' removes it from the partition."

    /// Creates the error for a change whose position in the folder's files isn't known.
    init(folder: String, _ error: StateError) {
        self.init(folder: folder, error.message, remedy: StoreError.repair)
    }

    /// An older server acknowledged the change, which no client can apply.
    init(_ path: String, at offset: Int, _ error: StateError) {
        self.init(path, at: offset, error.message, remedy: StoreError.repair)
    }
}

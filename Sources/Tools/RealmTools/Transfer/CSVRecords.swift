// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmStorage
import RealmSyncCore
import RealmValues

/// The records of CSV files, one for each class, with a header line of names.
final class CSVRecords: ImportSource {
    let schema: SchemaDescription?
    private(set) var declaredFields: Set<String> = []
    var cellsHoldJSON: Bool { schema != nil }
    private let files: [(className: String, path: String)]
    private let progress: Progress?
    private var place = 0
    private var reader: CSVReader?
    private var header: [String] = []
    private var lookahead = RecordLookahead()

    /// `path` is a file, standard input, or a folder created by `realm export`.
    init(_ path: String, className: String, progress: Progress?) throws {
        self.progress = progress
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue else {
            files = [(className, path)]
            schema = nil
            return
        }
        let names = try FileManager.default.contentsOfDirectory(atPath: path).sorted()
        files = names.filter { $0.hasSuffix(".csv") }.map { (String($0.dropLast(4)), path + "/" + $0) }
        guard names.contains(CSVRecords.schemaName) else {
            schema = nil
            return
        }
        let bytes = try ByteSource(path: path + "/" + CSVRecords.schemaName)
        var reader = JSONReader(pieces: bytes.nextPiece)
        schema = try SchemaDescription(raw: ForeignValue(try reader.value()))
    }

    /// The file in the folder that contains the types.
    static let schemaName = "schema.json"

    func sample(_ limit: Int) throws -> [ImportRecord] {
        if schema != nil { return [] }
        if files.count != 1 {
            // Files can be read twice, and each class has its own file.
            return try files.flatMap { file in
                let source = CSVRecords(files: [file])
                return try source.sample(limit)
            }
        }
        return try lookahead.fill(limit, read)
    }

    private init(files: [(className: String, path: String)]) {
        self.files = files
        schema = nil
        progress = nil
    }

    func next() throws -> ImportRecord? { try lookahead.next(read) }

    private func read() throws -> ImportRecord? {
        while place < files.count {
            let file = files[place]
            if reader == nil { try open(file.path) }
            if let record = try reader.flatMap({ try record(in: $0, file) }) { return record }
            reader = nil
            place += 1
        }
        return nil
    }

    private func open(_ path: String) throws {
        let opened = try CSVReader(try ByteSource(path: path, progress: progress))
        guard let names = try opened.next() else {
            throw TransferError("'\(path)' is empty: the line of names is missing")
        }
        header = names.map(\.text)
        guard Set(header.map(ByteText.init(_:))).count == header.count else {
            throw TransferError("'\(path)' has a name twice in its first line")
        }
        declaredFields.formUnion(header)
        reader = opened
    }

    private func record(in reader: CSVReader, _ file: (className: String, path: String)) throws -> ImportRecord? {
        let place = (files.count > 1 ? file.className + ".csv, " : "") + "line \(reader.line)"
        guard let row = try reader.next() else { return nil }
        guard row.count == header.count else {
            throw BadRow(place: place, message: "\(row.count.counted("field")) instead of \(header.count)")
        }
        let fields = zip(header, row).map { name, field in
            (name, field.text.isEmpty && !field.isQuoted ? ForeignValue.null : .text(field.text))
        }
        return ImportRecord(className: file.className, fields: fields, place: place)
    }
}

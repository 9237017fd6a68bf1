// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmSystem
import RealmValues

/// Writes an export as comma-separated values (RFC 4180, with LF line ends): one class as text, or each class as a file
/// in a folder, together with a file of the types.
///
/// An empty field is null, and an empty text is in quotes. Collections and objects are JSON.
final class CSVExport: ExportWriter {
    private let text: ValueText
    private let folder: OutputFolder?
    private let guardsFormulas: Bool
    private var output: TextOutput
    private var file: DiskFile?

    struct OutputFolder {
        let path: String
        let name: String
        let permissions: FilePermissions

        func make() throws {
            guard try OpenFolder.create(path, for: permissions) else {
                throw SystemError("mkdir", path: name, number: EEXIST)
            }
        }

        fileprivate func file(_ file: String) throws -> DiskFile {
            try DiskFile.create(path + "/" + file, named: name + "/" + file, permissions)
        }
    }

    /// - Parameters:
    ///   - folder: Nil to write everything to `output`.
    ///   - guardsFormulas: Whether texts that a spreadsheet would evaluate are prefixed with an apostrophe.
    init(_ output: TextOutput, _ snapshot: Snapshot, folder: OutputFolder?, guardsFormulas: Bool) throws {
        text = ValueText(snapshot)
        self.output = output
        self.folder = folder
        self.guardsFormulas = guardsFormulas
        try folder?.make()
    }

    func begin(_ schema: SchemaDescription) throws {
        guard let file = try folder?.file(CSVRecords.schemaName) else { return }
        let text = TextOutput(to: file)
        try text.write(schema.json.bytes)
        try text.flush()
        try file.sync()
    }

    func begin(_ table: Table) throws {
        if let folder, let name = table.className {
            guard !name.contains("/"), !name.hasPrefix(".") else {
                throw TransferError("'\(name)' cannot be the name of a file")
            }
            let file = try folder.file(name + ".csv")
            self.file = file
            output = TextOutput(to: file)
        }
        let names = (table.primaryKey == nil ? ["$key"] : []) + table.publicColumns.map { ValueText.escaped($0.name) }
        try output.writeLine(names.map { CSVField.text($0, quotesEmpty: true) }.joined(separator: ","))
    }

    func write(_ key: ObjectKey, _ values: [DetachedValue], of table: Table) throws {
        var fields = table.primaryKey == nil ? [String(key.rawValue)] : []
        for (column, value) in zip(table.publicColumns, values) {
            let cell = try text.cell(value, of: column)
            fields.append(
                cell.map { CSVField.text(isFormula($0, column) ? "'" + $0 : $0, quotesEmpty: true) } ?? "")
        }
        // A line of one null would be an empty line.
        try output.writeLine(fields.joined(separator: ","))
    }

    func end(_ table: Table) throws {
        try output.flush()
        try file?.sync()
    }

    func end() throws {}

    /// Whether a spreadsheet would evaluate the cell. Numbers may begin with a sign, but contain no formula.
    private func isFormula(_ text: String, _ column: Column) -> Bool {
        guard guardsFormulas, let first = text.utf8.first else { return false }
        return !column.isNumeric && CSVExport.formulaStarts.contains(first)
    }

    private static let formulaStarts = Set("=+-@\t\r".utf8)
}

extension TextOutput {
    convenience init(to file: DiskFile) {
        var offset = 0
        self.init { bytes in
            try bytes.withUnsafeBytes { try file.write($0, at: offset) }
            offset += bytes.count
        }
    }
}

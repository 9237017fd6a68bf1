// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmStorage

/// Writes an export as comma-separated values (RFC 4180, with plain line ends): one class as text, or each class as a
/// file of a folder, with the types in a file beside them.
///
/// An empty field is null, and an empty text is in quotes. What is no single value is JSON.
final class CSVExport: ExportWriter {
    private let text: CellText
    private let folder: String?
    private var output: TextOutput

    /// Without a folder everything goes to `output`.
    init(_ output: TextOutput, _ snapshot: Snapshot, folder: String?) throws {
        text = CellText(snapshot)
        self.output = output
        self.folder = folder
        if let folder {
            do {
                try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
            } catch {
                throw TransferError("'\(folder)' cannot be made, or there is such a folder already")
            }
        }
    }

    func begin(_ schema: SchemaDescription) throws {
        guard let folder else { return }
        let path = folder + "/" + CSVRecords.schemaName
        try Data(schema.json.bytes).write(to: URL(fileURLWithPath: path))
    }

    func begin(_ table: Table) throws {
        if let folder, let name = table.className {
            guard !name.contains("/"), !name.hasPrefix(".") else {
                throw TransferError("'\(name)' cannot be the name of a file")
            }
            output = try TextOutput.file(folder + "/" + name + ".csv")
        }
        let names = (table.primaryKey == nil ? ["$key"] : []) + table.publicColumns.map { ValueText.escaped($0.name) }
        try output.writeLine(names.map(CSVExport.field).joined(separator: ","))
    }

    func write(_ key: ObjectKey, _ values: [PropertyValue], of table: Table) throws {
        var fields = table.primaryKey == nil ? [String(key.rawValue)] : []
        for (column, value) in zip(table.publicColumns, values) {
            fields.append(try text.text(value, column).map(CSVExport.field) ?? "")
        }
        // A line of one null would be an empty line.
        try output.writeLine(fields.joined(separator: ","))
    }

    func end(_ table: Table) throws { try output.flush() }
    func end() throws {}

    private static func field(_ text: String) -> String {
        let needsQuotes = text.isEmpty || text.utf8.contains { [0x22, 0x2C, 0x0D, 0x0A].contains($0) }
        guard needsQuotes else { return text }
        return "\"" + text.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
    }
}

/// Values as the texts of cells: single ones plainly, all others as JSON.
struct CellText {
    private let json: ValueText

    init(_ snapshot: Snapshot) { json = ValueText(snapshot) }

    /// nil for null.
    func text(_ value: PropertyValue, _ column: Column) throws -> String? {
        if column.type != .mixed, !column.key.isCollection {
            switch value {
            case .plain(.null): return nil
            case .plain(let stored): return PlainValues.text(stored)
            case .link(let name):
                let found = try json.names.name(name).name
                return found.flatMap { $0.isNull ? nil : PlainValues.text($0) }
            default: break
            }
        }
        if column.type == .mixed, !column.key.isCollection, value.isNull { return nil }
        var text = JSONText()
        try json.write(value, isMixed: ValueText.isMixed(column), &text)
        return String(decoding: text.bytes, as: UTF8.self)
    }
}

extension TextOutput {
    /// Text that goes to a new file.
    static func file(_ path: String) throws -> TextOutput {
        guard !FileManager.default.fileExists(atPath: path),
            FileManager.default.createFile(atPath: path, contents: nil), let handle = FileHandle(forWritingAtPath: path)
        else { throw TransferError("'\(path)' cannot be made, or there is such a file already") }
        return TextOutput { try handle.write(contentsOf: Data($0)) }
    }
}

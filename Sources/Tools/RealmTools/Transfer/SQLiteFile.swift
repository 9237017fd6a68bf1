// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// A SQLite database file. Used by one thread at a time.
final class SQLiteFile {
    fileprivate let library: SQLiteLibrary
    fileprivate let handle: SQLiteLibrary.Handle?
    private let name: String

    fileprivate enum Code {
        static let row: Int32 = 100
        static let done: Int32 = 101
        static let readOnly: Int32 = 1
        static let readWriteCreate: Int32 = 2 | 4
    }

    init(_ path: String, named name: String? = nil, readOnly: Bool) throws {
        self.name = name ?? path
        library = try SQLiteLibrary.load()
        var opened: SQLiteLibrary.Handle?
        let status = library.open(path, &opened, readOnly ? Code.readOnly : Code.readWriteCreate, nil)
        handle = opened
        guard status == 0 else { throw error("opening it") }
    }

    deinit { _ = library.close(handle) }

    func execute(_ sql: String) throws {
        guard library.execute(handle, sql, nil, nil, nil) == 0 else { throw error(sql) }
    }

    func statement(_ sql: String) throws -> SQLiteStatement { try SQLiteStatement(sql, self) }

    func rows(_ sql: String) throws -> [[ForeignValue]] {
        let statement = try statement(sql)
        var result: [[ForeignValue]] = []
        while try statement.step() { result.append(statement.row) }
        return result
    }

    static func quoted(_ name: String) -> String {
        "\"" + name.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
    }

    fileprivate func error(_ what: String) -> TransferError {
        let reason = library.message(handle).map { String(cString: $0) } ?? "no memory"
        return TransferError("'\(name)': SQLite: \(reason) (\(what.prefix(100)))")
    }
}

final class SQLiteStatement {
    private let file: SQLiteFile
    private var handle: SQLiteLibrary.Handle?

    fileprivate init(_ sql: String, _ file: SQLiteFile) throws {
        self.file = file
        guard file.library.prepare(file.handle, sql, -1, &handle, nil) == 0 else { throw file.error(sql) }
    }

    deinit { _ = file.library.finalize(handle) }

    func step() throws -> Bool {
        switch file.library.step(handle) {
        case SQLiteFile.Code.row: return true
        case SQLiteFile.Code.done: return false
        default: throw file.error("a row")
        }
    }

    func run(_ values: [ForeignValue]) throws {
        for (index, value) in values.enumerated() {
            guard bind(value, Int32(index + 1)) == 0 else { throw file.error("a value") }
        }
        _ = try step()
        _ = file.library.reset(handle)
    }

    /// SQLite copies the argument before the call returns.
    private static let copies = unsafeBitCast(-1, to: SQLiteLibrary.Release.self)

    private func bind(_ value: ForeignValue, _ index: Int32) -> Int32 {
        let library = file.library
        switch value {
        case .integer(let number): return library.bindInteger(handle, index, number)
        case .bool(let flag): return library.bindInteger(handle, index, flag ? 1 : 0)
        case .real(let number): return library.bindReal(handle, index, number)
        case .string(let text), .text(let text), .number(let text):
            return Array(text.utf8).withUnsafeBytes {
                library.bindText(handle, index, $0.baseAddress ?? SQLiteStatement.nothing, Int32($0.count), Self.copies)
            }
        case .bytes(let bytes):
            return bytes.withUnsafeBytes {
                library.bindBytes(
                    handle, index, $0.baseAddress ?? SQLiteStatement.nothing, Int32($0.count), Self.copies)
            }
        case .null, .array, .object: return library.bindNull(handle, index)
        }
    }

    /// The address bound for an empty text, because SQLite would bind a null pointer as null.
    private static var nothing: UnsafeRawPointer? { UnsafeRawPointer(bitPattern: 8) }

    var row: [ForeignValue] { (0..<file.library.columnCount(handle)).map(value) }

    private func value(_ column: Int32) -> ForeignValue {
        let library = file.library
        switch library.columnType(handle, column) {
        case 1: return .integer(library.columnInteger(handle, column))
        case 2: return .real(library.columnReal(handle, column))
        case 3: return .text(String(decoding: bytes(library.columnText(handle, column), column), as: UTF8.self))
        case 4: return .bytes(bytes(library.columnBytes(handle, column), column))
        default: return .null
        }
    }

    private func bytes(_ start: UnsafeRawPointer?, _ column: Int32) -> [UInt8] {
        guard let start else { return [] }
        return Array(UnsafeRawBufferPointer(start: start, count: Int(file.library.columnByteCount(handle, column))))
    }
}

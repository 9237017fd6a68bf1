// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSystem

/// The functions of the system's SQLite that this tool calls. The library is loaded on first use, so neither its header
/// nor a package is needed to build the tool.
struct SQLiteLibrary: Sendable {
    typealias Handle = OpaquePointer
    typealias Text = UnsafePointer<CChar>
    typealias Release = @convention(c) (UnsafeMutableRawPointer?) -> Void

    let open: @convention(c) (Text?, UnsafeMutablePointer<Handle?>?, Int32, Text?) -> Int32
    let close: @convention(c) (Handle?) -> Int32
    let message: @convention(c) (Handle?) -> Text?
    let execute:
        @convention(c) (
            Handle?, Text?, UnsafeRawPointer?, UnsafeMutableRawPointer?,
            UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
        ) -> Int32
    let prepare:
        @convention(c) (Handle?, Text?, Int32, UnsafeMutablePointer<Handle?>?, UnsafeMutablePointer<Text?>?) -> Int32
    let step: @convention(c) (Handle?) -> Int32
    let reset: @convention(c) (Handle?) -> Int32
    let finalize: @convention(c) (Handle?) -> Int32
    let bindInteger: @convention(c) (Handle?, Int32, Int64) -> Int32
    let bindReal: @convention(c) (Handle?, Int32, Double) -> Int32
    let bindText: @convention(c) (Handle?, Int32, UnsafeRawPointer?, Int32, Release?) -> Int32
    let bindBytes: @convention(c) (Handle?, Int32, UnsafeRawPointer?, Int32, Release?) -> Int32
    let bindNull: @convention(c) (Handle?, Int32) -> Int32
    let columnCount: @convention(c) (Handle?) -> Int32
    let columnType: @convention(c) (Handle?, Int32) -> Int32
    let columnInteger: @convention(c) (Handle?, Int32) -> Int64
    let columnReal: @convention(c) (Handle?, Int32) -> Double
    let columnText: @convention(c) (Handle?, Int32) -> UnsafeRawPointer?
    let columnBytes: @convention(c) (Handle?, Int32) -> UnsafeRawPointer?
    let columnByteCount: @convention(c) (Handle?, Int32) -> Int32

    private static let library = LibraryFunctions(
        names: ["libsqlite3.so.0", "libsqlite3.so", "libsqlite3.dylib"]
    ) { try SQLiteLibrary($0) }

    static func load() throws -> SQLiteLibrary {
        if let functions = library.functions { return functions }
        throw TransferError(
            "this needs SQLite's library, which this system does not have as "
                + "\(library.names.joined(separator: " or ")); install it, for example with 'apt-get install "
                + "libsqlite3-0' or 'dnf install sqlite-libs'")
    }

    private init(_ library: DynamicLibrary) throws {
        open = try library.function("sqlite3_open_v2")
        close = try library.function("sqlite3_close_v2")
        message = try library.function("sqlite3_errmsg")
        execute = try library.function("sqlite3_exec")
        prepare = try library.function("sqlite3_prepare_v2")
        step = try library.function("sqlite3_step")
        reset = try library.function("sqlite3_reset")
        finalize = try library.function("sqlite3_finalize")
        bindInteger = try library.function("sqlite3_bind_int64")
        bindReal = try library.function("sqlite3_bind_double")
        bindText = try library.function("sqlite3_bind_text")
        bindBytes = try library.function("sqlite3_bind_blob")
        bindNull = try library.function("sqlite3_bind_null")
        columnCount = try library.function("sqlite3_column_count")
        columnType = try library.function("sqlite3_column_type")
        columnInteger = try library.function("sqlite3_column_int64")
        columnReal = try library.function("sqlite3_column_double")
        columnText = try library.function("sqlite3_column_text")
        columnBytes = try library.function("sqlite3_column_blob")
        columnByteCount = try library.function("sqlite3_column_bytes")
    }
}

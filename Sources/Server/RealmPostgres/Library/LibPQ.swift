// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSystem

/// The functions of PostgreSQL's client library that the server calls. The library is loaded on first use, so neither
/// its header nor a package is needed to build the server.
@safe
struct LibPQ: Sendable {
    typealias Text = UnsafePointer<CChar>
    typealias Texts = UnsafePointer<Text?>
    typealias Handle = OpaquePointer

    typealias NoticeProcessor = @convention(c) (UnsafeMutableRawPointer?, Text?) -> Void

    /// Parameters: names, values, whether the value of `dbname` is a whole connection string.
    let connect: @convention(c) (Texts?, Texts?, Int32) -> Handle?
    let finish: @convention(c) (Handle?) -> Void
    let status: @convention(c) (Handle?) -> Int32
    let transactionStatus: @convention(c) (Handle?) -> Int32
    let parameterStatus: @convention(c) (Handle?, Text?) -> Text?
    let errorMessage: @convention(c) (Handle?) -> Text?
    let socket: @convention(c) (Handle?) -> Int32
    let setNonblocking: @convention(c) (Handle?, Int32) -> Int32
    let setNoticeProcessor: @convention(c) (Handle?, NoticeProcessor?, UnsafeMutableRawPointer?) -> NoticeProcessor?
    /// Parameters: connection, several statements.
    let sendScript: @convention(c) (Handle?, Text?) -> Int32
    /// Parameters: connection, name, statement, number of types, types.
    let sendPrepare: @convention(c) (Handle?, Text?, Text?, Int32, UnsafePointer<UInt32>?) -> Int32
    /// Parameters: connection, name, number of parameters, values, lengths, formats, format of the result.
    let sendPrepared:
        @convention(c) (Handle?, Text?, Int32, Texts?, UnsafePointer<Int32>?, UnsafePointer<Int32>?, Int32) -> Int32
    let flush: @convention(c) (Handle?) -> Int32
    let consumeInput: @convention(c) (Handle?) -> Int32
    let isBusy: @convention(c) (Handle?) -> Int32
    let result: @convention(c) (Handle?) -> Handle?
    /// Returns a `Notification`.
    let notification: @convention(c) (Handle?) -> UnsafeMutableRawPointer?
    let free: @convention(c) (UnsafeMutableRawPointer?) -> Void
    let clear: @convention(c) (Handle?) -> Void
    let resultStatus: @convention(c) (Handle?) -> Int32
    /// Parameters: result, code of the field.
    let errorField: @convention(c) (Handle?, Int32) -> Text?
    let commandTag: @convention(c) (Handle?) -> Text?
    let affectedRows: @convention(c) (Handle?) -> Text?
    let rowCount: @convention(c) (Handle?) -> Int32
    let columnCount: @convention(c) (Handle?) -> Int32
    let columnType: @convention(c) (Handle?, Int32) -> UInt32
    let isNull: @convention(c) (Handle?, Int32, Int32) -> Int32
    let length: @convention(c) (Handle?, Int32, Int32) -> Int32
    let value: @convention(c) (Handle?, Int32, Int32) -> UnsafeRawPointer?
    /// Parameters: connection string, message of an error. Returns an array of `Option`, up to the first one without a
    /// keyword.
    let parseOptions: @convention(c) (Text?, UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer?
    let freeOptions: @convention(c) (UnsafeMutableRawPointer?) -> Void

    /// `PGnotify`.
    @unsafe
    struct Notification {
        let channel: Text?
        let process: Int32
        let payload: Text?
        let next: UnsafeMutableRawPointer?
    }

    /// `PQconninfoOption`.
    @unsafe
    struct Option {
        let keyword: Text?
        let variable: Text?
        let compiled: Text?
        let value: Text?
        let label: Text?
        let display: Text?
        let size: Int32
    }

    #if canImport(Darwin)
        private static let names = [
            "libpq.5.dylib", "/opt/homebrew/opt/libpq/lib/libpq.5.dylib", "/usr/local/opt/libpq/lib/libpq.5.dylib",
            "/Applications/Postgres.app/Contents/Versions/latest/lib/libpq.5.dylib",
        ]
    #else
        private static let names = ["libpq.so.5", "libpq.so"]
    #endif

    private static let library = LibraryFunctions(names: names) { try LibPQ($0) }

    static var isInstalled: Bool { library.functions != nil }

    /// Returns the functions of the library.
    ///
    /// - Throws: `PostgresError` of the kind `unavailable` if the library isn't installed.
    static func load() throws(PostgresError) -> LibPQ {
        if let functions = library.functions { return functions }
        throw PostgresError(
            .unavailable, "PostgreSQL's library isn't installed as \(library.names.joined(separator: " or "))",
            remedy: "install it, for example with 'apt-get install libpq5' or 'brew install libpq'")
    }

    private init(_ library: DynamicLibrary) throws(DynamicLibrary.MissingFunction) {
        unsafe connect = try library.function("PQconnectdbParams")
        unsafe finish = try library.function("PQfinish")
        unsafe status = try library.function("PQstatus")
        unsafe transactionStatus = try library.function("PQtransactionStatus")
        unsafe parameterStatus = try library.function("PQparameterStatus")
        unsafe errorMessage = try library.function("PQerrorMessage")
        unsafe socket = try library.function("PQsocket")
        unsafe setNonblocking = try library.function("PQsetnonblocking")
        unsafe setNoticeProcessor = try library.function("PQsetNoticeProcessor")
        unsafe sendScript = try library.function("PQsendQuery")
        unsafe sendPrepare = try library.function("PQsendPrepare")
        unsafe sendPrepared = try library.function("PQsendQueryPrepared")
        unsafe flush = try library.function("PQflush")
        unsafe consumeInput = try library.function("PQconsumeInput")
        unsafe isBusy = try library.function("PQisBusy")
        unsafe result = try library.function("PQgetResult")
        unsafe notification = try library.function("PQnotifies")
        unsafe free = try library.function("PQfreemem")
        unsafe clear = try library.function("PQclear")
        unsafe resultStatus = try library.function("PQresultStatus")
        unsafe errorField = try library.function("PQresultErrorField")
        unsafe commandTag = try library.function("PQcmdStatus")
        unsafe affectedRows = try library.function("PQcmdTuples")
        unsafe rowCount = try library.function("PQntuples")
        unsafe columnCount = try library.function("PQnfields")
        unsafe columnType = try library.function("PQftype")
        unsafe isNull = try library.function("PQgetisnull")
        unsafe length = try library.function("PQgetlength")
        unsafe value = try library.function("PQgetvalue")
        unsafe parseOptions = try library.function("PQconninfoParse")
        unsafe freeOptions = try library.function("PQconninfoFree")
    }
}

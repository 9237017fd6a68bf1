// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSystem

/// A connection to PostgreSQL. Its calls block the thread, so they mustn't run on event loops or threads of tasks.
///
/// Only one thread at a time may use it; `use` traps otherwise. Hence the unchecked `Sendable`.
@safe
package final class PostgresConnection: @unchecked Sendable {
    package let settings: PostgresSettings
    private let library: LibPQ
    // Guarded by the confinement to one thread, like the properties below.
    private var handle: OpaquePointer?
    /// The names of prepared statements, by the bytes of their texts and the types of their parameters. As strings,
    /// statements with different encodings of a character would be equal.
    private var prepared: [[UInt8]: String] = [:]
    /// Whether the session is lost. Then nothing is sent any more.
    private(set) var isLost = false
    private let usage = Lock()
    // Guarded by `usage`.
    private var isUsed = false

    private static let maxPrepared = 200
    /// The limit of the parameters of a statement in bytes. PostgreSQL's messages have less than 1 GiB.
    private static let maxParameters = 1_000_000_000

    /// - Throws: `PostgresError` of the kind `unavailable` if PostgreSQL can't be reached within the time limit, or
    ///   rejects the connection.
    package init(_ settings: PostgresSettings) throws {
        self.settings = settings
        library = try LibPQ.load()
        unsafe handle = PostgresConnection.connect(library, settings.options)
        // Otherwise the library prints notices to the standard error.
        _ = unsafe library.setNoticeProcessor(handle, { _, _ in }, nil)
        guard unsafe library.status(handle) == Status.connected, unsafe library.setNonblocking(handle, 1) == 0 else {
            let message = reason
            close()
            throw PostgresError(
                .unavailable, "PostgreSQL at \(settings.name) can't be used: \(message)",
                remedy: "check the address, and whether the database runs")
        }
        do {
            let calls = settings.parameters.indices.map { "set_config($\(2 * $0 + 1), $\(2 * $0 + 2), false)" }
            try query(
                "SELECT \(calls.joined(separator: ", "))",
                settings.parameters.flatMap { [.text($0.name), .text($0.value)] })
        } catch {
            close()
            throw error
        }
    }

    deinit { close() }

    private static func connect(_ library: LibPQ, _ options: [(name: String, value: String)]) -> OpaquePointer? {
        let (names, values) = unsafe (options.map { unsafe strdup($0.name) }, options.map { unsafe strdup($0.value) })
        defer { unsafe (names + values).forEach { unsafe free($0) } }
        let terminated = unsafe (
            names.map { unsafe LibPQ.Text($0) } + [nil], values.map { unsafe LibPQ.Text($0) } + [nil]
        )
        return unsafe library.connect(terminated.0, terminated.1, 1)
    }

    /// Closes the connection. An open transaction is rolled back. Can be repeated.
    package func close() {
        guard unsafe handle != nil else { return }
        unsafe library.finish(handle)
        unsafe handle = nil
    }

    /// Whether the connection can be used again: it is open, and no transaction is in progress.
    var isIdle: Bool {
        guard !isLost, unsafe handle != nil, unsafe library.status(handle) == Status.connected else { return false }
        return unsafe library.transactionStatus(handle) == Status.idle
    }

    /// Whether a connection that wasn't used for some time is still open, without a message to PostgreSQL.
    func isAlive() -> Bool {
        guard isIdle else { return false }
        // PostgreSQL sends nothing to an idle session except for the reason of its end, and rarely a changed setting.
        return (try? poll(milliseconds: 0)) == false
    }

    /// Whether a transaction is in progress or has failed, and hasn't ended.
    package var isInTransaction: Bool {
        unsafe handle != nil && library.transactionStatus(handle) >= Status.inTransaction
    }

    // MARK: Statements

    /// Executes one statement, which is prepared when it is executed first: write its values as `$1`, `$2`.
    @discardableResult
    package func query(_ statement: String, _ parameters: [PostgresValue] = []) throws -> PostgresResult {
        guard parameters.reduce(0, { $0 + $1.maxSize }) <= PostgresConnection.maxParameters else {
            throw PostgresError(.other, "the parameters of a statement have more than 1 GB")
        }
        return try use {
            let name = try prepare(statement, parameters)
            let values = parameters.map(\.encoded)
            return try run {
                unsafe PostgresConnection.withPointers(to: values) { pointers, lengths in
                    let formats = [Int32](repeating: 1, count: values.count)
                    return unsafe library.sendPrepared(
                        handle, name, Int32(values.count), pointers, lengths, formats, 1)
                }
            }
        }
    }

    /// Executes statements that are separated by semicolons and have no parameters. Their rows are discarded.
    package func execute(_ script: String) throws { _ = try tag(of: script) }

    /// Returns the tag of the last statement.
    ///
    /// - Parameter limit: The milliseconds that the call waits, if they are fewer than `responseTimeout`.
    private func tag(of script: String, limit: Int = .max) throws -> String {
        try use { try run(hasRows: false, limit: limit) { unsafe library.sendScript(handle, script) }.tag }
    }

    private func prepare(_ statement: String, _ parameters: [PostgresValue]) throws -> String {
        let types = parameters.map(\.type)
        let key = Array("\(types.map(String.init).joined(separator: ","));\(statement)".utf8)
        if let name = prepared[key] { return name }
        if prepared.count >= PostgresConnection.maxPrepared {
            _ = try run { unsafe library.sendScript(handle, "DEALLOCATE ALL") }
            prepared = [:]
        }
        let name = "s\(prepared.count)"
        _ = try run { unsafe library.sendPrepare(handle, name, statement, Int32(types.count), types) }
        prepared[key] = name
        return name
    }

    private static func withPointers<Result>(
        to values: [[UInt8]?], _ body: (UnsafePointer<LibPQ.Text?>, UnsafePointer<Int32>) -> Result
    ) -> Result {
        // An empty value isn't null, so its pointer isn't either: each value is followed by a byte.
        var buffer: [UInt8] = []
        buffer.reserveCapacity(values.reduce(0) { $0 + ($1?.count ?? 0) + 1 })
        for value in values {
            buffer += value ?? []
            buffer.append(0)
        }
        let lengths = values.map { Int32($0?.count ?? 0) }
        return unsafe buffer.withUnsafeBytes { bytes in
            var offset = 0
            let pointers = unsafe values.map { value -> LibPQ.Text? in
                defer { offset += (value?.count ?? 0) + 1 }
                guard value != nil, let base = bytes.baseAddress else { return nil }
                return unsafe (base + offset).assumingMemoryBound(to: CChar.self)
            }
            return unsafe body(pointers, lengths)
        }
    }

    private func use<Result>(_ body: () throws -> Result) throws -> Result {
        let isFirst = usage.locked {
            defer { isUsed = true }
            return !isUsed
        }
        precondition(isFirst, "two threads use a connection to PostgreSQL at the same time")
        defer { usage.locked { isUsed = false } }
        guard unsafe handle != nil else {
            throw PostgresError(.connectionLost, "the connection to PostgreSQL at \(settings.name) is closed")
        }
        return try body()
    }

    // MARK: Transactions

    /// The isolation of a transaction.
    package enum Isolation: String, Sendable {
        case readCommitted = "READ COMMITTED"
        case snapshot = "REPEATABLE READ READ ONLY"
    }

    /// Begins a transaction.
    package func begin(_ isolation: Isolation = .readCommitted) throws {
        try execute("BEGIN ISOLATION LEVEL \(isolation.rawValue)")
    }

    /// - Throws: `PostgresError` of the kind `commitUnknown` if the connection is lost, so that the changes may be
    ///   durable or not. After any other error the changes have no effect.
    package func commit() throws {
        do {
            // A failed transaction is rolled back by COMMIT without an error.
            guard try tag(of: "COMMIT", limit: settings.commitTimeout) == "COMMIT" else {
                throw PostgresError(.serialization, "the transaction had failed, so it was rolled back")
            }
        } catch let error as PostgresError where error.kind == .connectionLost || error.kind == .timeout {
            throw PostgresError(.commitUnknown, sqlState: error.sqlState, error.message, remedy: error.remedy)
        }
    }

    /// Rolls the transaction back, or closes the connection if it is lost.
    package func rollback() {
        if isLost { return close() }
        do { try execute("ROLLBACK") } catch { close() }
    }

    /// Runs `body` in a transaction, which is rolled back if it throws.
    @discardableResult
    package func transaction<Result>(_ isolation: Isolation = .readCommitted, _ body: () throws -> Result) throws
        -> Result
    {
        try begin(isolation)
        let result: Result
        do { result = try body() } catch {
            rollback()
            throw error
        }
        try commit()
        return result
    }

    // MARK: Notifications

    /// Returns the notifications that have arrived. Waits for the first one until the time limit.
    ///
    /// - Parameter alarm: A descriptor that ends the wait when it becomes readable.
    func notifications(milliseconds: Int, alarm: Int32) throws -> [PostgresNotification] {
        try use {
            var found = received()
            if found.isEmpty, try poll(milliseconds: milliseconds, alarm: alarm) { found = received() }
            guard unsafe library.consumeInput(handle) == 1 else { throw lost() }
            return found + received()
        }
    }

    private func received() -> [PostgresNotification] {
        var found: [PostgresNotification] = []
        while let notification = unsafe library.notification(handle) {
            defer { unsafe library.free(notification) }
            let received = unsafe notification.load(as: LibPQ.Notification.self)
            guard let channel = unsafe received.channel else { continue }
            let payload = unsafe received.payload.map { unsafe String(cString: $0) } ?? ""
            found.append(PostgresNotification(channel: unsafe String(cString: channel), payload: payload))
        }
        return found
    }

    // MARK: The exchange of messages

    /// Sends statements, and returns the result of the last one.
    private func run(hasRows: Bool = true, limit: Int = .max, _ send: () -> Int32) throws -> PostgresResult {
        guard send() == 1 else { throw lost() }
        let deadline = Deadline(milliseconds: min(limit, settings.responseTimeout))
        try flush(deadline)
        var result: PostgresResult?
        var failure: PostgresError?
        func next() throws -> OpaquePointer? {
            do { return unsafe try receive(deadline) } catch {
                guard let failure else { throw error }
                isLost = true
                // The library's text contains that of the first error.
                throw failure.isConnectionLost ? failure : lost(withReason: false)
            }
        }
        while let received = unsafe try next() {
            defer { unsafe library.clear(received) }
            switch unsafe library.resultStatus(received) {
            case Status.noRows, Status.rows:
                do { result = unsafe try PostgresResult(received, library, hasRows: hasRows) } catch {
                    failure = failure ?? error
                }
            default: failure = unsafe failure ?? error(of: received)
            }
        }
        if let failure {
            if failure.isConnectionLost { isLost = true }
            throw failure
        }
        guard let result else { throw lost() }
        return result
    }

    private func flush(_ deadline: Deadline) throws {
        while true {
            switch unsafe library.flush(handle) {
            case 0: return
            case 1:
                // PostgreSQL may wait until its own messages are read.
                guard try poll(milliseconds: deadline.rest, isWriting: true) else { throw expired() }
                guard unsafe library.consumeInput(handle) == 1 else { throw lost() }
            default: throw lost()
            }
        }
    }

    /// Returns the next result, or `nil` after the last one.
    private func receive(_ deadline: Deadline) throws -> OpaquePointer? {
        while unsafe library.isBusy(handle) != 0 {
            guard try poll(milliseconds: deadline.rest) else { throw expired() }
            guard unsafe library.consumeInput(handle) == 1 else { throw lost() }
        }
        return unsafe library.result(handle)
    }

    /// Returns false after the time limit, and if only the alarm is readable.
    private func poll(milliseconds: Int, isWriting: Bool = false, alarm: Int32 = -1) throws -> Bool {
        let events = Int16(POLLIN) | (isWriting ? Int16(POLLOUT) : 0)
        var descriptors = [
            pollfd(fd: unsafe library.socket(handle), events: events, revents: 0),
            pollfd(fd: alarm, events: Int16(POLLIN), revents: 0),
        ]
        let deadline = Deadline(milliseconds: milliseconds)
        while true {
            let count = unsafe RealmSystem.poll(&descriptors, 2, Int32(clamping: deadline.rest))
            if count >= 0 { return descriptors[0].revents != 0 }
            guard errno == EINTR else { throw SystemError.last("poll", path: settings.name) }
        }
    }

    private var reason: String {
        guard let text = unsafe library.errorMessage(handle) else { return "out of memory" }
        return unsafe String(cString: text).split(separator: "\n").joined(separator: " ")
    }

    private func lost(withReason isReasoned: Bool = true) -> PostgresError {
        isLost = true
        let suffix = isReasoned ? ": \(reason)" : ""
        return PostgresError(
            .connectionLost, "the connection to PostgreSQL at \(settings.name) is lost\(suffix)", remedy: "try again")
    }

    /// The response can still arrive, so the connection can't be used any more.
    private func expired() -> PostgresError {
        isLost = true
        close()
        return PostgresError(
            .connectionLost, "PostgreSQL at \(settings.name) hasn't responded in time",
            remedy: "try again when the database can be reached")
    }

    private func error(of result: OpaquePointer) -> PostgresError {
        let state = unsafe library.errorField(result, Status.sqlState)
        let message = unsafe library.errorField(result, Status.primaryMessage)
        guard let state = unsafe state, let message = unsafe message else { return lost() }
        return unsafe PostgresError(sqlState: String(cString: state), String(cString: message))
    }
}

/// The library's constants.
private enum Status {
    static let connected: Int32 = 0
    static let idle: Int32 = 0
    static let inTransaction: Int32 = 2
    static let noRows: Int32 = 1
    static let rows: Int32 = 2
    static let sqlState = Int32(UInt8(ascii: "C"))
    static let primaryMessage = Int32(UInt8(ascii: "M"))
}

private struct Deadline {
    private let end: Int64

    init(milliseconds: Int) { end = CurrentProcess.uptime + Int64(milliseconds) * 1_000_000 }

    /// The milliseconds until the deadline, rounded up.
    var rest: Int { max(0, Int((end - CurrentProcess.uptime + 999_999) / 1_000_000)) }
}

extension PostgresResult {
    /// Copies the rows of a result of the library.
    fileprivate init(_ result: OpaquePointer, _ library: LibPQ, hasRows: Bool) throws(PostgresError) {
        let rowCount = unsafe hasRows ? library.rowCount(result) : 0
        let columnCount = unsafe library.columnCount(result)
        let types = (0..<columnCount).map { unsafe library.columnType(result, $0) }
        var rows: [PostgresRow] = []
        rows.reserveCapacity(Int(rowCount))
        for row in 0..<rowCount {
            var values: [PostgresValue] = []
            for column in 0..<columnCount {
                guard unsafe library.isNull(result, row, column) == 0,
                    let start = unsafe library.value(result, row, column)
                else {
                    values.append(.null)
                    continue
                }
                let count = unsafe Int(library.length(result, row, column))
                let bytes = unsafe [UInt8](UnsafeRawBufferPointer(start: start, count: count))
                values.append(try PostgresValue(type: types[Int(column)], bytes))
            }
            rows.append(PostgresRow(values))
        }
        let affected = unsafe library.affectedRows(result).flatMap { unsafe Int(String(cString: $0)) } ?? 0
        let tag = unsafe library.commandTag(result).map { unsafe String(cString: $0) } ?? ""
        self.init(rows: rows, affected: affected, tag: tag)
    }
}

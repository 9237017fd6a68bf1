// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import Foundation
    import NIOConcurrencyHelpers
    import RealmAccounts
    import RealmSystem

    /// The operations of administrators, in the file `audit.jsonl` of the data folder, or of an app in a database that
    /// nodes share.
    ///
    /// An operation is recorded before it begins and with its result afterwards, durably: without a record, it isn't
    /// performed. Records contain ids and partitions, and no objects, addresses, passwords, keys, or custom data.
    struct AuditLog: Sendable {
        /// A command on stores.
        enum Command: String, Sendable {
            case backup, empty, `import`, migrate, move, repair, restore, revert
        }

        struct Operation: Sendable {
            let action: String
            /// `nil` for all apps.
            let app: String?
            let user: String?
            /// `nil` for a whole app.
            let partition: String?
            /// The way by which the request came.
            let source: String

            init(_ request: AccountRequest, by source: String) {
                (action, app, user, partition) = (request.action.rawValue, request.app, request.user, nil)
                self.source = source
            }

            init(_ command: Command, app: String? = nil, partition: PartitionName? = nil, by source: String = "command")
            {
                (action, self.app, user, self.partition) = (command.rawValue, app, nil, partition?.description)
                self.source = source
            }
        }

        private struct Record: Encodable {
            let time: Date
            let action: String
            let app: String?
            let user: String?
            let partition: String?
            let by: String
            let result: String
        }

        static let name = "audit.jsonl"

        /// Appends a line durably.
        private let append: @Sendable ([UInt8]) throws -> Void
        private let clock: @Sendable () -> Int64

        init(
            clock: @escaping @Sendable () -> Int64 = { CurrentProcess.time / 1_000_000_000 },
            append: @escaping @Sendable ([UInt8]) throws -> Void
        ) {
            (self.append, self.clock) = (append, clock)
        }

        /// - Parameter data: The data folder, which must exist.
        init(data: String, clock: @escaping @Sendable () -> Int64 = { CurrentProcess.time / 1_000_000_000 }) {
            self.init(clock: clock) { line in
                let file = try DiskFile.open(
                    data + "/" + AuditLog.name, readOnly: false, creation: .createIfMissing)
                // A backup runs at the same time as a server, whose requests are concurrent.
                _ = try file.lock(.exclusive, waiting: true)
                try file.append(line, at: try file.size())
                try file.sync()
            }
        }

        /// Performs an operation on accounts. Lists are neither changes nor recorded.
        ///
        /// - Throws: The error of the operation, or `SystemError` if it can't be recorded.
        func perform(
            _ request: AccountRequest, on accounts: ServerAccounts, by source: String
        ) async throws -> AccountResponse {
            guard request.action != .list else { return try await request.perform(on: accounts) }
            return try await perform(Operation(request, by: source)) {
                try await request.perform(on: accounts)
            } user: {
                $0.user?.id ?? $0.key?.user
            }
        }

        /// - Parameter user: Returns the user that the operation has created.
        func perform<Result>(
            _ operation: Operation, _ body: () async throws -> Result, user: (Result) -> String? = { _ in nil }
        ) async throws -> Result {
            try record(operation, "begins")
            let result: Result
            do { result = try await body() } catch {
                try? record(operation, "failed")
                throw error
            }
            try record(operation, "done", operation.user ?? user(result))
            return result
        }

        func perform<Result>(_ operation: Operation, _ body: () throws -> Result) throws -> Result {
            try record(operation, "begins")
            let result: Result
            do { result = try body() } catch {
                try? record(operation, "failed")
                throw error
            }
            try record(operation, "done")
            return result
        }

        private func record(_ operation: Operation, _ result: String, _ user: String? = nil) throws {
            let record = Record(
                time: Date(timeIntervalSince1970: Double(clock())), action: operation.action, app: operation.app,
                user: user ?? operation.user, partition: operation.partition, by: operation.source, result: result)
            try append(try AdminJSON.encoded(record) + [UInt8(ascii: "\n")])
        }
    }

    extension StoreCatalog {
        /// Performs a command that changes a store of an app, or all of them.
        func audited<Result>(
            _ command: AuditLog.Command, _ app: String, _ partition: PartitionName? = nil, _ body: () throws -> Result
        ) throws -> Result {
            try auditLog(of: app).perform(AuditLog.Operation(command, app: app, partition: partition), body)
        }
    }
#endif

// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import Foundation
    import NIOConcurrencyHelpers
    import RealmAccounts
    import RealmSystem

    /// The operations of administrators on accounts, in the file `audit.jsonl` of the data folder.
    ///
    /// An operation is recorded before it begins and with its result afterwards, durably: without a record, it isn't
    /// performed. Records contain ids, and no addresses, passwords, keys, or custom data.
    struct AuditLog: Sendable {
        private struct Record: Encodable {
            let time: Date
            let action: String
            let app: String
            let user: String?
            let by: String
            let result: String
        }

        static let name = "audit.jsonl"
        /// One process has the folder, and its requests are concurrent.
        private static let lock = NIOLock()

        private let data: String
        private let clock: @Sendable () -> Int64

        init(data: String, clock: @escaping @Sendable () -> Int64 = { CurrentProcess.time / 1_000_000_000 }) {
            (self.data, self.clock) = (data, clock)
        }

        /// Performs an operation. Lists are neither changes nor recorded.
        ///
        /// - Parameter source: The way by which the request came.
        /// - Throws: The error of the operation, or `SystemError` if it can't be recorded.
        func perform(
            _ request: AccountRequest, on accounts: ServerAccounts, by source: String
        ) async throws -> AccountResponse {
            guard request.action != .list else { return try await request.perform(on: accounts) }
            try record(request, source, "begins", request.user)
            do {
                let response = try await request.perform(on: accounts)
                try record(request, source, "done", request.user ?? response.user?.id ?? response.key?.user)
                return response
            } catch {
                try? record(request, source, "failed", request.user)
                throw error
            }
        }

        private func record(_ request: AccountRequest, _ source: String, _ result: String, _ user: String?) throws {
            let time = Date(timeIntervalSince1970: Double(clock()))
            let record = Record(
                time: time, action: request.action.rawValue, app: request.app, user: user, by: source, result: result)
            let line = try AdminJSON.encoded(record) + [UInt8(ascii: "\n")]
            try AuditLog.lock.withLock {
                let file = try DiskFile.open(
                    data + "/" + AuditLog.name, readOnly: false, creation: .createIfMissing)
                try file.append(line, at: try file.size())
                try file.sync()
            }
        }
    }
#endif

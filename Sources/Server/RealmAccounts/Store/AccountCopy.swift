// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    /// Copies the accounts of a store to another one. An interrupted copy can be repeated.
    package struct AccountCopy: Sendable {
        private let source: any AccountStore
        private let target: any AccountStore
        /// The number of accounts in a transaction.
        private static let partCount = 500

        package init(from source: any AccountStore, to target: any AccountStore) {
            (self.source, self.target) = (source, target)
        }

        /// Returns the number of accounts.
        ///
        /// - Throws: `ConfigurationError` if the target has accounts that the source doesn't have.
        package func run() async throws -> Int {
            for part in try await parts(of: target) {
                let accounts = try await accounts(part, of: target)
                let known = try await source.read { reader in
                    try accounts.allSatisfy { try reader.account($0.id) != nil }
                }
                guard known else {
                    throw ConfigurationError("the target has accounts of its own: remove them, or choose another one")
                }
            }
            var count = 0
            for part in try await parts(of: source) {
                let accounts = try await accounts(part, of: source)
                try await target.write { writer in for account in accounts { try writer.put(account) } }
                count += accounts.count
            }
            return count
        }

        private func parts(of store: any AccountStore) async throws -> [ArraySlice<Int64>] {
            let all = try await store.read { try $0.positions(of: nil, after: nil, limit: .max) }
            return stride(from: all.startIndex, to: all.endIndex, by: AccountCopy.partCount).map {
                all[$0..<min($0 + AccountCopy.partCount, all.endIndex)]
            }
        }

        private func accounts(_ positions: ArraySlice<Int64>, of store: any AccountStore) async throws -> [Account] {
            try await store.read { reader in try positions.compactMap { try reader.account(at: $0) } }
        }
    }
#endif

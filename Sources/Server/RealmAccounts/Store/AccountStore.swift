// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    /// Stores whole accounts, with an index from their names to them. Can be used from any thread.
    package protocol AccountStore: Sendable {
        /// The snapshot contains the newest accounts.
        func read<Result: Sendable>(_ body: @escaping @Sendable (any AccountReader) throws -> Result) async throws
            -> Result

        /// Runs one caller at a time. The changes are durable when this method returns. If `body` throws, nothing is
        /// changed. `body` runs on a thread that it can block.
        func write<Result: Sendable>(
            _ body: @escaping @Sendable (any AccountWriter) throws -> Result
        ) async throws -> Result
    }

    package protocol AccountReader {
        func account(_ id: AccountID) throws -> Account?
        func account(named name: LoginName) throws -> Account?
        /// In undefined order.
        func accounts(of app: String) throws -> [AccountID]
        /// Returns positions of accounts in a stable order.
        ///
        /// - Parameters:
        ///   - app: `nil` for all apps.
        ///   - position: The position before the first one; `nil` for the beginning.
        func positions(of app: String?, after position: Int64?, limit: Int) throws -> ArraySlice<Int64>
        /// Returns `nil` if the account was removed.
        func account(at position: Int64) throws -> Account?
    }

    package protocol AccountWriter: AccountReader {
        /// Replaces the account with its id.
        ///
        /// - Throws: `NameTaken` if another account has one of its names.
        func put(_ account: Account) throws
        func remove(_ id: AccountID) throws
    }

    package struct NameTaken: Error, Sendable {
        package init() {}
    }
#endif

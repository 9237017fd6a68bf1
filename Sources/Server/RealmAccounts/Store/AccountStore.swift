// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    /// A store of accounts.
    ///
    /// It stores whole accounts, and an index from each of their names to its account. Used from any thread.
    package protocol AccountStore: Sendable {
        /// Calls `body` with a snapshot of the newest accounts.
        func read<Result: Sendable>(_ body: @escaping @Sendable (any AccountReader) throws -> Result) async throws
            -> Result

        /// Calls `body` to change accounts, one caller at a time. All changes are durable when this returns, and none
        /// are made if it throws. `body` may wait for the store, and runs on a thread that may block.
        func write<Result: Sendable>(
            _ body: @escaping @Sendable (any AccountWriter) throws -> Result
        ) async throws -> Result
    }

    package protocol AccountReader {
        func account(_ id: AccountID) throws -> Account?
        func account(named name: LoginName) throws -> Account?
        /// Returns the accounts of an app, in no particular order.
        func accounts(of app: String) throws -> [AccountID]
    }

    package protocol AccountWriter: AccountReader {
        /// Stores the account, replacing the one with its id.
        ///
        /// - Throws: `NameTaken` if another account has one of its names.
        func put(_ account: Account) throws
        /// Removes the account if it exists.
        func remove(_ id: AccountID) throws
    }

    /// The error thrown if another account has the name.
    package struct NameTaken: Error, Sendable {
        package init() {}
    }
#endif

// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    /// Where accounts are kept.
    ///
    /// It keeps whole accounts, and for each of their names the account that has it. Used from any thread.
    package protocol AccountStore: Sendable {
        /// Lets `body` see the newest accounts, all of one moment.
        func read<Result: Sendable>(_ body: @escaping @Sendable (any AccountReader) throws -> Result) async throws
            -> Result

        /// Lets `body` change accounts, one caller after the other. All of it is durable when this returns, and none of
        /// it was done if it throws. `body` may wait for the store, on a thread that may wait.
        func write<Result: Sendable>(
            _ body: @escaping @Sendable (any AccountWriter) throws -> Result
        ) async throws -> Result
    }

    package protocol AccountReader {
        func account(_ id: AccountID) throws -> Account?
        func account(named name: LoginName) throws -> Account?
        /// The accounts of an app, in no order.
        func accounts(of app: String) throws -> [AccountID]
    }

    package protocol AccountWriter: AccountReader {
        /// Stores the account in place of the one that has its id.
        ///
        /// - Throws: `NameTaken` if another account has one of its names.
        func put(_ account: Account) throws
        /// Removes the account, if it is there.
        func remove(_ id: AccountID) throws
    }

    /// Another account has the name.
    package struct NameTaken: Error, Sendable {
        package init() {}
    }
#endif

// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import Dispatch
    import RealmStorage
    import RealmSyncCore
    import RealmSystem

    /// A store of accounts in a `.realm` file, which the database's own tools can display.
    ///
    /// Each account has a row with its document, and each name has a row with its account. Both are found by primary
    /// key.
    package final class DatabaseAccountStore: AccountStore {
        private let database: Database
        private let tables: Tables
        /// A commit waits for the disk, so it must not run on a thread of Swift's tasks.
        private let writing = DispatchQueue(label: "RealmAccounts.store")

        /// Creates the file if it doesn't exist, with access only for its owner.
        ///
        /// - Throws: `StorageError` if the file can't be opened or isn't an account store.
        package init(at path: String) throws {
            database = try Database.open(path)
            let transaction = try database.beginWrite()
            if try transaction.table(named: Tables.accountName) != nil {
                tables = try Tables(in: transaction)
                transaction.rollback()
            } else {
                tables = try Tables(makingIn: transaction)
                _ = try transaction.commit()
            }
        }

        package func read<Result: Sendable>(
            _ body: @escaping @Sendable (any AccountReader) throws -> Result
        ) async throws -> Result {
            try body(StoredAccounts(source: try database.snapshot(label: "accounts"), tables: tables))
        }

        package func write<Result: Sendable>(
            _ body: @escaping @Sendable (any AccountWriter) throws -> Result
        ) async throws -> Result {
            try await withCheckedThrowingContinuation { continuation in
                writing.async { continuation.resume(with: Swift.Result { try self.commit(body) }) }
            }
        }

        private func commit<Result>(_ body: (any AccountWriter) throws -> Result) throws -> Result {
            try database.write { try body(AccountTransaction(transaction: $0, tables: tables)) }
        }
    }

    private struct Tables: Sendable {
        static let accountName = "class_Account"
        static let nameName = "class_LoginName"

        let account: TableKey
        /// App and user, separated by a slash.
        let id: ColumnKey
        let app: ColumnKey
        let document: ColumnKey
        let name: TableKey
        let text: ColumnKey
        /// The `id` of the account.
        let owner: ColumnKey

        init(makingIn transaction: WriteTransaction) throws {
            account = try transaction.schema.addTable(Tables.accountName)
            id = try transaction.schema.addColumn("id", .string, to: account)
            try transaction.schema.setPrimaryKey(id, of: account)
            app = try transaction.schema.addColumn("app", .string, .indexed, to: account)
            document = try transaction.schema.addColumn("document", .string, to: account)
            name = try transaction.schema.addTable(Tables.nameName)
            text = try transaction.schema.addColumn("text", .string, to: name)
            try transaction.schema.setPrimaryKey(text, of: name)
            owner = try transaction.schema.addColumn("owner", .string, to: name)
        }

        init(in source: some TableSource) throws {
            func table(_ name: String) throws -> Table {
                guard let table = try source.table(named: name), table.primaryKey != nil else {
                    throw StorageError(.invalidArgument, "the file has no table '\(name)' and isn't an account store")
                }
                return table
            }
            func column(_ name: String, of table: Table) throws -> ColumnKey {
                guard let column = table.column(named: name), column.type == .string else {
                    throw StorageError(.invalidArgument, "'\(table.name)' has no column '\(name)' of texts")
                }
                return column.key
            }
            let (accounts, names) = (try table(Tables.accountName), try table(Tables.nameName))
            (account, name) = (accounts.key, names.key)
            id = try column("id", of: accounts)
            app = try column("app", of: accounts)
            document = try column("document", of: accounts)
            text = try column("text", of: names)
            owner = try column("owner", of: names)
        }
    }

    private struct StoredAccounts: AccountReader {
        let source: any TableSource
        let tables: Tables

        func table(_ key: TableKey) throws -> Table {
            guard let table = try source.table(key) else {
                throw StorageError(.invalidArgument, "a table of the accounts is gone")
            }
            return table
        }

        func account(_ id: AccountID) throws -> Account? {
            let accounts = try table(tables.account)
            guard let object = try accounts.object(primaryKey: .string(id.text)) else { return nil }
            return try account(id, at: object, in: accounts)
        }

        private func account(_ id: AccountID, at object: ObjectKey, in accounts: Table) throws -> Account {
            guard case .string(let text) = try accounts.value(tables.document, of: object),
                let document = try? JSON(parsing: text), let account = Account(id: id, document)
            else { throw StorageError(.invalidArgument, "the document of the account '\(id.text)' is malformed") }
            return account
        }

        func account(named name: LoginName) throws -> Account? {
            guard let owner = try owner(of: name), let id = AccountID(owner) else { return nil }
            return try account(id)
        }

        func owner(of name: LoginName) throws -> String? {
            let names = try table(tables.name)
            guard let object = try names.object(primaryKey: .string(name.text)),
                case .string(let owner) = try names.value(tables.owner, of: object)
            else { return nil }
            return owner
        }

        func accounts(of app: String) throws -> [AccountID] {
            let accounts = try table(tables.account)
            return try accounts.objects(tables.app, equalTo: .string(app)).compactMap { object in
                guard case .string(let text) = try accounts.value(tables.id, of: object) else { return nil }
                return AccountID(text)
            }
        }

        func positions(of app: String?, after position: Int64?, limit: Int) throws -> ArraySlice<Int64> {
            let accounts = try table(tables.account)
            let keys =
                if let app { try accounts.objects(tables.app, equalTo: .string(app)).map(\.rawValue) } else {
                    try allPositions(in: accounts)
                }
            return keys.drop { key in position.map { key <= $0 } ?? false }.prefix(limit)
        }

        private func allPositions(in accounts: Table) throws -> [Int64] {
            var keys: [Int64] = []
            try accounts.clusters.forEachLeaf { leaf in
                keys += (0..<leaf.count).map { leaf.key(at: $0).rawValue }
                return true
            }
            return keys
        }

        func account(at position: Int64) throws -> Account? {
            let (accounts, object) = (try table(tables.account), ObjectKey(position))
            guard try accounts.contains(object), case .string(let text) = try accounts.value(tables.id, of: object),
                let id = AccountID(text)
            else { return nil }
            return try account(id, at: object, in: accounts)
        }
    }

    private struct AccountTransaction: AccountWriter {
        let transaction: WriteTransaction
        let tables: Tables

        private var stored: StoredAccounts { StoredAccounts(source: transaction, tables: tables) }

        func account(_ id: AccountID) throws -> Account? { try stored.account(id) }
        func account(named name: LoginName) throws -> Account? { try stored.account(named: name) }
        func accounts(of app: String) throws -> [AccountID] { try stored.accounts(of: app) }
        func account(at position: Int64) throws -> Account? { try stored.account(at: position) }
        func positions(of app: String?, after position: Int64?, limit: Int) throws -> ArraySlice<Int64> {
            try stored.positions(of: app, after: position, limit: limit)
        }

        func put(_ account: Account) throws {
            let before = try self.account(account.id)?.names ?? []
            let after = account.names
            for name in before.subtracting(after) { try forget(name) }
            for name in after.subtracting(before) { try give(name, to: account.id) }
            let document = StoredValue.string(account.document.description)
            if let object = try stored.table(tables.account).object(primaryKey: .string(account.id.text)) {
                try transaction.set(document, tables.document, of: object, in: tables.account)
            } else {
                _ = try transaction.createObject(
                    in: tables.account,
                    [
                        tables.id: .string(account.id.text), tables.app: .string(account.id.app),
                        tables.document: document,
                    ])
            }
        }

        func remove(_ id: AccountID) throws {
            for name in try account(id)?.names ?? [] { try forget(name) }
            try remove(.string(id.text), from: tables.account)
        }

        private func give(_ name: LoginName, to id: AccountID) throws {
            guard try stored.owner(of: name) == nil else { throw NameTaken() }
            _ = try transaction.createObject(
                in: tables.name, [tables.text: .string(name.text), tables.owner: .string(id.text)])
        }

        private func forget(_ name: LoginName) throws { try remove(.string(name.text), from: tables.name) }

        private func remove(_ primaryKey: StoredValue, from key: TableKey) throws {
            guard let object = try stored.table(key).object(primaryKey: primaryKey) else { return }
            _ = try transaction.removeObject(object, from: key)
        }
    }

    extension AccountID {
        fileprivate var text: String { "\(app)/\(user)" }

        fileprivate init?(_ text: String) {
            guard let slash = text.utf8.firstIndex(of: UInt8(ascii: "/")) else { return nil }
            self.init(app: String(text[..<slash]), user: String(text[text.utf8.index(after: slash)...]))
        }
    }
#endif

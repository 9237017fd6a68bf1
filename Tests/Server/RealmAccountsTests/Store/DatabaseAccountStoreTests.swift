// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    @testable import RealmAccounts
    import RealmCheck
    import RealmStorage
    import RealmSyncCore
    import RealmSystem
    import RealmTestSupport
    import Testing

    @Suite struct DatabaseAccountStoreTests {
        private func account(_ user: String, app: String = "a", key: String? = nil) -> Account {
            var account = Account(id: AccountID(app: app, user: user), created: 5)
            if let key { account.keys = [.init(id: "id", name: "n", digest: key)] }
            return account
        }

        @Test func accountsAreFoundByTheirNames() async throws {
            let folder = try TemporaryFolder()
            let store = try DatabaseAccountStore(at: folder.path + "/a.realm")
            let first = account("1", key: "x")
            try await store.write { try $0.put(first) }
            let name = LoginName.key("a", digest: "x")
            #expect(try await store.read { try $0.account(named: name) } == first)
            #expect(try await store.read { try $0.account(named: .key("b", digest: "x")) } == nil)
            #expect(try await store.read { try $0.account(first.id) } == first)
            let renamed = account("1", key: "y")
            try await store.write { try $0.put(renamed) }
            #expect(try await store.read { try $0.account(named: name) } == nil)
            #expect(try await store.read { try $0.account(named: .key("a", digest: "y")) } == renamed)
            try await store.write { try $0.remove(first.id) }
            #expect(try await store.read { try $0.account(named: .key("a", digest: "y")) } == nil)
            #expect(try await store.read { try $0.accounts(of: "a") } == [])
        }

        @Test func aNameHasOneAccount() async throws {
            let folder = try TemporaryFolder()
            let store = try DatabaseAccountStore(at: folder.path + "/a.realm")
            let (first, second, third) = (account("1", key: "x"), account("2", key: "x"), account("3"))
            try await store.write { try $0.put(first) }
            await #expect(throws: NameTaken.self) {
                try await store.write { accounts in
                    try accounts.put(third)
                    try accounts.put(second)
                }
            }
            #expect(try await store.read { try $0.accounts(of: "a") } == [first.id], "nothing of it was done")
            let elsewhere = account("2", app: "b", key: "x")
            try await store.write { try $0.put(elsewhere) }
        }

        @Test func writtenAccountsPersistAfterReopening() async throws {
            let folder = try TemporaryFolder()
            let path = folder.path + "/a.realm"
            let all = (0..<50).map { account("\($0)", key: "k\($0)") }
            do {
                let store = try DatabaseAccountStore(at: path)
                for account in all { try await store.write { try $0.put(account) } }
                for account in all.prefix(10) { try await store.write { try $0.remove(account.id) } }
            }
            #expect(FileStatus(path).map { FilePermissions(of: $0).mode } == 0o600)
            let store = try DatabaseAccountStore(at: path)
            #expect(try await store.read { Set(try $0.accounts(of: "a")) } == Set(all.dropFirst(10).map(\.id)))
            #expect(try await store.read { try $0.account(named: .key("a", digest: "k9")) } == nil)
            #expect(try await store.read { try $0.account(named: .key("a", digest: "k10"))?.id.user } == "10")
        }

        @Test func callersWaitForEachOther() async throws {
            let folder = try TemporaryFolder()
            let store = try DatabaseAccountStore(at: folder.path + "/a.realm")
            let start = account("1")
            try await store.write { try $0.put(start) }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<50 {
                    group.addTask {
                        try await store.write { accounts in
                            guard var account = try accounts.account(start.id) else { return }
                            account.created += 1
                            try accounts.put(account)
                        }
                    }
                }
                try await group.waitForAll()
            }
            #expect(try await store.read { try $0.account(start.id)?.created } == 55)
        }

        @Test func anotherFileIsRefused() throws {
            let folder = try TemporaryFolder()
            let path = folder.path + "/a.realm"
            do {
                let database = try Database.open(path)
                let transaction = try database.beginWrite()
                _ = try transaction.schema.addTable("class_Account")
                _ = try transaction.commit()
            }
            #expect(throws: StorageError.self) { try DatabaseAccountStore(at: path) }
        }

        @Test func anAccountIsItsDocument() throws {
            var account = account("1", key: "x")
            account.isDisabled = true
            account.wasUsed = true
            account.identities = [.init(id: "i", provider: .customToken, name: "n/\"\u{e9}")]
            account.password = .init(address: "A@b.c", hash: "h", isConfirmed: true)
            account.mailTokens = [
                .init(purpose: .reset, id: "m", digest: "d", expiry: 7, newHash: nil),
                .init(purpose: .confirmation, id: "c", digest: "e", expiry: 8, newHash: "z"),
            ]
            account.sessions = [.init(id: "s", device: "v", provider: .key, expiry: .max)]
            account.profile = [.init("name", "Ann")]
            account.customData = ["a": .number("1.50")]
            let text = account.document.description
            #expect(Account(id: account.id, try JSON(parsing: text)) == account)
            #expect(account.names.count == 4)
            for damaged in [#"{"created":"x"}"#, #"{"created":1,"keys":[{}]}"#, #"{"created":1,"password":{}}"#, "[]"] {
                #expect(Account(id: account.id, try JSON(parsing: damaged)) == nil, "\(damaged)")
            }
        }
    }
#endif

// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    @testable import RealmAccounts
    import RealmSyncCore
    import RealmTestSupport
    import ServerTestSupport
    import TestTraits
    import Testing

    @Suite(.timeLimited) struct AccountStoreTests {
        private func account(_ user: String, app: String = "a", key: String? = nil) -> Account {
            var account = Account(id: AccountID(app: app, user: user), created: 5)
            if let key { account.keys = [.init(id: "id", name: "n", digest: key)] }
            return account
        }

        @Test(arguments: AccountStoreKind.available) func accountsAreFoundByTheirNames(_ kind: AccountStoreKind)
            async throws
        {
            let store = try AccountStorePlace(kind).open()
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

        @Test(arguments: AccountStoreKind.available) func aNameHasOneAccount(_ kind: AccountStoreKind) async throws {
            let store = try AccountStorePlace(kind).open()
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

        @Test(arguments: AccountStoreKind.available) func writtenAccountsPersistAfterReopening(_ kind: AccountStoreKind)
            async throws
        {
            let place = try AccountStorePlace(kind)
            let all = (0..<50).map { account("\($0)", key: "k\($0)") }
            do {
                let store = try place.open()
                for account in all { try await store.write { try $0.put(account) } }
                for account in all.prefix(10) { try await store.write { try $0.remove(account.id) } }
            }
            let store = try place.open()
            #expect(try await store.read { Set(try $0.accounts(of: "a")) } == Set(all.dropFirst(10).map(\.id)))
            #expect(try await store.read { try $0.account(named: .key("a", digest: "k9")) } == nil)
            #expect(try await store.read { try $0.account(named: .key("a", digest: "k10"))?.id.user } == "10")
        }

        @Test(arguments: AccountStoreKind.available) func namesOfAnyLengthAndContentAreDistinct(
            _ kind: AccountStoreKind
        ) async throws {
            let store = try AccountStorePlace(kind).open()
            let long = String(repeating: "x", count: 100_000)
            let names = ["e\u{301}", "\u{e9}", "E\u{301}", "", "a", "a\0", long + "a", long + "b"]
            for (number, name) in names.enumerated() {
                var account = account("\(number)")
                account.identities = [.init(id: "i", provider: .customToken, name: name)]
                try await store.write { [account] in try $0.put(account) }
            }
            for (number, name) in names.enumerated() {
                let found = try await store.read { try $0.account(named: .identity("a", .customToken, name)) }
                #expect(found?.id.user == "\(number)")
            }
            let missing = AccountID(app: "a", user: "1\0")
            #expect(try await store.read { try $0.account(missing) } == nil)
            try await store.write { try $0.remove(missing) }
        }

        @Test(arguments: AccountStoreKind.available) func positionsListAllAccountsInPages(
            _ kind: AccountStoreKind
        ) async throws {
            let store = try AccountStorePlace(kind).open()
            let all = (0..<25).map { account("\($0)", app: $0 % 5 == 0 ? "b" : "a") }
            for account in all { try await store.write { try $0.put(account) } }
            try await store.write { [first = all[1].id] in try $0.remove(first) }
            let found = try await store.read { accounts in
                var found: [AccountID] = []
                var last: Int64?
                while true {
                    let page = try accounts.positions(of: "a", after: last, limit: 4)
                    guard let end = page.last else { return found }
                    found += try page.compactMap { try accounts.account(at: $0)?.id }
                    last = end
                }
            }
            #expect(found.count == 19)
            #expect(Set(found) == Set(all.filter { $0.id.app == "a" && $0.id.user != "1" }.map(\.id)))
        }

        /// Two stores of one place take turns. Each state is compared with a dictionary.
        @Test(arguments: AccountStoreKind.available) func randomChangesAgreeWithAModel(
            _ kind: AccountStoreKind
        ) async throws {
            var random = SeededGenerator(for: "account stores")
            let place = try AccountStorePlace(kind)
            let stores = try [place.open(), place.open()]
            var model: [AccountID: Account] = [:]
            for _ in 0..<400 {
                let store = stores[Int.random(in: 0..<2, using: &random)]
                let user = account("\(Int.random(in: 0..<12, using: &random))")
                if Int.random(in: 0..<4, using: &random) == 0 {
                    try await store.write { try $0.remove(user.id) }
                    model[user.id] = nil
                } else {
                    var changed = user
                    changed.created = Int64.random(in: 0..<100, using: &random)
                    changed.keys = (0..<Int.random(in: 0..<3, using: &random)).map { _ in
                        .init(id: "k", name: "n", digest: "\(Int.random(in: 0..<30, using: &random))")
                    }
                    let isTaken = model.values.contains {
                        $0.id != user.id && !$0.names.isDisjoint(with: changed.names)
                    }
                    do {
                        try await store.write { [changed] in try $0.put(changed) }
                        #expect(!isTaken)
                        model[user.id] = changed
                    } catch is NameTaken {
                        #expect(isTaken)
                    }
                }
                let other = stores[Int.random(in: 0..<2, using: &random)]
                let digest = "\(Int.random(in: 0..<30, using: &random))"
                let name = LoginName.key("a", digest: digest)
                let found = try await other.read { try ($0.account(user.id), $0.account(named: name)) }
                #expect(found.0 == model[user.id])
                #expect(found.1 == model.values.first { $0.names.contains(name) })
            }
            #expect(try await stores[0].read { Set(try $0.accounts(of: "a")) } == Set(model.keys))
        }

        @Test(arguments: AccountStoreKind.available) func theWritersOfTwoStoresWaitForEachOther(
            _ kind: AccountStoreKind
        ) async throws {
            let place = try AccountStorePlace(kind)
            let stores = try [place.open(), place.open()]
            let start = account("1")
            try await stores[0].write { try $0.put(start) }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<60 {
                    group.addTask {
                        try await stores[number % 2].write { accounts in
                            guard var account = try accounts.account(start.id) else { return }
                            account.created += 1
                            try accounts.put(account)
                        }
                    }
                }
                try await group.waitForAll()
            }
            #expect(try await stores[1].read { try $0.account(start.id)?.created } == 65)
        }
    }
#endif

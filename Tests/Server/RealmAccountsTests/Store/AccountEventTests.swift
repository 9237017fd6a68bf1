// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    @testable import RealmAccounts
    import Testing

    @Suite struct AccountEventTests {
        private let account = {
            var account = Account(id: AccountID(app: "a", user: "u"), created: 5)
            account.sessions = ["s", "t"].map { .init(id: $0, device: "d", provider: .key, expiry: 9) }
            return account
        }()

        private func events(_ change: (inout Account) -> Void) -> [AccountEvent] {
            var changed = account
            change(&changed)
            return AccountEvent.events(from: account, to: changed)
        }

        @Test func onlyChangesForConnectionsAreEvents() {
            #expect(events { _ in } == [])
            #expect(events { $0.wasUsed = true } == [])
            #expect(events { $0.sessions.append(.init(id: "v", device: "d", provider: .key, expiry: 9)) } == [])
            #expect(AccountEvent.events(from: nil, to: account) == [])
        }

        @Test func endedSessionsAreRevoked() {
            #expect(events { $0.sessions.removeFirst() } == [.revocation(session: "s")])
            #expect(events { $0.sessions = [] } == [.revocation(session: "s"), .revocation(session: "t")])
            #expect(events { $0.isDisabled = true } == [.revocation(session: nil)])
            #expect(AccountEvent.events(from: account, to: nil) == [.revocation(session: nil)])
        }

        @Test func changedDataIsReported() {
            #expect(events { $0.customData = ["a": .int(1)] } == [.userChange])
            #expect(events { $0.profile = [.init("name", "Ann")] } == [.userChange])
            #expect(events { $0.identities = [.init(id: "i", provider: .apple, name: "n")] } == [.userChange])
        }
    }
#endif

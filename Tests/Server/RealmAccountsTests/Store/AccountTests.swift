// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    @testable import RealmAccounts
    import RealmSyncCore
    import Testing

    @Suite struct AccountTests {
        @Test func anAccountIsItsDocument() throws {
            var account = Account(id: AccountID(app: "a", user: "1"), created: 5)
            account.keys = [.init(id: "id", name: "n", digest: "x")]
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

// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmSwift
import RealmTestSupport
import Testing

/// The code of the article WritingData.
@Suite struct WritingDataArticle {
    // begin WritingData
    class Account: Object {
        @Persisted(primaryKey: true) var number: Int
        @Persisted var owner: String
        @Persisted var balance: Decimal128

        override class func shouldIncludeInDefaultSchema() -> Bool { false }  // not shown
    }
    // end

    struct Overdrawn: Error {}

    @Test func writes() throws {
        try withRealm([Account.self]) { realm in
            // begin WritingData
            try realm.write {
                realm.add(Account(value: ["number": 1, "owner": "Ada", "balance": 100]))
                realm.create(Account.self, value: ["number": 2, "owner": "Kurt"])
            }
            // end

            let ada = try #require(realm.object(ofType: Account.self, forPrimaryKey: 1))
            let kurt = try #require(realm.object(ofType: Account.self, forPrimaryKey: 2))
            // begin WritingData
            func transfer(_ amount: Decimal128, from payer: Account, to payee: Account) throws {
                try realm.write {
                    payer.balance -= amount
                    payee.balance += amount
                    if payer.balance < 0 { throw Overdrawn() }
                }
            }
            // end
            try transfer(30, from: ada, to: kurt)
            #expect(throws: Overdrawn.self) { try transfer(300, from: ada, to: kurt) }
            #expect(ada.balance == 70 && kurt.balance == 30)

            // begin WritingData
            try realm.write {
                // Changes the owner of account 2, and leaves its balance as it is.
                realm.create(Account.self, value: ["number": 2, "owner": "Kurt G."], update: .modified)
                // There is no account 3: it is added.
                realm.create(Account.self, value: ["number": 3, "owner": "Emmy"], update: .modified)
            }
            // end
            #expect(kurt.owner == "Kurt G." && kurt.balance == 30 && realm.objects(Account.self).count == 3)

            // begin WritingData
            try realm.write {
                realm.objects(Account.self).where { $0.balance == 0 }.setValue("closed", forKey: "owner")
            }
            // end
            #expect(realm.object(ofType: Account.self, forPrimaryKey: 3)?.owner == "closed")

            // begin WritingData
            try realm.write {
                realm.delete(kurt)
                realm.delete(realm.objects(Account.self).where { $0.owner == "closed" })
            }
            print(kurt.isInvalidated)  // true
            print(kurt.balance)  // 0: what is read of a deleted object is empty
            // end
            #expect(kurt.isInvalidated && kurt.balance == 0 && realm.objects(Account.self).count == 1)
        }
    }

    @Test @MainActor func writesThatDoNotBlock() async throws {
        let folder = try TemporaryFolder()
        let url = URL(fileURLWithPath: folder.path).appendingPathComponent("bank.realm")
        let realm = try await Realm.open(configuration: .init(fileURL: url, objectTypes: [Account.self]))
        // begin WritingData
        let account = try await realm.asyncWrite {
            realm.create(Account.self, value: ["number": 7, "owner": "Rosa"])
        }
        // end
        #expect(account.owner == "Rosa")

        // begin WritingData
        for number in 100..<200 {
            realm.beginAsyncWrite {
                realm.create(Account.self, value: ["number": number])
                realm.commitAsyncWrite(allowGrouping: true)
            }
        }
        // end
        while realm.isPerformingAsynchronousWriteOperations { try await Task.sleep(for: .milliseconds(1)) }
        #expect(realm.objects(Account.self).count == 101)
    }

    // begin WritingData
    class Member: Object, Codable {
        @Persisted var name: String
        @Persisted var tags: List<String>

        enum CodingKeys: String, CodingKey {
            case name, tags
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(name, forKey: .name)
            try container.encode(tags, forKey: .tags)
        }

        override class func shouldIncludeInDefaultSchema() -> Bool { false }  // not shown
    }
    // end

    @Test func json() throws {
        try withRealm([Member.self]) { realm in
            // begin WritingData
            let text = #"[{"name": "Ada", "tags": ["founder"]}, {"name": "Kurt", "tags": []}]"#
            let members = try JSONDecoder().decode([Member].self, from: Data(text.utf8))
            try realm.write { realm.add(members) }
            let back = try JSONEncoder().encode(realm.objects(Member.self))
            // end
            #expect(realm.objects(Member.self).count == 2 && String(decoding: back, as: UTF8.self).contains("founder"))
        }
    }
}

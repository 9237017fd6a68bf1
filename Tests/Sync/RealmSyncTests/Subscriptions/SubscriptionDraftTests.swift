// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmSync
import RealmTestSupport
import Testing

/// The rules by which an application changes its subscriptions.
@Suite struct SubscriptionDraftTests {
    private func id(_ number: UInt32) -> ObjectIdBytes { ObjectIdBytes(high: 7, low: number) }

    private func draft(_ subscriptions: [Subscription] = [], at second: Int64 = 1) -> SubscriptionDraft {
        SubscriptionDraft(subscriptions) { Timestamp(seconds: second, nanoseconds: 0) }
    }

    private func two() throws -> SubscriptionDraft {
        var draft = draft()
        try draft.add(id(1), named: "old", "Dog", "age > 9")
        try draft.add(id(2), named: nil, "Dog", "age > 9")
        return draft
    }

    @Test func equalQueriesNeedDifferentNames() throws {
        var draft = try two()
        try draft.add(id(3), named: nil, "Dog", "age > 9")
        #expect(draft.subscriptions.map(\.id) == [id(1), id(2)])
        try draft.add(id(3), named: nil, "Cat", "age > 9")
        try draft.add(id(4), named: "older", "Dog", "age > 9")
        #expect(draft.subscriptions.map(\.name) == ["old", nil, nil, "older"])
        #expect(throws: SubscriptionDraft.Mistake.nameIsTaken("old")) {
            try draft.add(id(5), named: "old", "Dog", "age > 9")
        }
        let text = SubscriptionDraft.Mistake.nameIsTaken("old").description
        #expect(
            text == "A subscription named 'old' already exists. If you meant to update the existing subscription "
                + "please use the `update` method.")
    }

    @Test func anUpdateKeepsTheIdentifierAndTheCreation() throws {
        var draft = draft(try two().subscriptions, at: 5)
        try draft.update(id(1), "Dog", "age > 3")
        let updated = try #require(draft.first(named: "old"))
        #expect(updated.id == id(1) && updated.query == "age > 3")
        #expect(updated.createdAt.seconds == 1 && updated.updatedAt.seconds == 5)
        #expect(throws: SubscriptionDraft.Mistake.otherClass) { try draft.update(id(1), "Cat", "age > 3") }
        #expect(throws: SubscriptionDraft.Mistake.isAbsent) { try draft.update(id(9), "Dog", "age > 3") }
    }

    @Test func subscribingAgainChangesOnlyAnotherQuery() throws {
        var draft = try two()
        #expect(try !draft.subscribe(id(3), named: nil, "Dog", "age > 9"))
        #expect(try !draft.subscribe(id(3), named: "old", "Dog", "age > 9"))
        #expect(try draft.subscribe(id(3), named: "old", "Dog", "age > 8"))
        #expect(try draft.subscribe(id(3), named: "new", "Dog", "age > 9"))
        #expect(draft.subscriptions.map(\.query) == ["age > 8", "age > 9", "age > 9"])
        #expect(draft.first("Dog", "age > 9")?.id == id(2))
        #expect(throws: SubscriptionDraft.Mistake.otherClass) {
            try draft.subscribe(id(4), named: "old", "Cat", "age > 9")
        }
    }

    @Test func removal() throws {
        var draft = try two()
        #expect(!draft.remove { $0.objectClass == "Cat" })
        #expect(draft.remove { $0.name == nil })
        #expect(draft.subscriptions.map(\.id) == [id(1)])
    }

    @Test func theStatusOfSets() throws {
        let client = try ClientDatabase()
        try client.database.prepareSubscriptions()
        let store = FileClientStore(client.database)
        func status(_ version: UInt64) throws -> SubscriptionStatus {
            try #require(try SubscriptionStore(client.database.snapshot())).status(of: version)
        }
        try client.database.write { transaction in
            let sets = try #require(try SubscriptionStore(transaction))
            for _ in 0..<3 { try sets.add(try two().subscriptions) }
        }
        #expect(try store.reject(2, "no"))
        #expect(try [0, 1, 2, 3].map(status) == [.pending, .pending, .error("no"), .pending])
        try client.database.write { transaction in
            try #require(try SubscriptionStore(transaction)).setState(.awaitingMark, of: 1)
        }
        #expect(try [0, 1, 2].map(status) == [.superseded, .pending, .error("no")])
        #expect(try store.completeSet())
        #expect(try status(1) == .complete)
        try client.close()
    }
}

// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmSync
import RealmSyncCore
import RealmTestSupport
import SyncTestSupport
import Testing

/// Mutated messages of recorded servers, sent to sessions of files with subscriptions: each one is processed or
/// rejected with an error, and the file remains valid.
@Suite struct HostileServerTests {
    private static let rounds = Settings.isSet("REGNUM_SYNC_ALL") ? 200 : 6

    private final class Run {
        let client: ClientDatabase
        private var store: FileClientStore
        private var connection = ClientConnection(.flexible, random: SeededGenerator(seed: 1))
        private var session: UInt64 = 0
        private(set) var refused = 0
        private(set) var integrated = 0

        init() throws {
            client = try ClientDatabase()
            try client.database.prepareSubscriptions()
            try client.database.write { transaction in
                let subscription = Subscription(
                    id: ObjectIdBytes(high: 1, low: 2), createdAt: Timestamp(seconds: 1, nanoseconds: 0),
                    updatedAt: Timestamp(seconds: 1, nanoseconds: 0), objectClass: "Person", query: "age > 0")
                for _ in 0..<3 { try #require(try SubscriptionStore(transaction)).add([subscription]) }
            }
            store = FileClientStore(client.database)
            open()
        }

        private func open() {
            session = connection.open(store, path: SessionPurpose.ordinary.path())
            perform()
        }

        func receive(_ bytes: [UInt8]) {
            connection.receive(bytes, now: 0)
            perform()
        }

        /// Connects and opens the session again after it has ended.
        private func perform() {
            for _ in 0..<50 {
                let effects = connection.takeEffects()
                if effects.isEmpty { return }
                for effect in effects {
                    switch effect {
                    case .connect: connection.didConnect("com.mongodb.realm-query-sync#14")
                    case .send: connection.didSend()
                    case .setTimer(.reconnect, _): connection.fire(.reconnect, now: 0)
                    case .setTimer(.resume(let session), _): connection.resume(session)
                    case .refresh: connection.didRefresh()
                    case .integrated: integrated += 1
                    case .failed:
                        refused += 1
                        connection.retry()
                    default: break
                    }
                }
            }
        }

        func close() throws {
            connection.close(session)
            connection = ClientConnection(.flexible, random: SeededGenerator(seed: 1))
            store = FileClientStore(client.database)
            open()
            connection.close(session)
            try #require(try SubscriptionStore(client.database.snapshot()) != nil)
            try client.close()
        }
    }

    @Test func mutatedMessagesNeverDamageAFile() throws {
        var generator = SeededGenerator(seed: 5)
        var (refused, integrated, messages) = (0, 0, 0)
        for name in SubscriptionReplayTests.names {
            let sent = try Recording(name).messages.compactMap { message -> [UInt8]? in
                if case .client = message.content { nil } else { message.bytes }
            }
            for _ in 0..<Self.rounds {
                let run = try Run()
                for message in sent {
                    run.receive(generator.chance(70) ? message : WireMutation.mutated(message, &generator))
                    messages += 1
                }
                try run.close()
                refused += run.refused
                integrated += run.integrated
            }
        }
        print("hostile server: \(messages) messages, \(integrated) integrated, \(refused) refused")
        #expect(refused > 100 && integrated > 50)
    }
}

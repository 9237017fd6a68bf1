// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSyncCore
import SyncTestSupport
import TestTraits
import Testing

/// Changes that concern more connections than a round.
@Suite struct SessionRoundsTests {
    private static let (large, small) = ("\"large\"", "\"small\"")

    /// A server whose clients receive each message at once.
    private final class Link {
        let directory = SimulatedDirectory(seed: 1)
        private(set) var server: SyncServer

        init() {
            var limits = ServerLimits()
            limits.round = 32
            server = SyncServer(directory, limits)
        }

        func connect(_ path: String, _ connections: Range<UInt64>) {
            for connection in connections {
                _ = server.accept(connection, offers: SyncMode.partition.offers(14...14))
                let file = directory.partition(path).addFile()
                let bind = ClientMessage.Bind(session: 1, path: path, needsIdent: false)
                let ident = ClientMessage.Ident(
                    session: 1, file: file, download: DownloadCursor(), latest: SaltedVersion(), query: nil)
                for message in [.bind(bind), .ident(ident)] as [ClientMessage] {
                    server.receive(message.encoded(), from: connection)
                }
                takeSent()
            }
        }

        /// Uploads the class if `version` is 1, and then an object.
        func upload(_ version: UInt64, _ connection: UInt64) {
            let change = version == 1 ? SimpleChanges.schema : SimpleChanges.create(Int64(version))
            let entry = ClientMessage.Upload.Entry(
                clientVersion: version, serverVersion: version - 1, timestamp: version, changeset: change.encoded())
            let upload = ClientMessage.Upload(
                session: 1, progress: UploadCursor(clientVersion: version, serverVersion: version - 1),
                lockedServerVersion: 0, entries: [entry])
            server.receive(ClientMessage.upload(upload).encoded(), from: connection)
        }

        func runRound() -> Bool { server.runRound() }

        /// Runs all rounds, and returns the connections to which messages were sent in each.
        func runRounds() -> [[UInt64]] {
            var sent: [[UInt64]] = []
            while server.isRoundDue {
                _ = runRound()
                sent.append(takeSent())
            }
            return sent
        }

        func disconnect(_ connection: UInt64) { server.didDisconnect(connection) }
        func setBusy(_ path: String) { server.setBusy(directory.partition(path)) }
        func setFree(_ path: String) { server.setFree(directory.partition(path)) }
        func drop(_ path: String) { server.drop(directory.partition(path)) }

        /// Returns the connections to which messages were sent.
        @discardableResult func takeSent() -> [UInt64] {
            var sent: [UInt64] = []
            for case .send(let connection, _) in server.takeEffects() {
                sent.append(connection)
                server.didSend(connection)
            }
            return sent
        }
    }

    @Test func otherPartitionsAreServedBetweenRounds() {
        let link = Link()
        link.connect(Self.large, 0..<100)
        link.connect(Self.small, 200..<203)
        link.upload(1, 0)
        #expect(link.takeSent() == [0])
        #expect(link.server.isRoundDue)
        // Messages of the partition wait, because their changes follow.
        #expect(link.server.isWaiting(0) && link.server.isWaiting(99) && !link.server.isWaiting(200))
        #expect(!link.runRound())
        #expect(link.takeSent() == Array(1..<32))
        link.upload(1, 200)
        #expect(Set(link.takeSent()) == [200, 201, 202])
        #expect(!link.runRound() && !link.runRound())
        #expect(link.takeSent() == Array(32..<96))
        #expect(link.server.isRoundDue)
        #expect(link.runRound())
        #expect(link.takeSent() == Array(96..<100))
        #expect(!link.server.isRoundDue && !link.runRound() && !link.server.isWaiting(0))
    }

    @Test func partitionsShareARound() {
        let link = Link()
        link.connect(Self.large, 0..<100)
        link.connect(Self.small, 200..<240)
        link.upload(1, 0)
        link.upload(1, 200)
        link.takeSent()
        let sent = link.runRounds()
        #expect(sent.map(\.count) == [30, 32, 32, 32, 12])
        #expect(sent.prefix(2).allSatisfy { $0.contains { $0 < 100 } && $0.contains { $0 >= 200 } })
        #expect(Set(sent.joined()) == Set(1..<100).union(201..<240) && sent.joined().count == 138)
    }

    @Test func roundsOfABusyPartitionWait() {
        let link = Link()
        link.connect(Self.large, 0..<100)
        link.upload(1, 0)
        link.takeSent()
        link.setBusy(Self.large)
        #expect(!link.server.isRoundDue && !link.runRound() && link.takeSent().isEmpty)
        link.setFree(Self.large)
        #expect(Set(link.runRounds().joined()) == Set(1..<100))
    }

    @Test func aClosedConnectionAndADroppedPartitionHaveNoRounds() {
        let link = Link()
        link.connect(Self.large, 0..<100)
        link.connect(Self.small, 200..<300)
        link.upload(1, 0)
        link.upload(1, 200)
        link.takeSent()
        link.disconnect(20)
        link.drop(Self.small)
        link.takeSent()
        #expect(Set(link.runRounds().joined()) == Set(1..<100).subtracting([20]))
    }

    @Test func aSmallChangeIsSentAtOnce() {
        let link = Link()
        link.connect(Self.large, 0..<32)
        link.upload(1, 0)
        #expect(Set(link.takeSent()) == Set(0..<32))
        #expect(!link.server.isRoundDue)
    }
}

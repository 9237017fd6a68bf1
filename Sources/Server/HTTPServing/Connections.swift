// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server || Browser
    import NIOConcurrencyHelpers
    import NIOCore

    /// The open connections of a server, limited in number.
    ///
    /// A connection is a stranger until it's admitted, that is, authenticated. At the limit, a new connection replaces
    /// a stranger that the server waits for: the oldest one of the same peer if that has too many, otherwise the oldest
    /// of all. An admitted connection is never closed for another one.
    package final class Connections: Sendable {
        package struct Limits: Sendable {
            package var all: Int
            /// The other connections are reserved for strangers, so that log-in is always possible.
            package var admitted: Int
            package var strangersOfPeer: Int

            package init(all: Int, admitted: Int, strangersOfPeer: Int) {
                (self.all, self.admitted, self.strangersOfPeer) = (all, admitted, strangersOfPeer)
            }
        }

        fileprivate struct Entry {
            let channel: any Channel
            /// `nil` for an admitted connection, or if the address represents many clients.
            var peer: String?
            /// The position in the order of waiting; `nil` while the server doesn't wait for the client.
            var turn: UInt64?
            var isAdmitted = false
        }

        fileprivate struct Peer {
            var count = 0
            var turns: Set<UInt64> = []
        }

        fileprivate struct State {
            var entries: [ObjectIdentifier: Entry] = [:]
            var peers: [String: Peer] = [:]
            var waiting: [UInt64: ObjectIdentifier] = [:]
            var admittedCount = 0
            /// A lower bound of the turns of the waiting connections.
            var oldestTurn: UInt64 = 0
            var nextTurn: UInt64 = 0
        }

        private let state = NIOLockedValueBox(State())
        private let limits: Limits

        package init(_ limits: Limits) { self.limits = limits }

        /// Adds a connection that the server waits for, and closes another one if that is necessary. Returns whether
        /// the limits allow the connection.
        ///
        /// - Parameter peer: The peer whose strangers are counted together; `nil` if the address represents many
        ///   clients.
        package func add(_ channel: any Channel, peer: String?) -> Bool {
            let (isAdded, evicted) = state.withLockedValue { $0.add(channel, peer, limits) }
            evicted?.close(promise: nil)
            guard isAdded else { return false }
            let id = ObjectIdentifier(channel)
            channel.closeFuture.whenComplete { _ in self.state.withLockedValue { $0.remove(id) } }
            return true
        }

        package func setWaiting(_ channel: any Channel, _ isWaiting: Bool) {
            state.withLockedValue { $0.setWaiting(ObjectIdentifier(channel), isWaiting) }
        }

        /// Returns whether the limit of admitted connections allows it.
        package func admit(_ channel: any Channel) -> Bool {
            state.withLockedValue { $0.admit(ObjectIdentifier(channel), limits) }
        }

        /// Closes the connections that are still open at the time limit.
        package func end(within limit: TimeAmount) async {
            let channels = state.withLockedValue { $0.entries.values.map(\.channel) }
            for channel in channels {
                channel.eventLoop.scheduleTask(in: limit) { channel.close(promise: nil) }
            }
            for channel in channels { try? await channel.closeFuture.get() }
        }

        package func closeAll() async {
            for channel in state.withLockedValue({ $0.entries.values.map(\.channel) }) {
                try? await channel.close().get()
            }
        }
    }

    extension Connections.State {
        fileprivate mutating func add(
            _ channel: any Channel, _ peer: String?, _ limits: Connections.Limits
        ) -> (isAdded: Bool, evicted: (any Channel)?) {
            var evicted: (any Channel)?
            if let peer, let strangers = peers[peer], strangers.count >= limits.strangersOfPeer {
                evicted = strangers.turns.min().flatMap { remove(turn: $0) }
                if evicted == nil { return (false, nil) }
            }
            if entries.count >= limits.all {
                evicted = popOldest()
                if evicted == nil { return (false, nil) }
            }
            let id = ObjectIdentifier(channel)
            entries[id] = Connections.Entry(channel: channel, peer: peer)
            if let peer { peers[peer, default: Connections.Peer()].count += 1 }
            setWaiting(id, true)
            return (true, evicted)
        }

        private mutating func remove(turn: UInt64) -> (any Channel)? {
            guard let id = waiting[turn], let channel = entries[id]?.channel else { return nil }
            remove(id)
            return channel
        }

        /// Visits each turn at most once, so the total cost is linear in the number of connections.
        private mutating func popOldest() -> (any Channel)? {
            while oldestTurn < nextTurn {
                if let channel = remove(turn: oldestTurn) { return channel }
                oldestTurn += 1
            }
            return nil
        }

        fileprivate mutating func remove(_ id: ObjectIdentifier) {
            setWaiting(id, false)
            guard let entry = entries.removeValue(forKey: id) else { return }
            if entry.isAdmitted { admittedCount -= 1 }
            leave(entry.peer)
        }

        private mutating func leave(_ peer: String?) {
            guard let peer else { return }
            peers[peer]?.count -= 1
            if peers[peer]?.count == 0 { peers[peer] = nil }
        }

        fileprivate mutating func setWaiting(_ id: ObjectIdentifier, _ isWaiting: Bool) {
            guard let entry = entries[id], !entry.isAdmitted, (entry.turn != nil) != isWaiting else { return }
            if let turn = entry.turn {
                entries[id]?.turn = nil
                waiting[turn] = nil
                if let peer = entry.peer { peers[peer]?.turns.remove(turn) }
                return
            }
            entries[id]?.turn = nextTurn
            waiting[nextTurn] = id
            if let peer = entry.peer { peers[peer]?.turns.insert(nextTurn) }
            nextTurn += 1
        }

        fileprivate mutating func admit(_ id: ObjectIdentifier, _ limits: Connections.Limits) -> Bool {
            guard let entry = entries[id] else { return false }
            if entry.isAdmitted { return true }
            guard admittedCount < limits.admitted else { return false }
            setWaiting(id, false)
            leave(entry.peer)
            entries[id]?.peer = nil
            entries[id]?.isAdmitted = true
            admittedCount += 1
            return true
        }
    }
#endif

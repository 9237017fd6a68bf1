// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// The connections that may have messages of changed partitions, while these are created in rounds.
struct SessionRounds {
    private struct Queue {
        var connections = MessageQueue<UInt64>()
        var members: Set<UInt64> = []
    }

    private var queues: [ObjectIdentifier: Queue] = [:]
    /// The partitions, in the order in which they are served next.
    private var order: [ObjectIdentifier] = []

    /// The number of connections of a partition after which another one is served.
    private static let share = 16

    var isEmpty: Bool { order.isEmpty }
    /// The number of partitions.
    var count: Int { order.count }

    func holds(_ store: ObjectIdentifier) -> Bool { queues[store] != nil }

    func isDue(except busy: Set<ObjectIdentifier>) -> Bool { order.contains { !busy.contains($0) } }

    mutating func add(_ connections: [UInt64], of store: ObjectIdentifier) {
        if queues[store] == nil { order.append(store) }
        for connection in connections where queues[store, default: Queue()].members.insert(connection).inserted {
            queues[store]?.connections.append(connection)
        }
    }

    mutating func remove(_ store: ObjectIdentifier) {
        queues[store] = nil
        order.removeAll { $0 == store }
    }

    /// Removes connections of partitions that aren't busy, alternately.
    mutating func take(_ limit: Int, except busy: Set<ObjectIdentifier>) -> [UInt64] {
        var taken: [UInt64] = []
        var ready = MessageQueue<ObjectIdentifier>()
        for store in order where !busy.contains(store) { ready.append(store) }
        order.removeAll { !busy.contains($0) }
        while let store = ready.popFirst() {
            for _ in 0..<min(SessionRounds.share, limit - taken.count) {
                guard let connection = queues[store]?.connections.popFirst() else { break }
                queues[store]?.members.remove(connection)
                taken.append(connection)
            }
            if queues[store]?.members.isEmpty == true {
                queues[store] = nil
            } else if taken.count < limit {
                ready.append(store)
            } else {
                order.append(store)
            }
        }
        return taken
    }
}

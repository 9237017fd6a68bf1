// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Events ordered by time, and by insertion for equal times.
struct EventQueue<Event> {
    private var heap: [(time: UInt64, number: UInt64, event: Event)] = []
    private var count: UInt64 = 0

    mutating func add(_ event: Event, at time: UInt64) {
        count += 1
        heap.append((time, count, event))
        var child = heap.count - 1
        while child > 0, isBefore(child, (child - 1) / 2) {
            heap.swapAt(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
    }

    mutating func popFirst() -> (time: UInt64, event: Event)? {
        guard !heap.isEmpty else { return nil }
        heap.swapAt(0, heap.count - 1)
        let first = heap.removeLast()
        var parent = 0
        while true {
            var least = parent
            for child in [2 * parent + 1, 2 * parent + 2] where child < heap.count && isBefore(child, least) {
                least = child
            }
            if least == parent { return (first.time, first.event) }
            heap.swapAt(parent, least)
            parent = least
        }
    }

    private func isBefore(_ a: Int, _ b: Int) -> Bool {
        (heap[a].time, heap[a].number) < (heap[b].time, heap[b].number)
    }
}

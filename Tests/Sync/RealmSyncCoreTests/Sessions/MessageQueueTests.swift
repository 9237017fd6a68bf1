// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmTestSupport
import Testing

@testable import RealmSyncCore

@Suite struct MessageQueueTests {
    @Test func elementsAreReturnedInOrder() {
        var generator = SeededGenerator(for: "MessageQueueTests")
        var (queue, model) = (MessageQueue<Int>(), [Int]())
        for number in 0..<20_000 {
            if generator.chance(55) {
                queue.append(number)
                model.append(number)
            } else {
                #expect(queue.popFirst() == (model.isEmpty ? nil : model.removeFirst()))
            }
            #expect(queue.count == model.count && queue.first == model.first)
        }
        queue.removeAll()
        #expect(queue.count == 0 && queue.popFirst() == nil)
    }
}

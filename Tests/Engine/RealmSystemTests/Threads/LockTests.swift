// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmSystem
import RealmTestSupport
import Testing

@Suite struct LockTests {
    private func onThreads(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
        let group = DispatchGroup()
        for index in 0..<count {
            group.enter()
            Thread.detachNewThread {
                body(index)
                group.leave()
            }
        }
        group.wait()
    }

    private final class Counter: @unchecked Sendable {
        var value = 0
        var holders = 0
        var order: [Int] = []
    }

    @Test func aLockExcludes() {
        let lock = Lock()
        let counter = Counter()
        onThreads(4) { _ in for _ in 0..<5000 { lock.locked { counter.value += 1 } } }
        #expect(counter.value == 20_000)
    }

    @Test func oneThreadHoldsTheLockAtATime() {
        let gate = TicketLock()
        let counter = Counter()
        onThreads(4) { _ in
            for _ in 0..<500 {
                gate.enter()
                counter.holders += 1
                if counter.holders == 1 { counter.value += 1 }
                counter.holders -= 1
                gate.leave()
            }
        }
        #expect(counter.value == 2000)
    }

    @Test func turnsFollowTheOrderOfTheCalls() {
        let gate = TicketLock()
        let counter = Counter()
        gate.enter()
        let group = DispatchGroup()
        for index in 0..<5 {
            group.enter()
            Thread.detachNewThread {
                gate.enter()
                counter.order.append(index)
                gate.leave()
                group.leave()
            }
            while gate.callerCount < index + 2 { usleep(100) }
        }
        Thread.detachNewThread { gate.leave() }
        group.wait()
        #expect(counter.order == [0, 1, 2, 3, 4])
    }

    @Test func aWaiterThatTimedOutIsSkipped() throws {
        let gate = TicketLock()
        gate.enter()
        for _ in 0..<3 {
            var waiting = Waiting(Patience(limit: 1_000_000))
            let error = #expect(throws: WriteTimeout.self) { try gate.enter(&waiting) }
            #expect(error?.message.contains("this process") == true)
        }
        #expect(gate.callerCount == 1)
        gate.leave()
        #expect(gate.callerCount == 0)
        gate.enter()
        gate.leave()
    }
}

// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Dispatch
import Foundation
import RealmRuntime
import RealmTestSupport
import TestTraits
import Testing

@testable import RealmSwift

/// Realms of an idle queue, such as the main queue of a program without a run loop.
@Suite struct WaitingPortsTests {
    @Test func openingsDoNotPileUp() throws {
        let file = try LiveFile()
        let queue = DispatchQueue(label: "idle")
        let waiting = QueueMark.of(queue).waiting
        try queue.sync {
            for _ in 0..<20 { _ = try Realm(configuration: file.configuration, queue: queue) }
            #expect(waiting.count <= 1)
        }
        queue.sync {}
        #expect(waiting.count == 0)
    }

    @Test func remainingObserversAreNotified() throws {
        let file = try LiveFile()
        let queue = DispatchQueue(label: "idle for a while")
        let seen = Locked<[Int]>([])
        let kept = Locked<(Realm, NotificationToken)?>(nil)
        try queue.sync {
            for _ in 0..<5 { _ = try Realm(configuration: file.configuration, queue: queue) }
            let realm = try Realm(configuration: file.configuration, queue: queue)
            let token = realm.objects(LiveDog.self).observe { change in
                switch change {
                case .initial(let dogs), .update(let dogs, _, _, _): seen.withLock { $0.append(dogs.count) }
                case .error: break
                }
            }
            kept.withLock { $0 = (realm, token) }
            try file.set(name: "Rex")
        }
        let end = Date(timeIntervalSinceNow: 1200)
        while seen.withLock({ $0.last }) != 1, Date() < end { Thread.sleep(forTimeInterval: 0.01) }
        #expect(seen.withLock { $0.last } == 1)
        queue.sync { kept.withLock { $0 = nil } }
    }

    /// Work of a queue runs while a block of the queue runs the thread's run loop.
    @Test(.behaviour("T11")) func aNestedRunLoopDoesTheWorkOfItsQueue() {
        let queue = DispatchQueue(label: "nesting")
        let seen = Locked<[Int]>([])
        queue.sync {
            let loop = RunLoop.current
            let end = Date(timeIntervalSinceNow: 1200)
            loop.perform {
                guard let mark = RunLoopMark.current else { return }
                let work = NestedQueueWork(queue, mark)
                for number in 0..<3 { work.run { seen.withLock { $0.append(number) } } }
            }
            let keeper = Timer(timeInterval: 1000, repeats: true) { _ in }
            loop.add(keeper, forMode: .common)
            while seen.withLock({ $0.count }) < 3, Date() < end { loop.run(until: Date(timeIntervalSinceNow: 0.02)) }
            keeper.invalidate()
            #expect(seen.withLock { $0 } == [0, 1, 2])
        }
        queue.sync {}
        #expect(seen.withLock { $0 } == [0, 1, 2])
    }
}

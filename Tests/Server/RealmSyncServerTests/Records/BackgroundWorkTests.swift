// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import Dispatch
    import NIOConcurrencyHelpers
    import RealmStorage
    import TestTraits
    import Testing

    @testable import RealmSyncServer

    @Suite(.timeLimited) struct BackgroundWorkTests {
        @Test func anOwnerUsesOnlyItsShareOfTheThreads() async {
            let work = BackgroundWork(maximumThreadCount: 3, perOwner: 2)
            let (begun, end, done) = (
                DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)
            )
            let order = NIOLockedValueBox<[Int]>([])
            for number in 0..<5 {
                work.run(for: ByteText("slow")) {
                    order.withLockedValue { $0.append(number) }
                    begun.signal()
                    end.wait()
                    done.signal()
                }
            }
            for _ in 0..<2 { await begun.waitAsynchronously() }
            for _ in 0..<3 {
                work.run(for: ByteText("other")) { done.signal() }
                await done.waitAsynchronously()
            }
            #expect(order.withLockedValue { $0.sorted() } == [0, 1])
            for _ in 0..<5 { end.signal() }
            for _ in 0..<5 { await done.waitAsynchronously() }
            #expect(order.withLockedValue { $0.sorted() } == Array(0..<5))
            while work.isBusy { await Task.yield() }
        }

        @Test func waitingOwnersAreServedInTurn() async {
            let work = BackgroundWork(maximumThreadCount: 1)
            let (begin, done) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
            work.run { begin.wait() }
            let order = NIOLockedValueBox<[String]>([])
            for owner in ["a", "a", "a", "b", "c"] {
                work.run(for: ByteText(owner)) {
                    order.withLockedValue { $0.append(owner) }
                    done.signal()
                }
            }
            begin.signal()
            for _ in 0..<5 { await done.waitAsynchronously() }
            #expect(order.withLockedValue { $0 } == ["a", "b", "c", "a", "a"])
        }
    }
#endif

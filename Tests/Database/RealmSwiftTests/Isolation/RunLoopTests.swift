// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Dispatch
import Foundation
import RealmRuntime
import RealmSystem
import RealmTestSupport
import Testing

@testable import RealmSwift

/// A thread that runs its run loop until it is stopped. Locks guard its state.
private final class LoopThread: @unchecked Sendable {
    private let isEnded = Locked(false)
    private let loop = Locked<RunLoop?>(nil)
    private let ended = DispatchSemaphore(value: 0)

    init() {
        let begun = DispatchSemaphore(value: 0)
        let thread = Thread { [self] in
            loop.withLock { $0 = RunLoop.current }
            // A run loop without sources returns at once.
            let keeper = Timer(timeInterval: 1000, repeats: true) { _ in }
            RunLoop.current.add(keeper, forMode: .common)
            begun.signal()
            // A timer doesn't end a run, so it ends itself regularly.
            while !isEnded.withLock({ $0 }) {
                _ = RunLoop.current.run(mode: .default, before: Date(timeIntervalSinceNow: 0.5))
            }
            keeper.invalidate()
            ended.signal()
        }
        thread.stackSize = 4 << 20
        thread.start()
        begun.wait()
    }

    func on<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) throws -> Result {
        let done = DispatchSemaphore(value: 0)
        let result = Locked<Swift.Result<Result, any Error>?>(nil)
        let timer = Timer(timeInterval: 0, repeats: false) { _ in
            let value = Swift.Result { try body() }
            result.withLock { $0 = value }
            done.signal()
        }
        loop.withLock { $0?.add(timer, forMode: .common) }
        done.wait()
        return try #require(result.withLock { $0 }).get()
    }

    func end() throws {
        try on { self.isEnded.withLock { $0 = true } }
        ended.wait()
    }
}

/// Realms of threads with a run loop.
@Suite struct RunLoopTests {
    /// State of a thread between visits. Used only on the thread.
    private final class Kept: @unchecked Sendable {
        var realm: Realm?
        var tokens: [NotificationToken] = []
        var notified = DispatchSemaphore(value: 0)
    }

    @Test func observersAreCalledOnTheirThread() throws {
        let notes = try ObservedRealm(nodes: 0..<2)
        let thread = LoopThread()
        let (log, kept, configuration) = (ObservedLog(), Kept(), notes.configuration)
        let token = try thread.on { ThreadToken.current() }
        try thread.on {
            let realm = try Realm(configuration: configuration)
            kept.realm = realm
            kept.tokens = [
                realm.objects(ObservedNode.self).where { $0.age >= 0 }.observe { change in
                    log.add(ThreadToken.current() == token ? "here" : "elsewhere")
                    log.add(change)
                    kept.notified.signal()
                },
                realm.observe { _, realm in log.add("realm \(realm.objects(ObservedNode.self).count)") },
            ]
        }
        kept.notified.wait()
        #expect(log.take() == ["here", "initial 2"])
        try notes.writeElsewhere { $0.create(ObservedNode.self, value: ["id": 5]) }
        kept.notified.wait()
        #expect(log.take() == ["realm 3", "here", "3 -[] +[2] ~[]"])
        try notes.write { $0.create(ObservedNode.self, value: ["id": 6]) }
        kept.notified.wait()
        #expect(log.take() == ["realm 4", "here", "4 -[] +[3] ~[]"])
        try thread.on {
            kept.tokens = []
            kept.realm = nil
        }
        try thread.end()
        try notes.close()
    }

    @Test func asynchronousWritesRunOnTheirThread() throws {
        let notes = try ObservedRealm(nodes: 0..<1)
        let thread = LoopThread()
        let (log, kept, configuration) = (ObservedLog(), Kept(), notes.configuration)
        let token = try thread.on { ThreadToken.current() }
        try thread.on {
            let realm = try Realm(configuration: configuration)
            kept.realm = realm
            realm.writeAsync(
                {
                    log.add(ThreadToken.current() == token ? "write here" : "write elsewhere")
                    kept.realm?.create(ObservedNode.self, value: ["id": 7])
                },
                onComplete: { error in
                    let place = ThreadToken.current() == token ? "here" : "elsewhere"
                    log.add(error == nil ? "done \(place)" : "failed \(place)")
                    kept.notified.signal()
                })
        }
        kept.notified.wait()
        #expect(log.take() == ["write here", "done here"])
        try thread.on { kept.realm = nil }
        try thread.end()
        try notes.on { realm in
            realm.refresh()
            #expect(realm.objects(ObservedNode.self).count == 2)
        }
    }

    /// Nothing can be observed before the run loop runs. A Realm opened then can be observed later.
    @Test func aRealmThatWasOpenedBeforeTheLoopRuns() throws {
        let notes = try ObservedRealm(nodes: 0..<1)
        let (log, kept, configuration) = (ObservedLog(), Kept(), notes.configuration)
        try onThread {
            let realm = try Realm(configuration: configuration)
            #expect(!realm.instance.attachToRunLoop())
            kept.realm = realm
            RunLoop.current.perform {
                guard let realm = kept.realm else { return }
                kept.tokens = [realm.objects(ObservedNode.self).observe { log.add($0) }]
            }
            while kept.tokens.isEmpty || log.isEmpty {
                _ = RunLoop.current.run(mode: .default, before: Date(timeIntervalSinceNow: 1))
            }
            kept.tokens = []
            kept.realm = nil
        }
        #expect(log.take() == ["initial 1"])
    }
}

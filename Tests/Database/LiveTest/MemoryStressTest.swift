// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Dispatch
import Foundation
import RealmSwift

/// Proves that the heap doesn't grow with notifications, asynchronous writes, and openings, for all kinds of
/// confinement.
///
/// Notifications use a Realm in memory, because syncs would take most of the time.
struct MemoryStressTest {
    let count: Int

    func run() async throws {
        var configuration = Realm.Configuration(inMemoryIdentifier: "memory-\(UUID())")
        configuration.objectTypes = [LiveDog.self]
        let source = try Source(configuration)
        let watchers = try await Watchers(configuration)
        await watchers.waitForNotifications()
        try await Heap.verifyFlat("notifications each on main, run loop, queue and actor", count) { part in
            for _ in 0..<part {
                try source.commit()
                await watchers.waitForNotifications()
            }
        }
        let writer = try Writer(configuration)
        try await Heap.verifyFlat("asynchronous writes on a queue", count) { part in
            for _ in 0..<part {
                try await writer.write()
                await watchers.waitForNotifications()
            }
        }
        watchers.end()
        withExtendedLifetime(source) {}
    }
}

/// Commits from a queue without observers. Its members are used only on the queue.
private final class Source: @unchecked Sendable {
    private let queue = DispatchQueue(label: "source")
    private var realm: Realm?
    private var round = 0

    init(_ configuration: Realm.Configuration) throws {
        try queue.sync {
            let realm = try Realm(configuration: configuration, queue: queue)
            try realm.write { for number in 0..<100 { realm.create(LiveDog.self, value: ["number": number]) } }
            self.realm = realm
        }
    }

    func commit() throws {
        try queue.sync {
            guard let realm else { return }
            round += 1
            try realm.write {
                let dogs = realm.objects(LiveDog.self)
                dogs[round % dogs.count].age = round
                dogs[1].name = "\(round)"
                if dogs[0].friends.count > 10 { dogs[0].friends.removeAll() }
                dogs[0].friends.append(dogs[round % dogs.count])
            }
        }
    }
}

/// Observers of each kind under each kind of confinement. The query's observer counts. Used only by the test's task.
private final class Watchers: @unchecked Sendable {
    private let calls = AsyncStream<Void>.makeStream()
    private var iterator: AsyncStream<Void>.Iterator
    private let queue = DispatchQueue(label: "watcher")
    private let actor = WatchingActor()
    private var loop: LoopThread?
    private let kept = Kept()

    /// Each element is only used under one confinement.
    private final class Kept: @unchecked Sendable {
        var loop: (Realm, [NotificationToken])?
        var queue: (Realm, [NotificationToken])?
        var main: (Realm, [NotificationToken])?
    }

    init(_ configuration: Realm.Configuration) async throws {
        iterator = calls.stream.makeAsyncIterator()
        let notify: @Sendable () -> Void = { [calls] in calls.continuation.yield() }
        let kept = kept
        try queue.sync {
            kept.queue = try Watchers.watch(try Realm(configuration: configuration, queue: queue), notify)
        }
        loop = LoopThread {
            guard let realm = try? Realm(configuration: configuration) else { return }
            kept.loop = try? Watchers.watch(realm, notify)
        }
        try await MainActor.run { kept.main = try Watchers.watch(try Realm(configuration: configuration), notify) }
        try await actor.begin(configuration, notify)
    }

    static func watch(
        _ realm: Realm, _ notify: @escaping @Sendable () -> Void
    ) throws -> (Realm, [NotificationToken]) {
        let dogs = realm.objects(LiveDog.self)
        return (
            realm,
            [
                dogs.where { $0.age >= 0 }.observe { _ in notify() },
                dogs.observe { _ in },
                dogs.observe(keyPaths: ["name", "friends.age"]) { _ in },
                dogs.sectioned(by: \.age, ascending: true).observe { _ in },
                realm.observe { _, _ in },
                dogs[0].friends.observe { _ in },
                dogs[1].observe { (_: ObjectChange<LiveDog>) in },
            ]
        )
    }

    func waitForNotifications() async { for _ in 0..<4 { await iterator.next(isolation: nil) } }

    func end() { loop?.end() }
}

private actor WatchingActor {
    private var realm: Realm?
    private var tokens: [NotificationToken] = []

    func begin(_ configuration: Realm.Configuration, _ notify: @escaping @Sendable () -> Void) async throws {
        let realm = try await Realm.open(configuration: configuration)
        self.realm = realm
        let dogs = realm.objects(LiveDog.self)
        tokens = [
            await dogs.where { $0.age >= 0 }.observe(on: self) { _, _ in notify() },
            await dogs.observe(on: self) { _, _ in },
        ]
    }
}

/// Consecutive asynchronous writes of a queue's Realm. Used only on the queue.
private final class Writer: @unchecked Sendable {
    private let queue = DispatchQueue(label: "writer")
    private var realm: Realm?
    private var round = 0

    init(_ configuration: Realm.Configuration) throws {
        try queue.sync { realm = try Realm(configuration: configuration, queue: queue) }
    }

    func write() async throws {
        try await withCheckedThrowingContinuation { (done: CheckedContinuation<Void, any Error>) in
            queue.async { [self] in
                guard let realm else { return done.resume() }
                round += 1
                let age = round
                realm.writeAsync {
                    realm.objects(LiveDog.self)[age % 100].age = age
                } onComplete: { error in
                    if let error { done.resume(throwing: error) } else { done.resume() }
                }
            }
        }
    }
}

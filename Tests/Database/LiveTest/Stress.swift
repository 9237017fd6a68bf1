// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Dispatch
import Foundation
import RealmSwift

/// Eight tasks that read, write, observe, freeze, and delete in one file.
///
/// Each verifies an invariant: the ages in a version sum to zero, because every write moves years between dogs.
struct Stress {
    let seconds: Int

    func run() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("stress-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let configuration = Live.configuration(folder.path + "/stress.realm")
        do {
            let realm = try await Realm(configuration: configuration, actor: StressActor())
            _ = realm
        }
        let end = Date(timeIntervalSinceNow: Double(seconds))
        let counts = Counts()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for seed in 0..<3 {
                group.addTask { try await StressActor().write(configuration, until: end, UInt64(seed), counts) }
            }
            group.addTask { try await StressActor().delete(configuration, until: end, counts) }
            group.addTask { try await StressActor().observe(configuration, until: end, counts) }
            group.addTask { try await StressActor().freeze(configuration, until: end, counts) }
            group.addTask { try await onThread { try QueueStress(configuration).observe(until: end, counts) } }
            group.addTask { try await onThread { try ThreadStress.read(configuration, until: end, counts) } }
            try await group.waitForAll()
        }
        print(counts.text)
        for (name, count) in counts.all where count == 0 { throw Broken("no thread came to \(name)") }
    }
}

/// Runs blocking work on its own thread, because tasks share few.
private func onThread(_ body: @escaping @Sendable () throws -> Void) async throws {
    try await withCheckedThrowingContinuation { continuation in
        Thread { continuation.resume(with: Result { try body() }) }.start()
    }
}

/// The number of executions of each operation. Guarded by `lock`.
final class Counts: @unchecked Sendable {
    private let lock = NSLock()
    private var counts: [String: Int] = [:]

    func add(_ name: String, _ count: Int = 1) { lock.withLock { counts[name, default: 0] += count } }

    subscript(name: String) -> Int { lock.withLock { counts[name] ?? 0 } }

    var all: [String: Int] { lock.withLock { counts } }

    var text: String { all.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }.joined(separator: ", ") }
}

actor StressActor {
    private func open(_ configuration: Realm.Configuration) async throws -> Realm {
        try await Realm(configuration: configuration, actor: self)
    }

    func write(_ configuration: Realm.Configuration, until end: Date, _ seed: UInt64, _ counts: Counts) async throws {
        let realm = try await open(configuration)
        var generator = SystemRandomNumberGenerator()
        while Date() < end {
            try await realm.asyncWrite {
                let giver = realm.create(
                    LiveDog.self, value: ["number": Int.random(in: 0..<200, using: &generator)], update: .modified)
                let taker = realm.create(
                    LiveDog.self, value: ["number": Int.random(in: 0..<200, using: &generator)], update: .modified)
                let amount = Int.random(in: 1..<10, using: &generator)
                giver.age -= amount
                taker.age += amount
                taker.name = "\(seed)"
                taker.best = giver
                if giver.friends.count > 5 { giver.friends.removeAll() } else { giver.friends.append(taker) }
                giver.marks["\(amount)"] = amount
            }
            counts.add("writes")
            await Task.yield()
        }
    }

    /// Deletes dogs, and adds their ages to those of others.
    func delete(_ configuration: Realm.Configuration, until end: Date, _ counts: Counts) async throws {
        let realm = try await open(configuration)
        while Date() < end {
            let kept = realm.objects(LiveDog.self).first
            try realm.write {
                guard let gone = realm.objects(LiveDog.self).last, let heir = realm.objects(LiveDog.self).first else {
                    return
                }
                if !gone.isSameObject(as: heir) {
                    heir.age += gone.age
                    realm.delete(gone)
                    counts.add("deletions")
                }
            }
            _ = (kept?.name, kept?.friends.count, kept?.isInvalidated)
            try await Task.sleep(nanoseconds: 2_000_000)
        }
    }

    func observe(_ configuration: Realm.Configuration, until end: Date, _ counts: Counts) async throws {
        let realm = try await open(configuration)
        while Date() < end {
            let dogs = realm.objects(LiveDog.self)
            var tokens = [
                await dogs.observe(on: self) { actor, change in
                    counts.add("collection changes")
                    if case .update(let dogs, _, _, _) = change { _ = dogs.first?.name }
                },
                await dogs.where { $0.age > 0 }.sorted(byKeyPath: "age").observe(on: self) { _, change in
                    counts.add("query changes")
                    if case .update(let dogs, _, let insertions, _) = change {
                        for index in insertions where dogs[index].age <= 0 { counts.add("wrong", 1) }
                    }
                },
            ]
            if let dog = dogs.first {
                tokens.append(
                    await dog.observe(on: self) { (_: isolated StressActor, change: ObjectChange<LiveDog>) in
                        counts.add("object changes")
                    })
            }
            for _ in 0..<20 {
                try Self.verify(realm)
                try await Task.sleep(nanoseconds: 5_000_000)
            }
            for token in tokens { token.invalidate() }
        }
        if counts["wrong"] > 0 { throw Broken("a query has told of objects that it does not have") }
    }

    func freeze(_ configuration: Realm.Configuration, until end: Date, _ counts: Counts) async throws {
        let realm = try await open(configuration)
        while Date() < end {
            await realm.asyncRefresh()
            let frozen = Frozen(realm.objects(LiveDog.self))
            let sums = await withTaskGroup(of: Int.self) { group in
                for _ in 0..<3 { group.addTask { frozen.value.reduce(0) { $0 + $1.age } } }
                return await group.reduce(into: []) { $0.append($1) }
            }
            if sums != [0, 0, 0] { throw Broken("a frozen version has the sums \(sums)") }
            counts.add("frozen versions")
            await Task.yield()
        }
    }

    private static func verify(_ realm: Realm) throws {
        let sum: Int = realm.objects(LiveDog.self).sum(of: \.age)
        if sum != 0 { throw Broken("the ages of a version add up to \(sum)") }
    }
}

/// Observers on a queue, some of them slow, and asynchronous writes.
///
/// Its members are used on the queue only.
final class QueueStress: @unchecked Sendable {
    private let queue = DispatchQueue(label: "stress")
    private let configuration: Realm.Configuration
    private var tokens: [NotificationToken] = []
    private var realm: Realm?

    init(_ configuration: Realm.Configuration) { self.configuration = configuration }

    func observe(until end: Date, _ counts: Counts) throws {
        try queue.sync {
            let realm = try Realm(configuration: configuration, queue: queue)
            self.realm = realm
            tokens = [
                realm.objects(LiveDog.self).filter("ANY friends.age > 3").observe { _ in
                    counts.add("slow calls")
                    Thread.sleep(forTimeInterval: 0.01)
                },
                realm.observe { _, realm in
                    counts.add("realm changes")
                    let sum: Int = realm.objects(LiveDog.self).sum(of: \.age)
                    if sum != 0 { counts.add("wrong", 1) }
                },
            ]
        }
        // Limits the pending writes, because the end has to wait for all of them.
        let room = DispatchSemaphore(value: 8)
        while Date() < end {
            room.wait()
            queue.async { [self] in
                realm?.writeAsync {
                    let dogs = self.realm?.objects(LiveDog.self)
                    if let first = dogs?.first, let last = dogs?.last {
                        first.age += 1
                        last.age -= 1
                    }
                } onComplete: { error in
                    counts.add(error == nil ? "asynchronous writes" : "wrong")
                    room.signal()
                }
            }
            Thread.sleep(forTimeInterval: 0.01)
        }
        // Pending writes retain the Realm.
        let done = DispatchSemaphore(value: 0)
        queue.async { [self] in
            tokens = []
            realm?.writeAsync({}, onComplete: { _ in done.signal() })
        }
        done.wait()
        queue.sync { realm = nil }
        if counts["wrong"] > 0 { throw Broken("\(counts["wrong"]) observers have seen half of a write") }
    }
}

/// A thread without deliveries: it refreshes, iterates, and writes without waiting for others.
enum ThreadStress {
    static func read(_ configuration: Realm.Configuration, until end: Date, _ counts: Counts) throws {
        while Date() < end {
            let realm = try Realm(configuration: configuration)
            for _ in 0..<20 {
                realm.refresh()
                let dogs = realm.objects(LiveDog.self)
                let sum = dogs.reduce(0) { $0 + $1.age }
                if sum != 0 { throw Broken("the ages of a version add up to \(sum)") }
                _ = dogs.first?.fans.count
                counts.add("iterations")
                Thread.sleep(forTimeInterval: 0.001)
            }
            realm.invalidate()
        }
    }
}

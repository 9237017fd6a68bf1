// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Dispatch
import Foundation
import RealmRuntime
import RealmStorage
import RealmTestSupport
import TestTraits
import Testing

@testable import RealmSwift

/// Asynchronous writes of a Realm on the main actor.
@MainActor @Suite struct AsyncWriteTests: TrapSuite {
    private let file: LiveFile
    private let realm: Realm

    init() async throws {
        file = try LiveFile()
        realm = try await Realm(configuration: file.configuration)
    }

    private func add(_ id: Int) { realm.create(LiveDog.self, value: ["id": id]) }

    private var ids: [Int] { realm.objects(LiveDog.self).map(\.id).sorted() }

    private func committedIds() throws -> [Int] {
        try file.elsewhere { $0.objects(LiveDog.self).map(\.id).sorted() }
    }

    private func settled() async -> Bool { await eventually { !realm.isPerformingAsynchronousWriteOperations } }

    @Test(.behaviour("B-246", "B-255")) func writeAsyncReturnsAtOnce() async throws {
        var errors: [(any Swift.Error)?] = []
        #expect(!realm.isPerformingAsynchronousWriteOperations)
        let identifier = realm.writeAsync {
            add(1)
        } onComplete: { error in
            MainActor.assumeIsolated { errors.append(error) }
        }
        #expect(identifier != 0 && ids.isEmpty && !realm.isInWriteTransaction)
        #expect(realm.isPerformingAsynchronousWriteOperations)
        #expect(await eventually { errors.count == 1 })
        #expect(errors[0] == nil && ids == [1] && !realm.isPerformingAsynchronousWriteOperations)
        #expect(try committedIds() == [1])
    }

    @Test(.behaviour("B-247")) func blocksRunInOrder() async throws {
        var order: [Int] = []
        for number in 0..<3 {
            realm.beginAsyncWrite {
                order.append(number)
                #expect(realm.isInWriteTransaction)
                add(number)
                realm.commitAsyncWrite()
                #expect(!realm.isInWriteTransaction && ids.contains(number))
            }
        }
        #expect(await settled())
        #expect(order == [0, 1, 2] && ids == [0, 1, 2])
        #expect(try committedIds() == [0, 1, 2])
    }

    @Test(.behaviour("B-248")) func aBlockThatDoesNotCommitIsRolledBack() async {
        var hasRun = false
        realm.beginAsyncWrite {
            add(1)
            hasRun = true
        }
        #expect(await settled())
        #expect(hasRun && ids.isEmpty && !realm.isInWriteTransaction)
    }

    @Test(.behaviour("B-249")) func aCancelledBlockDoesNotRun() async throws {
        var ran: [Int] = []
        realm.beginAsyncWrite { ran.append(1) }
        let second = realm.beginAsyncWrite { ran.append(2) }
        let third = realm.writeAsync { ran.append(3) }
        try realm.cancelAsyncWrite(second)
        #expect(await settled())
        #expect(ran == [1, 3])
        try realm.cancelAsyncWrite(third)
        try realm.cancelAsyncWrite(77)
        try realm.cancelAsyncWrite(realm.beginAsyncWrite { ran.append(4) })
        #expect(await settled())
        #expect(ran == [1, 3])
        try realm.write { add(5) }
        #expect(ids == [5])
    }

    @Test(.behaviour("B-250")) func aCancelledCommitIsWithoutCompletion() async throws {
        var completed: [Int] = []
        realm.beginAsyncWrite {
            add(1)
            let identifier = realm.commitAsyncWrite { _ in completed.append(1) }
            try? realm.cancelAsyncWrite(identifier)
        }
        realm.writeAsync({ add(2) }, onComplete: { _ in completed.append(2) })
        #expect(await eventually { completed == [2] })
        #expect(try committedIds() == [1, 2])
    }

    @Test(.behaviour("B-251")) func blocksMayScheduleFurtherBlocks() async {
        var order: [Int] = []
        realm.beginAsyncWrite {
            order.append(1)
            realm.beginAsyncWrite { order.append(3) }
        }
        realm.beginAsyncWrite { order.append(2) }
        #expect(await settled())
        #expect(order == [1, 2, 3])
    }

    @Test(.behaviour("B-252")) func synchronousWritesMayRunBetweenAsyncWrites() async throws {
        for number in 0..<5 {
            realm.writeAsync { add(number) }
            try realm.write { add(100 + number) }
            // Lets the turn begin, or nearly so.
            if number % 2 == 0 { usleep(3000) }
            try realm.write { add(200 + number) }
        }
        #expect(await settled())
        #expect(ids == [0, 1, 2, 3, 4, 100, 101, 102, 103, 104, 200, 201, 202, 203, 204])
        #expect(try committedIds() == ids)
        try file.audit()
    }

    @Test(.behaviour("B-253")) func aBlockMayCommitItself() async throws {
        var completions = 0
        realm.writeAsync {
            add(1)
            try? realm.commitWrite()
            #expect((try? committedIds()) == [1])
        } onComplete: { error in
            #expect(error == nil)
            completions += 1
        }
        #expect(await eventually { completions == 1 })
        #expect(await settled())
        #expect(completions == 1 && ids == [1])
    }

    @Test(.behaviour("B-254")) func aBlockMayCancel() async {
        realm.writeAsync {
            add(1)
            realm.cancelWrite()
        }
        #expect(await settled())
        #expect(ids.isEmpty)
    }

    @Test(.behaviour("B-256", "B-308", "B-310"), arguments: traps)
    func programmerErrorsEndTheProcess(_ trap: Trap) async {
        await trap.expect(in: Self.self)
    }

    nonisolated static let traps = [
        Trap("Cannot schedule async transaction. Make sure you are running from inside a run loop.") {
            try onThread { inRealm(liveTypes) { $0.writeAsync {} } }
        },
        Trap("asyncWrite() can only be called on main thread or actor-isolated Realms") {
            let file = try LiveFile()
            try await Clerk().writeToThreadConfined(file.configuration)
        },
        Trap("asyncRefresh() can only be called on main thread or actor-isolated Realms") {
            let file = try LiveFile()
            try await Clerk().refreshThreadConfined(file.configuration)
        },
    ]

    @Test(.behaviour("B-257"), arguments: ["begin", "commit", "cancel"]) func completionsDoNotWrite(_ verb: String)
        async
    {
        await #expect(processExitsWith: .failure, observing: .errorText) { [verb] in
            let file = try LiveFile()
            let queue = DispatchQueue(label: "test")
            queue.sync {
                guard let realm = try? Realm(configuration: file.configuration, queue: queue) else { return }
                realm.writeAsync({}) { _ in
                    switch verb {
                    case "begin": realm.beginWrite()
                    case "commit": try? realm.commitWrite()
                    default: realm.cancelWrite()
                    }
                }
            }
            sleep(1200)
        }.expectText("Can't \(verb) a write transaction from inside a commit completion callback.")
    }

    @Test(.behaviour("B-258")) func groupedCommitsAllComplete() async throws {
        var completed: [Int] = []
        for number in 0..<10 {
            realm.beginAsyncWrite {
                add(number)
                realm.commitAsyncWrite(allowGrouping: true) { error in
                    #expect(error == nil)
                    completed.append(number)
                }
            }
        }
        #expect(await eventually { completed.count == 10 })
        #expect(completed == Array(0..<10) && ids == Array(0..<10))
        #expect(try committedIds() == Array(0..<10))
        try file.audit()
    }

    /// Each block sees the writes before it, and a cancelled one affects no others.
    @Test func groupedCommitsWithOthersBetween() async throws {
        var completed: [Int] = []
        func end(_ number: Int) -> (Swift.Error?) -> Void {
            { error in
                #expect(error == nil)
                completed.append(number)
            }
        }
        for number in 0..<150 {
            realm.beginAsyncWrite {
                add(number)
                let expected = (0...number).filter { $0 % 7 != 3 || $0 == number }
                #expect(ids == expected)
                switch number % 7 {
                case 3: realm.cancelWrite()
                case 4: realm.commitAsyncWrite(end(number))
                case 5:
                    #expect((try? realm.commitWrite()) != nil)
                    #expect((try? committedIds()) == expected)
                default: realm.commitAsyncWrite(allowGrouping: true, end(number))
                }
                if number % 7 != 3 { #expect(ids == expected && !realm.isInWriteTransaction) }
            }
            if number == 70 {
                // A synchronous write ends a group.
                try realm.write {}
                #expect(realm.freeze().objects(LiveDog.self).count == ids.count)
            }
        }
        #expect(await settled())
        #expect(completed == (0..<150).filter { $0 % 7 != 3 && $0 % 7 != 5 })
        #expect(try committedIds() == (0..<150).filter { $0 % 7 != 3 })
        try file.audit()
    }

    /// Another thread's write ends the group, and runs next.
    @Test func anotherThreadEndsAGroup() async throws {
        let file = file
        realm.beginAsyncWrite {
            add(1)
            Thread.detachNewThread {
                guard let other = try? file.realm() else { return }
                try? other.write { _ = other.create(LiveDog.self, value: ["id": 2]) }
            }
            // The other thread is waiting by now.
            while !realm.instance.coordinator.database.hasWaiters { usleep(1000) }
            realm.commitAsyncWrite(allowGrouping: true)
        }
        var seen: [Int] = []
        realm.beginAsyncWrite { seen = ids }
        #expect(await settled())
        #expect(seen == [1, 2])
    }

    @Test func aSynchronousWriteMayEndAsynchronously() async throws {
        realm.beginWrite()
        add(1)
        var isComplete = false
        realm.commitAsyncWrite { _ in isComplete = true }
        #expect(ids == [1] && !realm.isInWriteTransaction && !realm.refresh())
        try realm.write { add(2) }
        #expect(ids == [1, 2])
        #expect(await eventually { isComplete })
        #expect(try committedIds() == [1, 2])
    }

    @Test func aQueuesRealmWritesAsynchronously() async throws {
        let queue = DispatchQueue(label: "test")
        let file = file
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            queue.async {
                guard let realm = try? Realm(configuration: file.configuration, queue: queue) else { return }
                realm.writeAsync {
                    realm.create(LiveDog.self, value: ["id": 9])
                } onComplete: { _ in
                    dispatchPrecondition(condition: .onQueue(queue))
                    continuation.resume()
                }
            }
        }
        #expect(try committedIds() == [9])
        #expect(await eventually { ids == [9] })
    }

    /// Changes are readable before they are durable, and in an encrypted file before they are encrypted.
    @Test func encryptedFilesAreWrittenAsynchronously() async throws {
        let other = try LiveFile()
        var configuration = other.configuration
        configuration.encryptionKey = Data((0..<64).map { UInt8($0) })
        let realm = try await Realm(configuration: configuration)
        for id in 0..<20 {
            realm.beginAsyncWrite {
                realm.create(LiveDog.self, value: ["id": id, "name": String(repeating: "x", count: 500 + id)])
                realm.commitAsyncWrite()
                #expect(realm.objects(LiveDog.self).last?.name.count == 500 + id)
            }
        }
        #expect(await eventually { !realm.isPerformingAsynchronousWriteOperations })
        let encrypted = configuration
        let sum = try onThread {
            try Realm(configuration: encrypted, queue: nil).objects(LiveDog.self).reduce(0) { $0 + $1.name.count }
        }
        #expect(sum == (500..<520).reduce(0, +))
    }

    /// Freezing waits for the disk, because a frozen version can't be rolled back.
    @Test func frozenVersionsAreDurable() async throws {
        realm.beginWrite()
        add(1)
        realm.commitAsyncWrite()
        let frozen = realm.freeze()
        #expect(frozen.objects(LiveDog.self).count == 1)
        #expect(try committedIds() == [1])
        #expect(await settled())
    }

    @Test(.behaviour("B-305")) func asyncWriteCommitsAndReturns() async throws {
        let name = try await realm.asyncWrite {
            add(1)
            return "done"
        }
        #expect(name == "done" && ids == [1])
        #expect(try committedIds() == [1])
    }

    @Test(.behaviour("B-306")) func asyncWriteRollsBackAfterAnError() async throws {
        await #expect(throws: Failure.self) {
            try await realm.asyncWrite {
                add(1)
                throw Failure("no")
            }
        }
        #expect(ids.isEmpty && !realm.isInWriteTransaction)
    }

    @Test(.behaviour("B-307")) func aCancelledTaskWritesNothing() async throws {
        let file = file
        // Another thread holds the write lock meanwhile, so the turn is delayed.
        let gate = DispatchSemaphore(value: 0)
        let (started, start) = AsyncStream<Void>.makeStream()
        Thread.detachNewThread {
            guard let realm = try? file.realm() else { return }
            realm.beginWrite()
            start.finish()
            gate.wait()
            try? realm.commitWrite()
        }
        for await _ in started {}
        let task = Task { @MainActor in
            let realm = try await Realm(configuration: file.configuration)
            try await realm.asyncWrite { _ = realm.create(LiveDog.self, value: ["id": 1]) }
        }
        try await Task.sleep(for: .milliseconds(30))
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        gate.signal()
        #expect(await settled())
        #expect(ids.isEmpty)
        try await realm.asyncWrite { add(2) }
        #expect(ids == [2])
    }

    @Test(.behaviour("B-309", "B-311", "B-312")) func asyncRefresh() async throws {
        realm.autorefresh = false
        #expect(await !realm.asyncRefresh())
        let file = file
        try await later { try file.set(name: "Rex") }
        #expect(ids.isEmpty)
        #expect(await realm.asyncRefresh())
        #expect(ids == [1])
        #expect(await !realm.asyncRefresh())
        try await later { try file.set(name: "Max") }
        let cancelled = Task { @MainActor in
            withUnsafeCurrentTask { $0?.cancel() }
            let realm = try await Realm(configuration: file.configuration)
            return await realm.asyncRefresh()
        }
        #expect((try? await cancelled.value) != true)
        let waiters = (0..<2).map { _ in
            Task { @MainActor in
                let realm = try await Realm(configuration: file.configuration)
                _ = await realm.asyncRefresh()
                return realm.objects(LiveDog.self).first?.name
            }
        }
        for waiter in waiters { #expect(try await waiter.value == "Max") }
    }

    private func startWaiting() async -> Task<Void, any Error> {
        let (started, start) = AsyncStream.makeStream(of: Never.self)
        let waiter = Task { @MainActor [file] in
            let realm = try await Realm(configuration: file.configuration)
            start.finish()
            try await realm.waitForChange()
        }
        for await _ in started {}
        return waiter
    }

    @Test func waitForChangeReturnsAfterACommitElsewhere() async throws {
        let file = file
        for isOn in [true, false] {
            realm.autorefresh = isOn
            realm.refresh()
            let version = realm.objects(LiveDog.self).first?.name
            let waiter = await startWaiting()
            try await later { try file.set(name: "\(isOn)") }
            try await waiter.value
            #expect(realm.objects(LiveDog.self).first?.name == (isOn ? "true" : version))
        }
        let cancelled = Task { @MainActor in
            let realm = try await Realm(configuration: file.configuration)
            realm.refresh()
            try await realm.waitForChange()
        }
        try await Task.sleep(for: .milliseconds(30))
        cancelled.cancel()
        await #expect(throws: CancellationError.self) { try await cancelled.value }
    }

    /// The invalidated Realm has no version, but the task waits for one after the last that it had.
    @Test(.timeLimited, arguments: [false, true], [false, true])
    func waitForChangeReturnsAfterAnInvalidation(_ isWaiting: Bool, _ isOn: Bool) async throws {
        let file = file
        realm.autorefresh = isOn
        realm.refresh()
        if !isWaiting { realm.invalidate() }
        let waiter = await startWaiting()
        if isWaiting { realm.invalidate() }
        try await later { try file.set(name: "new") }
        try await waiter.value
        #expect(realm.objects(LiveDog.self).first?.name == "new")
    }

    /// The importer requests its next turn after each commit, but the other writer runs in between.
    @Test func otherWritersRunBetweenTheWritesOfAnImporter() async throws {
        let file = file
        let stop = Locked(false)
        let commits = Locked(0)
        let importer = Task.detached {
            try await later {
                let realm = try file.realm()
                var id = 1000
                while !stop.withLock({ $0 }) {
                    try realm.write {
                        for _ in 0..<200 {
                            realm.create(LiveDog.self, value: ["id": id])
                            id += 1
                        }
                    }
                    commits.withLock { $0 += 1 }
                }
            }
        }
        #expect(await eventually { commits.withLock { $0 } > 0 })
        var waits: [Int] = []
        for id in 0..<10 {
            let before = commits.withLock { $0 }
            try await realm.asyncWrite { add(id) }
            waits.append(commits.withLock { $0 } - before)
        }
        // The counted commits are the write in progress, the previously queued one, and later ones. A busy machine has
        // more, since the importer continues while this task waits for a thread.
        #expect(waits.contains { $0 <= 4 }, "\(waits)")
        stop.withLock { $0 = true }
        try await importer.value
    }

    @Test(.behaviour("S22")) func asyncWriteIsPerforming() async throws {
        var states = [realm.isPerformingAsynchronousWriteOperations]
        try await realm.asyncWrite { states.append(realm.isPerformingAsynchronousWriteOperations) }
        states.append(realm.isPerformingAsynchronousWriteOperations)
        #expect(states == [false, true, false])
    }
}

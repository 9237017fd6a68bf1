// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmRuntime
import RealmTestSupport
import TestTraits
import Testing

@testable import RealmSwift

private final class OpeningItem: TestObject {
    @Persisted var number = 0
}

/// Openings of different files don't wait for each other.
@Suite struct OpeningLockTests {
    private static func configuration(_ name: String, in folder: TemporaryFolder) -> Realm.Configuration {
        .init(fileURL: URL(fileURLWithPath: folder.path + "/\(name).realm"), objectTypes: [OpeningItem.self])
    }

    private static func openElsewhere(_ configuration: Realm.Configuration) -> DispatchSemaphore {
        let done = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            autoreleasepool { _ = try? Realm(configuration: configuration).objects(OpeningItem.self).count }
            done.signal()
        }
        return done
    }

    @Test(.behaviour("U03")) func aCompactionBlockMayWaitForAnotherOpening() throws {
        let folder = try TemporaryFolder()
        let other = Self.configuration("other", in: folder)
        var slow = Self.configuration("slow", in: folder)
        let outcomes = Locked<[DispatchTimeoutResult]>([])
        slow.shouldCompactOnLaunch = { _, _ in
            let memory = Realm.Configuration(inMemoryIdentifier: "beside U03", objectTypes: [OpeningItem.self])
            for configuration in [other, memory] {
                let outcome = Self.openElsewhere(configuration).wait(timeout: .now() + 1200)
                outcomes.withLock { $0.append(outcome) }
            }
            return false
        }
        for _ in 0..<2 { try onThread { [slow] in _ = try Realm(configuration: slow) } }
        let found = outcomes.withLock { $0 }
        #expect(!found.isEmpty && found.allSatisfy { $0 == .success })
    }

    @Test(.behaviour("U03")) func aMigrationBlockMayWaitForAnotherOpening() throws {
        let folder = try TemporaryFolder()
        let other = Self.configuration("other", in: folder)
        var slow = Self.configuration("slow", in: folder)
        try onThread { [slow] in _ = try Realm(configuration: slow) }
        let outcome = Locked<DispatchTimeoutResult?>(nil)
        slow.schemaVersion = 1
        slow.migrationBlock = { _, _ in
            let result = Self.openElsewhere(other).wait(timeout: .now() + 1200)
            outcome.withLock { $0 = result }
        }
        try onThread { [slow] in _ = try Realm(configuration: slow) }
        #expect(outcome.withLock { $0 } == .success)
    }

    @Test func openingsOfOneFileAreSerialized() {
        let locks = OpeningLocks()
        let inside = Locked((now: 0, most: 0))
        DispatchQueue.concurrentPerform(iterations: 8) { _ in
            for _ in 0..<50 {
                locks.locked("file") {
                    inside.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
                    locks.locked("file") {}
                    inside.withLock { $0.now -= 1 }
                }
            }
        }
        #expect(inside.withLock { $0.most } == 1)
    }

    @Test func openingsThatWaitForEachOtherStop() async {
        await #expect(processExitsWith: .failure, observing: .errorText) {
            let locks = OpeningLocks()
            let (first, second) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
            Thread.detachNewThread {
                locks.locked("a") {
                    first.signal()
                    second.wait()
                    locks.locked("b") {}
                }
            }
            locks.locked("b") {
                first.wait()
                second.signal()
                locks.locked("a") {}
            }
            try await Task.sleep(for: .seconds(1200))
        }.expectText("the thread that is opening it waits for a Realm that this thread is opening.")
    }
}

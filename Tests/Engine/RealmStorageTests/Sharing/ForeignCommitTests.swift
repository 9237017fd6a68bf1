// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmStorage
import RealmTestSupport
import Testing

/// Signals of other processes' commits.
@Suite struct ForeignCommitTests {
    @Test func aForeignCommitIsNoticedSoon() throws {
        let test = try TestDatabase()
        let other = try Database.open(test.path)
        let calls = CallCounter()
        let token = try other.onForeignCommit { calls.call() }
        var slowest = Duration.zero
        for round in 1...20 {
            let version = test.database.version + 1
            try test.write { _ in }
            let start = ContinuousClock.now
            try #require(calls.wait(for: round))
            slowest = max(slowest, ContinuousClock.now - start)
            #expect(other.version == version)
        }
        print("sharing: the slowest of 20 change signals came \(slowest) after the commit returned")
        withExtendedLifetime(token) {}
    }

    @Test func ownCommitsGiveNoSignal() throws {
        let test = try TestDatabase()
        let other = try Database.open(test.path)
        let calls = CallCounter()
        let token = try test.database.onForeignCommit { calls.call() }
        for _ in 0..<5 { try test.write { _ in } }
        try other.write { _ in }
        #expect(calls.wait(for: 1))
        #expect(calls.number == 1)
        withExtendedLifetime(token) {}
    }

    @Test func aTokenEndsItsHandler() throws {
        let test = try TestDatabase()
        let other = try Database.open(test.path)
        let (first, second) = (CallCounter(), CallCounter())
        var tokens = [try other.onForeignCommit { first.call() }, try other.onForeignCommit { second.call() }]
        try test.write { _ in }
        #expect(first.wait(for: 1) && second.wait(for: 1))
        tokens.removeFirst()
        try test.write { _ in }
        #expect(second.wait(for: 2))
        #expect(first.number == 1)
        tokens = []
        try test.write { _ in }
        tokens = [try other.onForeignCommit { second.call() }]
        try test.write { _ in }
        #expect(second.wait(for: 3))
        tokens = []
    }

    @Test func aHandlerMayEndItself() throws {
        let test = try TestDatabase()
        for _ in 0..<10 {
            let calls = CallCounter()
            let box = Box()
            box.hold(
                try Database.open(test.path).onForeignCommit {
                    box.hold(nil)
                    calls.call()
                })
            try test.write { _ in }
            #expect(calls.wait(for: 1))
        }
    }

    /// Guarded by `lock`.
    private final class Box: @unchecked Sendable {
        private let lock = NSLock()
        private var held: ForeignCommitToken?
        func hold(_ token: ForeignCommitToken?) {
            let old = lock.withLock {
                defer { held = token }
                return held
            }
            withExtendedLifetime(old) {}
        }
    }
}

// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmSystem
import RealmTestSupport
import Testing

/// Mutual exclusion with realm-core and with our own sessions (container 8.7).
@Suite struct SessionLockTests {
    private let folder: TemporaryFolder
    private let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = folder.path + "/a.realm"
    }

    private func lockFile(_ path: String) throws -> [UInt8] {
        let file = try DiskFile.open(path + ".lock", readOnly: true)
        var bytes = [UInt8](repeating: 0, count: try file.size())
        try bytes.withUnsafeMutableBytes { try file.read(into: $0, at: 0) }
        return bytes
    }

    @Test func theGuardBlockIsAsSpecified() throws {
        let lock = try #require(try SessionLock.acquire(forDatabase: path))
        #expect(lock.path == path + ".lock")
        let block = try lockFile(path)
        #expect(block.count == 4096)
        #expect(block[0] == 1)
        #expect(Array(block[6...7]) == [0xFF, 0xFF])
        #expect(Array(block[64..<72]) == Array("REGNUM-5".utf8))
        let pid = (0..<8).reduce(UInt64(0)) { $0 | UInt64(block[72 + $1]) << UInt64(8 * $1) }
        #expect(pid == UInt64(getpid()))
        let rest = block.indices.filter { $0 != 0 && !(6...7).contains($0) && !(64..<88).contains($0) }
        #expect(rest.allSatisfy { block[$0] == 0 })
    }

    /// Left by realm-core, or incomplete after a crash, of any size.
    @Test(arguments: [[], [0], [1], Array(repeating: 0, count: 8192), Images.coreLock] as [[UInt8]])
    func theLockFileOfAnEarlierSessionIsReplaced(_ bytes: [UInt8]) throws {
        try Images.write(bytes, to: path + ".lock")
        let lock = try SessionLock.acquire(forDatabase: path)
        #expect(lock != nil)
        let block = try lockFile(path)
        #expect(block.count == 4096 && Array(block[64..<72]) == Array("REGNUM-5".utf8))
    }

    @Test(arguments: [
        Array("precious".utf8), Array(repeating: 0xAB, count: 1), Array(repeating: 0xAB, count: 100),
        Array(repeating: 0xAB, count: 8192), Array(repeating: 0, count: 4095) + [7, 0],
    ])
    func anotherFileIsLeftAlone(_ bytes: [UInt8]) throws {
        try Images.write(bytes, to: path + ".lock")
        let error = #expect(throws: SystemError.self) { try SessionLock.acquire(forDatabase: path) }
        #expect(error?.path == path + ".lock" && error?.reason.contains("move it away") == true)
        #expect(try lockFile(path) == bytes)
    }

    /// A link with the lock file's name isn't followed, and only regular files are opened.
    @Test(arguments: ["link", "dangling", "fifo", "folder"]) func nothingButAFileIsOpened(_ kind: String) throws {
        let folder = try TemporaryFolder()
        let (path, victim) = (folder.path + "/a.realm", folder.path + "/victim")
        let lock = path + ".lock"
        switch kind {
        case "link":
            try Images.write(Array(repeating: 0, count: 10), to: victim)
            try FileManager.default.createSymbolicLink(atPath: lock, withDestinationPath: victim)
        case "dangling": try FileManager.default.createSymbolicLink(atPath: lock, withDestinationPath: victim)
        case "fifo": #expect(mkfifo(lock, 0o600) == 0)
        default: try FileManager.default.createDirectory(atPath: lock, withIntermediateDirectories: true)
        }
        let error = #expect(throws: SystemError.self) { try SessionLock.acquire(forDatabase: path) }
        #expect(error?.path == lock)
        #expect(throws: SystemError.self) { try SessionLock.whileClosed(forDatabase: path) {} }
        if kind == "link" { #expect(try Images.read(victim) == Array(repeating: 0, count: 10)) }
        if kind == "dangling" { #expect(!Folder.holds(victim)) }
    }

    @Test func aSecondOneJoins() throws {
        #expect(try SessionLock.join(forDatabase: path) == nil)
        var first = try SessionLock.acquire(forDatabase: path)
        #expect(first?.isJoined == false)
        let block = try lockFile(path)
        var second = try SessionLock.acquire(forDatabase: path)
        #expect(second?.isJoined == true)
        #expect(try SessionLock.join(forDatabase: path)?.isJoined == true)
        #expect(try lockFile(path) == block)
        first = nil
        #expect(try SessionLock.acquire(forDatabase: path)?.isJoined == true)
        #expect(try lockFile(path) == block)
        second = nil
        #expect(try SessionLock.acquire(forDatabase: path)?.isJoined == false)
        #expect(try lockFile(path) != block)
    }

    /// No process can enter until the one that begins a session admits others. They wait for it, even longer than for
    /// others.
    @Test func othersWaitForTheStartOfASession() throws {
        var start: SessionStart?
        if case .begun(let begun) = try SessionLock.enter(forDatabase: path) { start = begun }
        #expect(start != nil)
        let done = DispatchSemaphore(value: 0)
        let joined = RelaxedCounter()
        for isReader in [false, true] {
            Thread.detachNewThread {
                let lock =
                    isReader ? try? SessionLock.join(forDatabase: path) : try? SessionLock.acquire(forDatabase: path)
                if lock?.isJoined == true { joined.increment() }
                done.signal()
            }
        }
        #expect(done.wait(timeout: .now() + 0.3) == .timedOut)
        let lock = start?.letOthersIn()
        #expect(lock?.isJoined == false)
        for _ in 0..<2 { done.wait() }
        #expect(joined.value == 2)
        withExtendedLifetime(lock) {}
    }

    /// In the block of our earlier session, only the writer's number changes. Damage is repaired.
    @Test(arguments: [0, 6, 7, 64]) func theBlockOfAnEarlierSessionIsUsedAgain(_ offset: Int) throws {
        _ = try SessionLock.acquire(forDatabase: path)
        let before = try lockFile(path)
        _ = try SessionLock.acquire(forDatabase: path)
        let after = try lockFile(path)
        #expect(after.indices.filter { before[$0] != after[$0] }.allSatisfy { (80..<88).contains($0) })
        #expect(before != after)
        var damaged = after
        damaged[offset] ^= 1
        try Images.write(damaged, to: path + ".lock")
        #expect(try SessionLock.acquire(forDatabase: path) != nil)
        #expect(Array(try lockFile(path)[..<80]) == Array(before[..<80]))
    }

    /// A process that holds the shared lock with another block, whole or not, isn't joined.
    @Test(arguments: [0, 6, 7, 64, 71])
    func anotherBlockIsNotJoined(_ offset: Int) throws {
        _ = try SessionLock.acquire(forDatabase: path)
        var block = try lockFile(path)
        block[offset] ^= 1
        try Images.write(block, to: path + ".lock")
        let descriptor = open(path + ".lock", O_RDWR | O_CLOEXEC)
        try #require(flock(descriptor, LOCK_SH) == 0)
        let clock = ContinuousClock()
        let start = clock.now
        #expect(try SessionLock.acquire(forDatabase: path) == nil)
        #expect(clock.now - start > .milliseconds(50))
        #expect(try SessionLock.join(forDatabase: path) == nil)
        #expect(try lockFile(path) == block)
        close(descriptor)
    }

    @Test func manyBeginAtOnce() throws {
        for _ in 0..<20 {
            let locks = Locks()
            DispatchQueue.concurrentPerform(iterations: 8) { _ in locks.add(try? SessionLock.acquire(forDatabase: path))
            }
            #expect(locks.all.count == 8)
            #expect(locks.all.filter { !$0.isJoined }.count <= 1)
        }
    }

    /// Guarded by `lock`.
    private final class Locks: @unchecked Sendable {
        private let lock = NSLock()
        private var locks: [SessionLock] = []
        func add(_ one: SessionLock?) { lock.withLock { if let one { locks.append(one) } } }
        var all: [SessionLock] { lock.withLock { locks } }
    }

    /// The lock that realm-core holds while it has the file open: the lock file's shared lock.
    @Test(arguments: [LOCK_SH, LOCK_EX])
    func aSessionOfRealmCoreIsRefused(_ kind: Int32) throws {
        let block = Images.coreLock
        try Images.write(block, to: path + ".lock")
        let descriptor = open(path + ".lock", O_RDWR | O_CLOEXEC)
        try #require(descriptor != -1 && flock(descriptor, kind) == 0)
        #expect(try SessionLock.acquire(forDatabase: path) == nil)
        #expect(try lockFile(path) == block)
        close(descriptor)
        #expect(try SessionLock.acquire(forDatabase: path) != nil)
    }

    /// A process that is about to fail holds the lock briefly, which must not look like an open database.
    @Test func joiningWaitsForAMomentaryHolder() throws {
        try Images.write([1], to: path + ".lock")
        // Under load the holder may wake up too late, but not every time.
        let acquired = (0..<20).contains { _ in
            let descriptor = open(path + ".lock", O_RDWR | O_CLOEXEC)
            guard descriptor != -1, flock(descriptor, LOCK_SH) == 0 else { return false }
            Thread.detachNewThread {
                usleep(5000)
                close(descriptor)
            }
            return (try? SessionLock.acquire(forDatabase: path)) ?? nil != nil
        }
        #expect(acquired)
    }

    /// While we hold the session, no process gets the exclusive lock, which realm-core needs to initialize the lock
    /// file.
    @Test func theLockIsHeldShared() throws {
        let lock = try SessionLock.acquire(forDatabase: path)
        let descriptor = open(path + ".lock", O_RDWR | O_CLOEXEC)
        #expect(flock(descriptor, LOCK_EX | LOCK_NB) == -1)
        #expect(flock(descriptor, LOCK_SH | LOCK_NB) == 0)
        close(descriptor)
        withExtendedLifetime(lock) {}
    }

    @Test func aFolderThatDoesNotExistIsAnError() {
        #expect(throws: SystemError.self) { try SessionLock.acquire(forDatabase: "/no/such/folder/a.realm") }
    }
}

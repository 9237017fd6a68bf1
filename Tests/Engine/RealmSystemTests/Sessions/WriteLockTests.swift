// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

@testable import RealmSystem
import RealmTestSupport
import Testing

/// The write lock between participants.
@Suite struct WriteLockTests {
    private func acquire(_ lock: WriteLock, _ patience: Patience = Patience()) throws -> Bool {
        var waiting = Waiting(patience)
        return try lock.acquire(&waiting)
    }

    /// Two objects in one process act like two processes.
    @Test func theLastHolderIsRecorded() throws {
        let temporary = try TemporaryFolder()
        let folder = try OpenFolder(temporary.path)
        let (first, second) = (try WriteLock(in: folder), try WriteLock(in: folder))
        func acquire(_ lock: WriteLock) throws -> Bool {
            defer { lock.release() }
            return try self.acquire(lock)
        }
        #expect(try !acquire(first))
        #expect(try acquire(first))
        #expect(try acquire(first))
        #expect(try !acquire(second))
        #expect(try !acquire(first))
        try second.locked {}
        #expect(try !acquire(first))
        #expect(try acquire(first))
        #expect(try !acquire(try WriteLock(in: folder)))
    }

    @Test func oneHolderAtATime() throws {
        let temporary = try TemporaryFolder()
        let folder = try OpenFolder(temporary.path)
        let (first, second) = (try WriteLock(in: folder), try WriteLock(in: folder))
        _ = try acquire(first)
        var ran = false
        try second.lockedIfFree { ran = true }
        #expect(!ran)
        first.release()
        try second.lockedIfFree { ran = true }
        #expect(ran)
        #expect(try acquire(first))
        first.release()
    }

    @Test func theHolderIsReadable() throws {
        let temporary = try TemporaryFolder()
        let folder = try OpenFolder(temporary.path)
        #expect(try WriteLock.holder(in: folder) == nil)
        let lock = try WriteLock(in: folder)
        for _ in 0..<3 {
            let before = CurrentProcess.time
            _ = try acquire(lock)
            let holder = try #require(try WriteLock.holder(in: folder))
            #expect(holder.processIdentifier == CurrentProcess.identifier)
            #expect(holder.name == CurrentProcess.name && !holder.name.isEmpty)
            #expect((before...CurrentProcess.time).contains(holder.since))
            lock.release()
            #expect(try WriteLock.holder(in: folder) == nil)
        }
    }

    @Test func aWaitEnds() throws {
        let temporary = try TemporaryFolder()
        let folder = try OpenFolder(temporary.path)
        let (first, second, third) = (try WriteLock(in: folder), try WriteLock(in: folder), try WriteLock(in: folder))
        _ = try acquire(first)
        for _ in 0..<3 {
            let error = #expect(throws: WriteTimeout.self) { try acquire(second, Patience(limit: 5_000_000)) }
            #expect(error?.message.contains("this process, which has held the write lock for 0 s") == true)
        }
        first.release()
        // The cancelled wait gets the lock before this one, and releases it.
        #expect(try !acquire(third))
        third.release()
        #expect(try !acquire(second, Patience(limit: 60_000_000_000)))
        let error = #expect(throws: WriteTimeout.self) { try acquire(third, Patience(limit: 0)) }
        #expect(error != nil)
        second.release()
        #expect(try !acquire(third, Patience(limit: 60_000_000_000)))
        third.release()
    }

    @Test func aLongWaitIsReported() throws {
        let temporary = try TemporaryFolder()
        let folder = try OpenFolder(temporary.path)
        let (first, second) = (try WriteLock(in: folder), try WriteLock(in: folder))
        _ = try acquire(first)
        let reports = Reports()
        var patience = Patience(limit: 100_000_000) { reports.add($0) }
        patience.reportTime = 2_000_000
        #expect(throws: WriteTimeout.self) { try acquire(second, patience) }
        #expect(reports.all.count == 1)
        #expect(reports.all.first?.contains("this process") == true)
        first.release()
    }

    /// A wait without a limit blocks in the system, and another thread reports it once.
    @Test func aLongWaitWithoutLimitIsReported() throws {
        let temporary = try TemporaryFolder()
        let folder = try OpenFolder(temporary.path)
        let first = try WriteLock(in: folder)
        for _ in 0..<3 {
            let second = try WriteLock(in: folder)
            _ = try acquire(first)
            let reports = Reports()
            // The lock is released when the wait has been reported, so the test doesn't depend on timing.
            var patience = Patience {
                reports.add($0)
                first.release()
            }
            patience.reportTime = 2_000_000
            #expect(try !acquire(second, patience))
            #expect(reports.all.count == 1)
            #expect(reports.all.first?.contains("this process") == true)
            second.release()
        }
    }

    @Test func aShortWaitIsNotReported() {
        let watch = WaitWatch()
        let reports = Reports()
        let far = CurrentProcess.uptime + 1_000_000_000_000
        let (long, short) = (
            watch.begin(due: far) { reports.add("long") }, watch.begin(due: far) { reports.add("short") }
        )
        #expect(!watch.end(short))
        let due = watch.begin(due: CurrentProcess.uptime) { reports.add("due") }
        while reports.all.isEmpty { CurrentProcess.pause(microseconds: 1000) }
        #expect(watch.end(due))
        #expect(reports.all == ["due"])
        #expect(!watch.end(long))
    }

    /// If the mark can't be written, other processes don't mistake it for their own.
    @Test func anUnwrittenMarkIsNotMistaken() throws {
        let temporary = try TemporaryFolder()
        let folder = try OpenFolder(temporary.path)
        let (first, second) = (try WriteLock(in: folder), try WriteLock(in: folder))
        _ = try acquire(first)
        first.release()
        try DiskFile.open("regnum.write", in: folder).resize(to: 0)
        #expect(try !acquire(first))
        first.release()
        #expect(try !acquire(second))
        second.release()
    }

    /// The lock is free, but the waiter that holds the turnstile has precedence.
    @Test func aFreeLockThatIsWaitedForIsNotTaken() throws {
        let temporary = try TemporaryFolder()
        let folder = try OpenFolder(temporary.path)
        let (lock, file) = (try WriteLock(in: folder), try DiskFile.open("regnum.write", in: folder))
        let queue = try DiskFile.open("regnum.queue", in: folder, creation: .createIfMissing)
        _ = try acquire(lock)
        lock.release()
        _ = try queue.lock(.exclusive, waiting: true)
        try [UInt8(1)].withUnsafeBytes { try file.write($0, at: 16) }
        #expect(throws: WriteTimeout.self) { try acquire(lock, Patience(limit: 0)) }
        #expect(try WriteLock.holder(in: folder) == nil)
        queue.unlock()
        #expect(try acquire(lock))
        #expect(try file.bytes(17, at: 0)[16] == 0)
        lock.release()
    }

    /// Guarded by its lock.
    private final class Reports: @unchecked Sendable {
        private let lock = Lock()
        private var texts: [String] = []
        var all: [String] { lock.locked { texts } }
        func add(_ text: String) { lock.locked { texts.append(text) } }
    }
}

// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSystem
import RealmTestSupport
import Testing

/// The right to write, among participants.
@Suite struct WriteLockTests {
    /// Two objects in one process are as two processes to each other.
    @Test func whoHadTheRightLastIsTold() throws {
        let temporary = try TemporaryFolder()
        let folder = try OpenFolder(temporary.path)
        let (first, second) = (try WriteLock(in: folder), try WriteLock(in: folder))
        func acquire(_ lock: WriteLock) throws -> Bool {
            defer { lock.release() }
            return try lock.acquire()
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

    /// To look whether the right is free is not to have it.
    @Test func nobodyElseHasItAtTheSameTime() throws {
        let temporary = try TemporaryFolder()
        let folder = try OpenFolder(temporary.path)
        let (first, second) = (try WriteLock(in: folder), try WriteLock(in: folder))
        _ = try first.acquire()
        var ran = false
        try second.lockedIfFree { ran = true }
        #expect(!ran)
        first.release()
        try second.lockedIfFree { ran = true }
        #expect(ran)
        #expect(try first.acquire())
        first.release()
    }
}

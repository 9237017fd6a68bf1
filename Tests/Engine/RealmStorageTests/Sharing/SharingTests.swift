// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
@testable import RealmStorage
import RealmSystem
import RealmTestSupport
import Testing

/// Two openings of one file in this process, which act like two processes.
@Suite struct SharingTests {
    private func populated(_ commits: Int = 6) throws -> (TestDatabase, Workload) {
        let test = try TestDatabase()
        var workload = Workload(SeededGenerator(seed: 7), size: 20)
        for _ in 0..<commits { _ = try workload.commit(to: test.database) }
        return (test, workload)
    }

    /// The process that committed last needn't read the file again before it writes. It has to if another process held
    /// the write lock since, with any outcome, or if it hasn't committed itself.
    @Test func theLastCommitterHasTheNewestVersion() throws {
        let (test, first) = try populated(1)
        var workload = first
        let (own, other) = (test.database, try Database.open(test.path))
        func isKnown() -> Bool { own.lock.locked { own.hasNewest } }
        func commit(_ database: Database) throws { _ = try workload.commit(to: database) }
        try commit(own)
        #expect(isKnown())
        try own.beginWrite().rollback()
        #expect(!isKnown())
        for _ in 0..<3 { try commit(own) }
        #expect(isKnown())
        try other.beginWrite().rollback()
        let write = try own.beginWrite()
        #expect(!isKnown())
        write.rollback()
        try commit(other)
        try commit(own)
        #expect(own.version == other.version)
    }

    /// Between fork and exec, a new process has all descriptors of its parent, with their locks. Closed files are
    /// released nevertheless.
    @Test func closedFilesAreReleasedDuringAFork() throws {
        let test = try TestDatabase()
        var copies: [Int32] = []
        defer { for copy in copies { close(copy) } }
        do {
            let database = try Database.open(test.path)
            try test.close()
            copies = try descriptors(in: [test.path + ".lock"] + pinFiles(of: test.path)).map { dup($0) }
            #expect(copies.count >= 2)
            withExtendedLifetime(database) {}
        }
        #expect(try SessionLock.whileClosed(forDatabase: test.path) {} != nil)
        #expect(try Database.open(test.path).compact())
    }

    /// Only one object is the agent, even of one opening. Its end admits the next one, even while a
    /// process between fork and exec has a copy of the descriptor.
    @Test func oneAgentAtATime() throws {
        let test = try TestDatabase()
        let other = try Database.open(test.path)
        var copies: [Int32] = []
        defer { for copy in copies { close(copy) } }
        do {
            let first = try #require(test.database.syncAgency())
            #expect(try first.tryToBecomeAgent() && first.tryToBecomeAgent())
            for database in [test.database, other] {
                #expect(try database.syncAgency()?.tryToBecomeAgent() == false)
            }
            #expect(try first.tryToBecomeAgent())
            copies = try descriptors(in: [test.path + ".management"]).map { dup($0) }
            #expect(copies.count >= 2)
        }
        let second = try #require(other.syncAgency())
        #expect(try second.tryToBecomeAgent())
        #expect(try test.database.syncAgency()?.tryToBecomeAgent() == false)
    }

    @Test func theRequestsOfAllProcessesReachTheAgent() throws {
        let test = try TestDatabase()
        let other = try Database.open(test.path)
        let agencies = try [test.database, other].map { try #require($0.syncAgency()) }
        for agency in agencies { #expect(try agency.numbers() == (0, 0)) }
        #expect(try agencies[1].request() == 1)
        #expect(try agencies[0].numbers() == (1, 0))
        try agencies[0].fulfil(1)
        #expect(try agencies[1].request() == 2)
        for agency in agencies { #expect(try agency.numbers() == (2, 1)) }
    }

    /// The file of the requests is in the way of its own creation, as with too many open files: the election needs only
    /// the lock.
    @Test func theAgentIsElectedWithoutTheFileOfRequests() throws {
        let test = try TestDatabase()
        let other = try Database.open(test.path)
        let file = test.path + ".management/regnum.sync"
        try FileManager.default.createDirectory(atPath: file, withIntermediateDirectories: false)
        let agencies = try [test.database, other].map { try #require($0.syncAgency()) }
        #expect(try agencies[0].tryToBecomeAgent())
        #expect(try !agencies[1].tryToBecomeAgent())
        let called = DispatchSemaphore(value: 0)
        #expect(throws: SystemError.self) { try agencies[0].watch { called.signal() } }
        #expect(throws: SystemError.self) { try agencies[1].request() }
        try FileManager.default.removeItem(atPath: file)
        try agencies[0].watch { called.signal() }
        #expect(try agencies[1].request() == 1)
        called.wait()
        #expect(try agencies[0].numbers() == (1, 0))
    }

    private func pinFiles(of path: String) throws -> [String] {
        let folder = path + ".management"
        let names = try FileManager.default.contentsOfDirectory(atPath: folder)
        return names.filter { $0.hasSuffix(".pins") }.map { folder + "/" + $0 }
    }

    private func descriptors(in paths: [String]) throws -> [Int32] {
        let numbers = try paths.map { try fileNumber(FileManager.default.attributesOfItem(atPath: $0)) }
        return (0..<Int32(min(getdtablesize(), 1 << 16))).filter { descriptor in
            var status = stat()
            return fstat(descriptor, &status) == 0 && numbers.contains(UInt64(status.st_ino))
        }
    }

    private func fileNumber(_ attributes: [FileAttributeKey: Any]) throws -> UInt64 {
        try #require((attributes[.systemFileNumber] as? NSNumber)?.uint64Value)
    }

    @Test func eachSeesTheCommitsOfTheOther() throws {
        var (test, workload) = try populated()
        let other = try Database.open(test.path)
        for round in 0..<20 {
            let writer = round % 2 == 0 ? other : test.database
            let version = try workload.commit(to: writer)
            for reader in [test.database, other] {
                #expect(reader.version == version)
                let snapshot = try reader.snapshot()
                #expect(snapshot.version == version)
                try Workload.verify(snapshot)
            }
        }
        withExtendedLifetime(other) {}
    }

    /// Top refs repeat after some commits, so the header may equal a much older one.
    @Test func aHeaderThatLooksTheSameIsNot() throws {
        let (test, _) = try populated()
        let other = try Database.open(test.path)
        var repeated = 0
        for round in 0..<130 {
            let known = other.header
            var last = other.version
            for _ in 0..<round % 13 { try test.write { last = $0.baseVersion + 1 } }
            #expect(other.version == last)
            let snapshot = try other.snapshot()
            #expect(snapshot.version == last)
            #expect(snapshot.top?.version == last)
            if round % 13 > 0, known == other.header { repeated += 1 }
        }
        #expect(repeated > 0, "no header came again, so this shows nothing")
    }

    /// Neither process overwrites space pinned by the other, and both reuse it once it is unpinned.
    @Test func theHorizonCoversAll() throws {
        var (test, workload) = try populated(30)
        var other: Database? = try Database.open(test.path)
        var snapshot: Snapshot? = try other?.snapshot(label: "a view")
        let held = try #require(snapshot?.version)
        for _ in 0..<50 {
            _ = try workload.commit(to: test.database)
            try Workload.verify(try #require(snapshot))
        }
        #expect(try test.database.activeVersionCount == 2)
        #expect(try test.database.pins().map(\.version) == [held])
        let entries = try test.database.snapshot().freeList().entries
        #expect(entries.contains { $0.freedBy == held + 1 })
        snapshot = nil
        other = nil
        _ = try workload.commit(to: test.database)
        let remaining = try test.database.snapshot().freeList().entries
        #expect(!remaining.contains { $0.freedBy == held + 1 })
        try test.close()
    }

    /// Permanently unreadable pins abort a commit, since it can't determine the free space. The next one succeeds.
    @Test func unreadablePinsStopACommit() throws {
        var (test, workload) = try populated()
        let participant = try ParticipantFileProbe(in: test.path + ".management")
        #expect(throws: StorageError.self) { try workload.commit(to: test.database) }
        #expect(throws: StorageError.self) { try test.database.pins() }
        participant.end()
        _ = try workload.commit(to: test.database)
        #expect(try test.database.pins().isEmpty)
        try test.close()
    }

    @Test func filesOfKilledProcessesAreRemoved() throws {
        var (test, workload) = try populated()
        let folder = test.path + ".management/"
        let slot = [UInt8](repeating: 0x55, count: 300)
        for name in ["regnum-12-ab.pins", "regnum-note.txt", "other"] { try Images.write(slot, to: folder + name) }
        try Images.write([], to: folder + "regnum-13-ab.pins")
        _ = try workload.commit(to: test.database)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder).filter {
            !$0.hasPrefix("regnum-\(getpid())-")
        }
        #expect(names.sorted() == ["other", "regnum-note.txt", "regnum.open", "regnum.write"])
        try test.close()
    }

    #if os(Linux)
        /// Apps open hundreds of files at once, and often have a limit of 1,024 descriptors. The process that
        /// synchronises the file, and one that waited for another one's write, needs no more.
        @Test func aDatabaseThatJoinedAndWroteHoldsFiveDescriptors() throws {
            var (test, workload) = try populated()
            let joined = try Database.open(test.path)
            do {
                let write = try test.database.beginWrite()
                #expect(throws: StorageError.self) { try joined.beginWrite(within: 1_000_000) }
                write.rollback()
            }
            try test.close()
            _ = try workload.commit(to: joined)
            let agency = try #require(joined.syncAgency())
            #expect(try agency.tryToBecomeAgent())
            _ = try agency.request()
            let links = "/proc/self/fd"
            let open = try FileManager.default.contentsOfDirectory(atPath: links).compactMap { name in
                let target = try? FileManager.default.destinationOfSymbolicLink(atPath: links + "/" + name)
                return target.flatMap { $0.hasPrefix(test.path) ? String($0.dropFirst(test.path.count)) : nil }
            }
            let named = open.filter { !$0.hasSuffix(".pins") }.sorted()
            #expect(named == ["", ".lock", ".management", ".management/regnum.write"])
            #expect(open.count == 5)
            withExtendedLifetime((joined, agency)) {}
        }
    #endif

    /// Between its creation and its lock, a participant's file looks like one of a dead process, so a process that
    /// cleans up removes it.
    @Test func aNewFileIsNotTakenForADeadOne() throws {
        let temporary = try TemporaryFolder()
        let (folder, done) = (try OpenFolder(temporary.path), DispatchSemaphore(value: 0))
        let seen = RelaxedCounter()
        Thread.detachNewThread {
            // Repeats until the cleaning process hit the moment.
            for round in 0..<1_000_000 where round < 2_000 || seen.value == 0 {
                let file = try? ParticipantFile(in: folder)
                #expect(file.map { Folder.holds(temporary.path + "/" + $0.name) } ?? false)
            }
            done.signal()
        }
        let participants = Participants(in: folder, own: "")
        while done.wait(timeout: .now()) == .timedOut {
            for _ in try participants.others() { seen.increment() }
        }
        #expect(seen.value > 0)
        #expect(try participants.others().isEmpty)
        #expect(try FileManager.default.contentsOfDirectory(atPath: temporary.path).isEmpty)
    }

    /// The next opening of this process reuses an abandoned file, unless it has a pin or is missing.
    @Test func aFileThatWasLeftIsUsedAgain() throws {
        let temporary = try TemporaryFolder()
        let folder = try OpenFolder(temporary.path)
        var file: ParticipantFile? = try ParticipantFile(in: folder)
        let first = try #require(file?.name)
        let other = try ParticipantFile(in: folder)
        #expect(file?.isNew == true && other.isNew && other.name != first)
        file = nil
        file = try ParticipantFile(in: folder)
        #expect(file?.isNew == false && file?.name == first)
        let record = VersionRecord(version: 3, topRef: 24, logicalSize: 4096)
        let slot = try #require(try file?.add(PinSlot(record, since: 0, holders: 1, label: "x", isConfirmed: true)))
        let participants = Participants(in: folder, own: other.name)
        #expect(try participants.others().map { $0.pins.count } == [1])
        file?.clear(slot)
        #expect(try participants.others().map { $0.pins.count } == [0])
        file = nil
        #expect(try participants.others().isEmpty)
        file = try ParticipantFile(in: folder)
        #expect(file?.isNew == true && file?.name != first)
        _ = try file?.add(PinSlot(record, since: 0, holders: 1, label: "x", isConfirmed: true))
        let second = try #require(file?.name)
        file = nil
        #expect(!Folder.holds(temporary.path + "/" + second))
    }

    /// The version found by the opening stays pinned for the caller that requests it.
    @Test(arguments: [false, true]) func theVersionThatWasFoundIsKept(isJoined: Bool) throws {
        var (test, workload) = try populated()
        let path = test.path
        if !isJoined { try test.close() }
        let opened = try Database.open(path, holder: "Realm")
        #expect(opened.holders.map(\.label) == ["Realm"])
        var snapshot = try opened.openedSnapshot()
        #expect(snapshot?.version == 7)
        #expect(try opened.openedSnapshot() == nil)
        #expect(opened.holders.map(\.version) == [7])
        snapshot = nil
        #expect(try opened.pins().isEmpty)
        // A database that writes, or takes a snapshot, doesn't need it.
        let writing = try Database.open(path, holder: "Realm")
        _ = try workload.commit(to: writing)
        #expect(try writing.openedSnapshot() == nil)
        let reading = try Database.open(path, holder: "Realm")
        #expect(try reading.snapshot().version == 8)
        #expect(try reading.openedSnapshot() == nil)
        // It isn't returned once a newer version is known.
        let late = try Database.open(path, holder: "Realm")
        _ = try workload.commit(to: opened)
        #expect(late.version == 9)
        #expect(try late.openedSnapshot() == nil)
        #expect(try late.snapshot().version == 9)
        #expect(try opened.pins().isEmpty)
    }

    /// Other processes may commit before an opening has read its whole version, so it is pinned. This includes the
    /// first opening of a session, and one that had to change the file.
    @Test(arguments: [false, true]) func anOpeningPinsItsVersion(isJoined: Bool) throws {
        var (test, workload) = try populated()
        let path = test.path
        if !isJoined { try test.close() }
        let sharing = try SharedAccess(path, try #require(try SessionLock.acquire(forDatabase: path)))
        #expect(sharing.session.isJoined == isJoined)
        var registry = VersionRegistry(try ParticipantFile(in: sharing.folder))
        let file = try DiskFile.open(path, readOnly: false)
        let (state, pin) = try Opening(file: file, isReadOnly: false).load(sharing, nil, &registry, "opening")
        #expect(registry.version(of: pin) == 7)
        let other = try Database.open(path)
        #expect(try other.pins().map(\.version) == [7])
        for _ in 0..<20 { _ = try workload.commit(to: other) }
        let space = NodeSpace(mapping: state.mapping, fileEnd: Ref(state.logicalSize), writable: false)
        #expect(try TopArray(space, state.topRef, fileSize: state.logicalSize).version == 7)
        registry.unpin(pin)
        #expect(try other.pins().isEmpty)
        // No version is pinned once the file is open.
        #expect(try Database.open(path).holders.isEmpty)
    }

    @Test func versionsAreListedWithTheirHolders() throws {
        var (test, workload) = try populated()
        let other = try Database.open(test.path)
        let before = CurrentProcess.time
        let old = [try other.snapshot(label: "frozen"), try other.snapshot(label: "live")]
        _ = try workload.commit(to: test.database)
        let new = (0..<10).map { _ in try? test.database.snapshot(label: "view") }
        for database in [test.database, other] {
            let pins = try database.pins()
            #expect(pins.map(\.version) == [7, 8])
            #expect(pins.allSatisfy { $0.processIdentifier == Int(getpid()) })
            #expect(pins.allSatisfy { $0.since >= before && $0.since <= CurrentProcess.time })
            #expect(pins[1].label == "view")
            #expect((6...20).contains(pins[1].holders))
        }
        #expect(try other.pins()[0].label == "frozen, live")
        #expect(try other.pins()[0].holders == 2)
        #expect(try test.database.pins()[1].holders == 10)
        withExtendedLifetime((old, new)) {}
    }

    @Test func manyVersionsAreHeld() throws {
        var (test, workload) = try populated()
        let other = try Database.open(test.path)
        var held: [Snapshot] = []
        for _ in 0..<100 {
            held.append(try other.snapshot())
            _ = try workload.commit(to: test.database)
        }
        #expect(try test.database.pins().map(\.version) == Array(7..<107))
        for snapshot in held { try Workload.verify(snapshot) }
        held.removeAll { $0.version % 2 == 0 }
        #expect(try test.database.pins().count == 50)
        held = []
        #expect(try test.database.pins().isEmpty)
    }

    private static func runAlone<Result>(_ database: Database, _ body: () throws -> Result) throws -> Result? {
        try database.enterWriting()
        defer { database.leaveWriting() }
        return try database.runAlone(ownPins: 0, body)
    }

    @Test func exclusiveAccessNeedsASingleUser() throws {
        var (test, workload) = try populated()
        var other: Database? = try Database.open(test.path)
        #expect(try SharingTests.runAlone(test.database) { 1 } == nil)
        withExtendedLifetime(other) {}
        other = nil
        var snapshot: Snapshot? = try test.database.snapshot()
        #expect(try SharingTests.runAlone(test.database) { 1 } == nil)
        withExtendedLifetime(snapshot) {}
        snapshot = nil
        let database = test.database
        let (opened, read) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let ran = try SharingTests.runAlone(database) {
            Thread.detachNewThread {
                _ = try? Database.open(database.path)
                opened.signal()
            }
            Thread.detachNewThread {
                _ = try? database.snapshot()
                read.signal()
            }
            #expect(opened.wait(timeout: .now() + 0.05) == .timedOut)
            #expect(read.wait(timeout: .now() + 0.05) == .timedOut)
            return true
        }
        #expect(ran == true)
        opened.wait()
        read.wait()
        _ = try workload.commit(to: database)
    }

    /// A tool that joins a session pins its version although it opened the file read-only. Without a session it just
    /// reads.
    @Test func joiningReadOnly() throws {
        var (test, workload) = try populated()
        let path = test.path
        do {
            let tool = try Database.open(path, readOnly: true, joining: .existing)
            let snapshot = try tool.snapshot(label: "tool")
            for _ in 0..<20 { _ = try workload.commit(to: test.database) }
            try Workload.verify(snapshot)
            #expect(try test.database.pins().map(\.label) == ["tool"])
            #expect(tool.version == 27)
            #expect(throws: StorageError.self) { try tool.beginWrite() }
        }
        try test.close()
        let folder = try TemporaryFolder()
        let copy = folder.path + "/copy.realm"
        try FileManager.default.copyItem(atPath: path, toPath: copy)
        let alone = try Database.open(copy, readOnly: true, joining: .existing)
        try Workload.verify(try alone.snapshot())
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["copy.realm"])
    }

    /// A folder that rejects new files gives an error that names it.
    @Test func aManagementFolderThatCannotBeIsAnError() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/a.realm"
        try Images.write([1], to: path + ".management")
        let error = #expect(throws: StorageError.self) { try Database.open(path) }
        #expect(error?.description.contains("a.realm.management") == true)
    }

    @Test func aFileGrownByAnotherProcess() throws {
        let test = try TestDatabase()
        let other = try Database.open(test.path)
        #expect(try other.snapshot().tableKeys().isEmpty)
        let table = try test.write { try $0.schema.addTable("class_A") }
        let column = try test.write { try $0.schema.addColumn("data", .binary, to: table) }
        for _ in 0..<20 {
            try test.write { transaction in
                let object = try transaction.createObject(in: table)
                try transaction.set(.binary([UInt8](repeating: 9, count: 1 << 20)), column, of: object, in: table)
            }
        }
        #expect(try other.snapshot().table(table)?.count() == 20)
        try other.write { try $0.clear(table) }
        #expect(try test.database.snapshot().table(table)?.count() == 0)
    }
}

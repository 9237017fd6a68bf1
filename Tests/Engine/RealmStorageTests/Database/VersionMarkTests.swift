// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

@testable import RealmStorage
import RealmTestSupport
import Testing

/// Versions that are found again by their marks.
@Suite struct VersionMarkTests {
    private var workload = Workload(SeededGenerator(seed: 3), size: 20)

    /// A reader that was delayed may pin a version whose space was reused in the meantime. It removes the pin again.
    @Test mutating func anUnconfirmedPinIsNoProofThatItsVersionIsKept() throws {
        let test = try TestDatabase()
        _ = try workload.commit(to: test.database)
        let mark = try test.database.snapshot().mark
        for _ in 0..<10 { _ = try workload.commit(to: test.database) }
        let late = try ParticipantFile(in: try SharedAccess.folder(of: test.path))
        let slot = try late.add(PinSlot(mark.record, since: 0, holders: 1, label: "late", isConfirmed: false))
        #expect(try test.database.snapshot(mark, label: "mark") == nil)
        #expect(try test.database.pins().map(\.label).contains("late"))
        late.clear(slot)
    }

    /// The other process has pinned a version that this one committed.
    @Test(arguments: [false, true]) mutating func aVersionPinnedElsewhereIsFound(readOnly: Bool) throws {
        let test = try TestDatabase()
        _ = try workload.commit(to: test.database)
        let holder = try Database.open(test.path)
        for _ in 0..<2 { _ = try workload.commit(to: test.database) }
        let held = try holder.snapshot(label: "held")
        for _ in 0..<10 { _ = try workload.commit(to: test.database) }
        let finder = try Database.open(test.path, readOnly: readOnly, joining: .always)
        let found = try #require(try finder.snapshot(held.mark, label: "found"))
        #expect(found.version == held.version && found.record == held.record)
        try Workload.verify(found)
        for _ in 0..<10 { _ = try workload.commit(to: test.database) }
        try Workload.verify(found)
    }
}

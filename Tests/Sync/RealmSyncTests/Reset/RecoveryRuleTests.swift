// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmSync
import RealmSyncCore
import RealmTestSupport
import SyncTestSupport
import Testing

/// The rows of §7.4.
@Suite struct RecoveryRuleTests {
    private typealias State = ResetState

    private func made(_ own: [Instruction], server: [Instruction] = []) throws -> [Instruction] {
        let files = try ResetFiles(
            State.base, own: [Changeset(own)], server: server.isEmpty ? [] : [Changeset(server)])
        return try files.reset(.recover).flatMap(\.instructions)
    }

    private func fails(_ own: [Instruction], server: [Instruction] = []) throws -> ClientResetError? {
        let files = try ResetFiles(State.base, own: [Changeset(own)], server: [Changeset(server)])
        let (state, version) = (try files.local.state(), try files.local.database.snapshot().version)
        do {
            try files.reset(.recover)
            return nil
        } catch let error as ClientResetError {
            #expect(try files.local.state() == state)
            #expect(try files.local.database.snapshot().version == version)
            return error
        }
    }

    // MARK: Classes and properties

    @Test func addTableAndAddColumnAreAppliedAndSentAgain() throws {
        let own = [State.table("B"), State.column("b", .int, of: "B"), State.column("more", .int)]
        #expect(try made(own) == own)
        #expect(try made(own, server: own) == own)
    }

    @Test func incompatibleAddTableOrAddColumnFails() throws {
        #expect(
            try fails(
                [State.table("B")],
                server: [.addTable(TableDefinition("B", .embedded))])?.reason == .recovery)
        #expect(
            try fails([State.column("more", .int)], server: [State.column("more", .string)])?.reason == .recovery)
    }

    @Test func eraseTableAndEraseColumnFail() throws {
        #expect(try fails([.eraseColumn(ColumnReference("A", "n"))])?.reason == .recovery)
        let files = try ResetFiles(
            Changeset(State.base.instructions + [State.table("B")]), own: [Changeset([.eraseTable("B")])])
        #expect { try files.reset(.recover) } throws: { ($0 as? ClientResetError)?.reason == .recovery }
    }

    // MARK: Objects

    @Test func createObjectIsApplied() throws {
        let own = [Instruction.createObject(State.three), State.set("n", .int(3), of: State.three)]
        #expect(try made(own) == own)
        #expect(try made(own, server: [.createObject(State.three)]) == own)
    }

    @Test func eraseObjectIsAppliedIfTheObjectExists() throws {
        let own = [Instruction.eraseObject(State.two)]
        #expect(try made(own) == own)
        #expect(try made(own, server: own) == [])
    }

    // MARK: Values

    @Test func updatesOnMissingObjectsAndPathsAreDropped() throws {
        let erased = [Instruction.eraseObject(State.one)]
        #expect(
            try made(
                [
                    State.set("n", .int(9)), State.insert(.int(1), 0, of: 3),
                    .change(State.place("set"), .setInsert(.int(7))),
                ], server: erased) == [])
        #expect(try made([State.set("part", .int(2), .key("v"))], server: [State.set("part", .null)]) == [])
    }

    @Test func updatesInAMixedThatChangedTypeAreDropped() throws {
        let insert = Instruction.change(State.place("x", .index(0)), .insert(.int(7), priorSize: 1))
        #expect(try made([insert]) == [insert])
        #expect(try made([insert], server: [State.set("x", .int(5))]) == [])
        #expect(try made([insert], server: [State.set("x", .dictionary)]) == [])
    }

    @Test func updateWinsOverTheValueOfTheServer() throws {
        let own = [State.set("n", .int(9)), State.set("s", .string("a")), State.set("map", .int(9), .key("a"))]
        let server = [State.set("n", .int(8)), State.set("map", .int(8), .key("a"))]
        #expect(try made(own, server: server) == own)
    }

    @Test func linksToDeletedObjectsAreNullOrDropped() throws {
        let erased = [Instruction.eraseObject(State.two)]
        let link = SyncValue.link(State.two)
        #expect(
            try made([State.set("friend", link)], server: erased) == [State.set("friend", .null)])
        #expect(
            try made([State.set("named", link, .key("k"))], server: erased)
                == [State.set("named", .null, .key("k"))])
        #expect(try made([State.set("x", link)], server: erased) == [State.set("x", .null)])
        #expect(try made([State.insert(link, 0, of: 1, in: "friends")], server: erased) == [])
        #expect(try made([.change(State.place("chosen"), .setInsert(link))], server: erased) == [])
        #expect(try made([State.insert(link, 0, of: 0, in: "anys")], server: erased) == [])
        let known = State.insert(.int(1), 0, of: 0, in: "anys")
        let change = Instruction.change(State.place("anys", .index(0)), .updateElement(link, priorSize: 1))
        let null = Instruction.change(State.place("anys", .index(0)), .updateElement(.null, priorSize: 1))
        #expect(try made([known, change], server: erased) == [known, null])
        let friend = State.insert(.link(State.one), 1, of: 1, in: "friends")
        let other = Instruction.change(State.place("friends", .index(1)), .updateElement(link, priorSize: 2))
        #expect(try made([friend, other], server: erased) == [friend])
    }

    @Test func dictionaryEraseOfAnAbsentKeyIsDropped() throws {
        let own = [State.set("map", .erased, .key("a"))]
        #expect(try made(own) == own)
        #expect(try made(own, server: own) == [])
    }

    @Test func addIntegerIsAppliedIfTheFieldHoldsAnInt() throws {
        let add = Instruction.change(State.place("n"), .addInteger(2))
        #expect(try made([add], server: [State.set("n", .int(5))]) == [add])
        let count = Instruction.change(State.place("count"), .addInteger(2))
        #expect(try made([State.set("count", .int(1)), count]) == [State.set("count", .int(1)), count])
        let files = try ResetFiles(
            Changeset(State.base.instructions + [State.set("count", .int(1))]), own: [Changeset([count])],
            server: [Changeset([State.set("count", .null)])])
        #expect(try files.reset(.recover) == [])
    }

    // MARK: Collections

    @Test func clearIsAppliedAndResetsTheList() throws {
        let clear = Instruction.change(State.place("li"), .clear(.list))
        let own = [
            clear, State.insert(.int(7), 0, of: 0), State.insert(.int(8), 1, of: 1),
            .change(State.place("li", .index(0)), .updateElement(.int(9), priorSize: 2)),
        ]
        #expect(try made(own, server: [State.insert(.int(5), 0, of: 3)]) == own)
        // A list that would otherwise be copied isn't copied any more.
        let change = Instruction.change(State.place("li", .index(0)), .updateElement(.int(4), priorSize: 3))
        #expect(try made([change] + own, server: [State.insert(.int(5), 0, of: 3)]) == own)
        let others = [
            Instruction.change(State.place("map"), .clear(.dictionary)),
            .change(State.place("set"), .clear(.set)),
        ]
        #expect(try made(others) == others)
    }

    @Test func setInsertAndSetEraseAreApplied() throws {
        let own = [
            Instruction.change(State.place("set"), .setInsert(.int(2))),
            .change(State.place("set"), .setErase(.int(1))),
        ]
        #expect(try made(own, server: [.change(State.place("set"), .setErase(.int(1)))]) == own)
    }

    @Test func arrayInsertIsClampedToTheSize() throws {
        let erased = (0..<3).map { number in
            Instruction.change(State.place("li", .index(0)), .erase(priorSize: 3 - number))
        }
        #expect(try made([State.insert(.int(9), 2, of: 3)], server: erased) == [State.insert(.int(9), 0, of: 0)])
        #expect(
            try made([State.insert(.int(9), 2, of: 3)], server: [State.insert(.int(7), 0, of: 3)])
                == [State.insert(.int(9), 2, of: 4)])
    }

    @Test func knownElementsAreChangedInPlace() throws {
        let own = [
            State.insert(.int(10), 3, of: 3), State.insert(.int(11), 3, of: 4), State.insert(.int(12), 4, of: 5),
            .change(State.place("li", .index(4)), .updateElement(.int(13), priorSize: 6)),
            .change(State.place("li", .index(3)), .move(to: 5, priorSize: 6)),
            .change(State.place("li", .index(4)), .erase(priorSize: 6)),
        ]
        let erased = Instruction.change(State.place("li", .index(0)), .erase(priorSize: 3))
        // Index 3 is after the two remaining elements, from which the others are counted.
        #expect(
            try made(own, server: [erased]) == [
                State.insert(.int(10), 2, of: 2), State.insert(.int(11), 3, of: 3), State.insert(.int(12), 4, of: 4),
                .change(State.place("li", .index(4)), .updateElement(.int(13), priorSize: 5)),
                .change(State.place("li", .index(3)), .move(to: 2, priorSize: 5)),
                .change(State.place("li", .index(3)), .erase(priorSize: 5)),
            ])
    }

    @Test func otherElementsCopyTheWholeList() throws {
        for change in [Change.updateElement(.int(9), priorSize: 3), .move(to: 0, priorSize: 3), .erase(priorSize: 3)] {
            let own = [Instruction.change(State.place("li", .index(1)), change)]
            let files = try ResetFiles(
                State.base, own: [Changeset(own)], server: [Changeset([State.insert(.int(5), 0, of: 3)])])
            let list = try files.local.state().content(at: State.place("li"))
            try files.reset(.recover)
            #expect(try files.local.state().content(at: State.place("li")) == list)
        }
    }

    @Test func aMoveNeedsBothEnds() throws {
        let own = [
            State.insert(.int(9), 3, of: 3),
            Instruction.change(State.place("li", .index(3)), .move(to: 0, priorSize: 4)),
        ]
        let files = try ResetFiles(
            State.base, own: [Changeset(own)], server: [Changeset([State.insert(.int(5), 0, of: 3)])])
        let list = try files.local.state().content(at: State.place("li"))
        try files.reset(.recover)
        #expect(try files.local.state().content(at: State.place("li")) == list)
    }

    @Test func aPathThroughAnotherElementCopiesTheWholeList() throws {
        let own = [
            State.set("parts", .int(5), .index(1), .key("v")),
            .change(State.place("parts", .index(1), .key("w"), .index(0)), .insert(.int(6), priorSize: 0)),
        ]
        let server = [State.insert(.object, 0, of: 2, in: "parts"), State.set("parts", .int(8), .index(0), .key("v"))]
        let files = try ResetFiles(State.base, own: [Changeset(own)], server: [Changeset(server)])
        let list = try files.local.state().content(at: State.place("parts"))
        try files.reset(.recover)
        #expect(try files.local.state().content(at: State.place("parts")) == list)
    }

    @Test func aPathThroughAKnownElementLeadsToIt() throws {
        let own = [
            State.insert(.object, 2, of: 2, in: "parts"), State.set("parts", .int(5), .index(2), .key("v")),
            .change(State.place("parts", .index(2), .key("w"), .index(0)), .insert(.int(6), priorSize: 0)),
        ]
        let server = [Instruction.change(State.place("parts", .index(0)), .erase(priorSize: 2))]
        #expect(
            try made(own, server: server) == [
                State.insert(.object, 1, of: 1, in: "parts"), State.set("parts", .int(5), .index(1), .key("v")),
                .change(State.place("parts", .index(1), .key("w"), .index(0)), .insert(.int(6), priorSize: 0)),
            ])
    }

    /// A copied list omits links to objects deleted on the server. It isn't part of the copies around it.
    @Test func aCopiedListHasNoDeadLinks() throws {
        let own = [
            State.insert(.link(State.one), 0, of: 1, in: "friends"),
            .change(State.place("friends", .index(1)), .move(to: 0, priorSize: 2)),
        ]
        let files = try ResetFiles(
            State.base, own: [Changeset(own)], server: [Changeset([.eraseObject(State.two)])])
        try files.reset(.recover)
        #expect(
            try files.local.state().content(at: State.place("friends")) == .list([.value(.link(State.one))]))
    }
}

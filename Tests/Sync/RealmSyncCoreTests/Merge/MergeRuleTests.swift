// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSyncCore
import RealmTestSupport
import SyncTestSupport
import Testing

/// Two clients change one object, and a server merges the changes in either order. All three end in the same state.
@Suite struct MergeRuleTests {
    private static let object = ObjectReference("A", .int(1))

    private static func place(_ column: Text, _ path: PathElement...) -> Place { Place(object, column, Path(path)) }

    private static func insert(_ text: Text, _ index: Int, of size: Int) -> Instruction {
        .change(place("l", .index(index)), .insert(.string(text), priorSize: size))
    }

    private static func set(_ index: Int, _ text: Text, of size: Int) -> Instruction {
        .change(place("l", .index(index)), .updateElement(.string(text), priorSize: size))
    }

    private static func move(_ index: Int, _ target: Int, of size: Int) -> Instruction {
        .change(place("l", .index(index)), .move(to: target, priorSize: size))
    }

    private static func erase(_ index: Int, of size: Int) -> Instruction {
        .change(place("l", .index(index)), .erase(priorSize: size))
    }

    /// An object with the list "abcde", the number 10, and a Mixed with the lists [1] and [2] in a list.
    private static let base: Changeset = {
        let key = PrimaryKeyColumn("_id", .int, isNullable: false)
        let columns = [
            ColumnDefinition(ColumnReference("A", "l"), .string, isNullable: false, .list),
            ColumnDefinition(ColumnReference("A", "n"), .int, isNullable: false, .single),
            ColumnDefinition(ColumnReference("A", "x"), .null, isNullable: true, .single),
        ]
        var instructions: [Instruction] = [.addTable(TableDefinition("A", .topLevel(key)))]
        instructions += columns.map { .addColumn($0) } + [.createObject(object)]
        for (index, letter) in ["a", "b", "c", "d", "e"].enumerated() {
            instructions.append(insert(Text(letter), index, of: index))
        }
        instructions.append(.change(place("n"), .update(.int(10), isDefault: false)))
        instructions.append(.change(place("x"), .update(.list, isDefault: false)))
        for index in 0...1 {
            instructions.append(.change(place("x", .index(index)), .insert(.list, priorSize: index)))
            let number = SyncValue.int(Int64(index + 1))
            instructions.append(.change(place("x", .index(index), .index(0)), .insert(number, priorSize: 0)))
        }
        return Changeset(instructions)
    }()

    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        let earlier: [Instruction]
        let later: [Instruction]
        let result: String?

        var testDescription: String { name }
    }

    private static let rest = #""n":{"int":10},"x":{"list":[{"list":[{"int":1}]},{"list":[{"int":2}]}]}}"#

    private static func list(_ letters: String) -> String {
        let elements = letters.map { "{\"string\":\"\($0)\"}" }.joined(separator: ",")
        return "{\"_id\":{\"int\":1},\"l\":[\(elements)],"
    }

    static let cases = [
        Case(
            name: "a move, an insertion and an assignment", earlier: [move(0, 3, of: 5)],
            later: [insert("X", 1, of: 5), set(0, "A", of: 6)], result: list("XbcdAe") + rest),
        Case(
            name: "two insertions at one place", earlier: [insert("P", 2, of: 5)], later: [insert("Q", 2, of: 5)],
            result: list("abPQcde") + rest),
        Case(
            name: "two moves of one element", earlier: [move(0, 4, of: 5)], later: [move(0, 2, of: 5)],
            result: list("bcade") + rest),
        Case(
            name: "several of each", earlier: [insert("M", 1, of: 5), move(0, 4, of: 6), erase(2, of: 6)],
            later: [insert("N", 0, of: 5), move(4, 1, of: 6), set(3, "Z", of: 6)], result: list("NdMZae") + rest),
        Case(
            name: "a number is added to before it is set", earlier: [.change(place("n"), .addInteger(5))],
            later: [.change(place("n"), .update(.int(100), isDefault: false))],
            result: list("abcde") + rest.replacing("\"n\":{\"int\":10}", with: "\"n\":{\"int\":100}")),
        Case(
            name: "a number is added to after it is set",
            earlier: [.change(place("n"), .update(.int(100), isDefault: false))],
            later: [.change(place("n"), .addInteger(5))],
            result: list("abcde") + rest.replacing("\"n\":{\"int\":10}", with: "\"n\":{\"int\":105}")),
        Case(
            name: "an object is erased and changed", earlier: [.eraseObject(object)],
            later: [.change(place("n"), .addInteger(5))], result: nil),
        Case(
            name: "a list in a list is moved and changed",
            earlier: [.change(place("x", .index(0)), .move(to: 1, priorSize: 2))],
            later: [.change(place("x", .index(0), .index(0)), .updateElement(.int(7), priorSize: 1))],
            result: list("abcde") + #""n":{"int":10},"x":{"list":[{"list":[{"int":2}]},{"list":[{"int":7}]}]}}"#),
        Case(
            name: "a list in a list is cleared behind an insertion",
            earlier: [.change(place("x", .index(0)), .insert(.int(0), priorSize: 2))],
            later: [.change(place("x", .index(1)), .clear(.list))],
            result: list("abcde") + #""n":{"int":10},"x":{"list":[{"int":0},{"list":[{"int":1}]},{"list":[]}]}}"#),
        Case(
            name: "a property is erased and added to", earlier: [.eraseColumn(ColumnReference("A", "n"))],
            later: [.change(place("n"), .addInteger(5))],
            result: list("abcde") + rest.replacing("\"n\":{\"int\":10},", with: "")),
    ]

    @Test(arguments: cases, [false, true]) func allEndsAgree(_ example: Case, _ isLaterFirst: Bool) throws {
        var state = SyncModel()
        try state.apply(Self.base)
        var server = ServerHistory()
        var serverState = state
        var clients: [(history: ClientHistory, state: SyncModel)] = []
        for (ident, instructions) in [(UInt64(2), example.earlier), (3, example.later)] {
            var client = (history: ClientHistory(ident: ident), state: state)
            server.addFile(ident)
            for instruction in instructions {
                client.history.commit(Changeset([instruction]), timestamp: ident * 100)
                try client.state.apply(Changeset([instruction]))
            }
            clients.append(client)
        }
        for index in isLaterFirst ? [1, 0] : [0, 1] {
            for change in clients[index].history.uploads {
                let version = try #require(try server.integrate(change, from: clients[index].history.ident))
                try serverState.apply(version.changeset)
            }
        }
        for index in clients.indices {
            let downloads = server.downloads(for: clients[index].history.ident, after: 0)
            for changeset in try clients[index].history.integrate(downloads) {
                try clients[index].state.apply(changeset)
            }
        }
        let expected = "{\"A\":[\(example.result ?? "")]}"
        for state in [serverState] + clients.map(\.state) { #expect(state.objects.description == expected) }
    }

    @Test func contradictoryInstructionsAreRejected() throws {
        let order = (ChangeOrder(timestamp: 1, fileIdent: 2), ChangeOrder(timestamp: 1, fileIdent: 3))
        for (a, b) in [
            (Self.erase(0, of: 5), Self.erase(0, of: 6)), (Self.erase(5, of: 5), Self.erase(0, of: 5)),
            (Self.move(1, 1, of: 5), Self.insert("x", 0, of: 5)), (Self.insert("x", 6, of: 5), Self.erase(0, of: 5)),
        ] {
            var incoming = [MergeInput(Changeset([a]), order.0)]
            var local = [MergeInput(Changeset([b]), order.1)]
            #expect(throws: MergeError.self) { try Merger.merge(incoming: &incoming, local: &local) }
        }
    }
}

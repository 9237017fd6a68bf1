// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmTestSupport
import RealmTools
import Testing

@testable import RealmStudio

/// The undo of the editor, without a page.
@Suite struct UndoTests {
    private let kennel: Kennel
    private let file: FollowedFile
    private let editor: FileEditor

    init() throws {
        kennel = try Kennel()
        file = try FollowedFile(kennel.path, cipher: nil, canWrite: true, label: "realm studio")
        editor = FileEditor(file: file, undoStack: UndoStack())
    }

    private func set(_ name: String, _ json: String) throws {
        let table = try file.table(named: "Dog")
        let key = try #require(try table.object(primaryKey: .int(1)))
        try editor.set([(name, try ForeignValue(parsing: json))], of: key, in: table.key)
    }

    private func dog() throws -> String {
        _ = try file.advance()
        let table = try file.table(named: "Dog")
        let key = try #require(try table.object(primaryKey: .int(1)))
        return try ObjectDetail.json(of: [key], table, in: file)
    }

    /// A restored embedded object is another one, which isn't a change by another program.
    @Test(arguments: [
        ["home": [#"{"street":"Elm"}"#, #"{"street":"Oak","number":3}"#, "null", #"{"street":"Ash"}"#]],
        ["toys": [#"["ball"]"#, #"["bone","ball"]"#, "[]"], "notes": [#"{"a":"b"}"#, #"{"a":"c","d":"e"}"#]],
        ["anything": [#"[1,{"a":[2]}]"#, #"{"b":[1]}"#, "3"], "marks": ["[3,4]", "[4]"], "friends": ["[3]", "[]"]],
    ])
    func stepsAreUndoneAndRedoneInTurn(_ edits: [String: [String]]) throws {
        var states = [try dog()]
        for (name, values) in edits.sorted(by: { $0.key < $1.key }) {
            for value in values {
                try set(name, value)
                states.append(try dog())
            }
        }
        for _ in 0..<2 {
            for state in states.dropLast().reversed() {
                _ = try editor.undo()
                #expect(try dog() == state)
            }
            for state in states.dropFirst() {
                _ = try editor.redo()
                #expect(try dog() == state)
            }
        }
        try FileAudit.requireClean(path: kennel.path)
    }

    @Test func aConflictNamesTheObjectAndTheProperty() throws {
        try set("age", "5")
        try OtherProgram(kennel.path, "UPDATE Dog WHERE id == 1 SET {\"age\": 6}").finish()
        let error = #expect(throws: StudioError.self) { try editor.undo() }
        #expect(
            error?.description
                == "another program has changed the same object since; nothing was done: Dog 1 · Rex.age")
        #expect(try kennel.dog("age") == .int(6))
        #expect(editor.undoStack.canUndo == "edit" && editor.undoStack.canRedo == nil)
    }
}

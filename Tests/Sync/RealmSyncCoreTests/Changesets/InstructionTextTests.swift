// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSyncCore
import Testing

/// The readable form of a changeset.
@Suite struct InstructionTextTests {
    private let dog = ObjectReference("Dog", .int(7))

    @Test func eachInstructionIsALine() {
        let key = PrimaryKeyColumn("_id", .int, isNullable: false)
        let tags = ColumnDefinition(ColumnReference("Dog", "tags"), .string, isNullable: true, .list)
        let owner = ColumnDefinition(
            ColumnReference("Dog", "owner"), .link, isNullable: true, .single, target: "Person")
        let changeset = Changeset([
            .addTable(TableDefinition("Dog", .topLevel(key))), .addColumn(tags), .addColumn(owner),
            .createObject(dog),
            .change(Place(dog, "name"), .update(.string("Rex"), isDefault: false)),
            .change(Place(dog, "age"), .update(.int(0), isDefault: true)),
            .change(Place(dog, "age"), .addInteger(2)),
            .change(Place(dog, "owner"), .update(.link(ObjectReference("Person", .string("a"))), isDefault: false)),
            .change(Place(dog, "tags", .one(.index(1))), .insert(.string("x"), priorSize: 3)),
            .change(Place(dog, "any", Path([.key("k"), .index(0)])), .move(to: 2, priorSize: 3)),
            .change(Place(dog, "tags"), .clear(.list)), .eraseObject(dog),
        ])
        #expect(
            changeset.description == """
                AddTable Dog (primary key _id: int)
                AddColumn Dog.tags: list of string?
                AddColumn Dog.owner: link to Person?
                CreateObject Dog[7]
                Update Dog[7].name = "Rex"
                Update Dog[7].age = 0 (default)
                AddInteger Dog[7].age +2
                Update Dog[7].owner = →Person["a"]
                ArrayInsert Dog[7].tags[1] of 3 = "x"
                ArrayMove Dog[7].any["k"][0] of 3 to 2
                Clear Dog[7].tags (list)
                EraseObject Dog[7]
                """)
    }
}

// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSyncCore
import SyncTestSupport

enum ResetState {
    static let one = ObjectReference("A", .int(1))
    static let two = ObjectReference("A", .int(2))
    static let three = ObjectReference("A", .int(3))

    static func place(_ column: Text, _ elements: PathElement..., of object: ObjectReference = one) -> Place {
        Place(object, column, Path(elements))
    }

    static func set(
        _ column: Text, _ value: SyncValue, _ elements: PathElement..., of object: ObjectReference = one
    ) -> Instruction {
        .change(Place(object, column, Path(elements)), .update(value, isDefault: false))
    }

    static func insert(_ value: SyncValue, _ index: Int, of size: Int, in column: Text = "li") -> Instruction {
        .change(place(column, .index(index)), .insert(value, priorSize: size))
    }

    static func column(
        _ name: Text, _ type: ValueType, _ collection: CollectionKind = .single, isNullable: Bool = false,
        target: Text? = nil, of table: Text = "A"
    ) -> Instruction {
        .column(name, of: table, type, collection, isNullable: isNullable, target: target)
    }

    static func table(_ name: Text) -> Instruction {
        .addTable(TableDefinition(name, .topLevel(PrimaryKeyColumn("_id", .int, isNullable: false))))
    }

    /// Object 1 has the list 1, 2, 3, the keys "a" and "b", a nested list, an embedded object, and two more in a list.
    static let base = Changeset([
        table("A"), .addTable(TableDefinition("Part", .embedded)),
        column("v", .int, of: "Part"), column("w", .int, .list, of: "Part"),
        column("n", .int), column("count", .int, isNullable: true), column("s", .string, isNullable: true),
        column("x", .null, isNullable: true), column("li", .int, .list), column("set", .int, .set),
        column("map", .null, .dictionary, isNullable: true),
        column("friend", .link, isNullable: true, target: "A"), column("friends", .link, .list, target: "A"),
        column("chosen", .link, .set, target: "A"), column("named", .link, .dictionary, isNullable: true, target: "A"),
        column("anys", .null, .list, isNullable: true),
        column("part", .link, isNullable: true, target: "Part"), column("parts", .link, .list, target: "Part"),
        .createObject(one), .createObject(two),
        insert(.int(1), 0, of: 0), insert(.int(2), 1, of: 1), insert(.int(3), 2, of: 2),
        set("map", .int(1), .key("a")), set("map", .int(2), .key("b")),
        .change(place("set"), .setInsert(.int(1))),
        set("x", .list), .change(place("x", .index(0)), .insert(.int(1), priorSize: 0)),
        set("part", .object), set("part", .int(1), .key("v")),
        insert(.object, 0, of: 0, in: "parts"), insert(.object, 1, of: 1, in: "parts"),
        set("friend", .link(two)), insert(.link(two), 0, of: 0, in: "friends"),
    ])
}

// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSyncCore
import RealmTestSupport

/// Random changes of a client that are valid in its state. Each creates a unique mark and adds 1 to a common counter,
/// which shows whether it arrived exactly once.
///
/// It avoids the two faults of the merge that only a writer can avoid (DESIGN), and never makes a Mixed a collection in
/// one file and a plain value in another.
package struct SimulatedEditor {
    package static let item: Text = "Item"
    package static let part: Text = "Part"
    package static let mark: Text = "Mark"
    package static let counter: Text = "Counter"
    package static let total = Place(ObjectReference(counter, .int(0)), "n")

    package var model: SyncModel
    private(set) var instructions: [Instruction] = []

    package init(_ model: SyncModel) { self.model = model }

    package var changeset: Changeset { Changeset(instructions) }

    private mutating func add(_ instruction: Instruction) throws {
        try model.apply(Changeset([instruction]))
        instructions.append(instruction)
    }

    // MARK: Schema

    /// The schema and the counter.
    package static let start = Changeset(schema.instructions + [.createObject(total.object)])

    package static let schema: Changeset = {
        func key(_ table: Text) -> Instruction {
            .addTable(TableDefinition(table, .topLevel(PrimaryKeyColumn("_id", .int, isNullable: false))))
        }
        func column(
            _ table: Text, _ name: Text, _ type: ValueType, _ collection: CollectionKind = .single,
            isNullable: Bool = false, target: Text? = nil
        ) -> Instruction {
            .column(name, of: table, type, collection, isNullable: isNullable, target: target)
        }
        return Changeset([
            key(item), key(mark), key(counter), .addTable(TableDefinition(part, .embedded)),
            column(counter, "n", .int), column(part, "v", .int), column(part, "w", .int, .list),
            column(item, "n", .int), column(item, "s", .string, isNullable: true),
            column(item, "x", .null, isNullable: true), column(item, "tags", .string, .list),
            column(item, "numbers", .int, .set), column(item, "map", .null, .dictionary, isNullable: true),
            column(item, "nested", .null, isNullable: true),
            column(item, "part", .link, isNullable: true, target: part),
            column(item, "parts", .link, .list, target: part),
            column(item, "friend", .link, isNullable: true, target: item),
            column(item, "friends", .link, .list, target: item),
        ])
    }()

    /// The properties of an item except for its key.
    package static let itemFields: [Text] = schema.instructions.compactMap { instruction in
        guard case .addColumn(let column) = instruction, column.column.table == item else { return nil }
        return column.column.name
    }

    static func mark(_ number: UInt64) -> ObjectReference { ObjectReference(mark, .int(Int64(number))) }

    package static func mark(of changeset: Changeset) -> UInt64? {
        for case .createObject(let object) in changeset.instructions where object.table == mark {
            if case .int(let number) = object.key { return UInt64(number) }
        }
        return nil
    }

    // MARK: Edits

    package mutating func edit(mark number: UInt64, _ generator: inout SeededGenerator) throws {
        try add(.createObject(SimulatedEditor.mark(number)))
        try add(.change(SimulatedEditor.total, .addInteger(1)))
        try editItems(&generator)
    }

    package mutating func editItems(_ generator: inout SeededGenerator) throws {
        for _ in 0...generator.below(4) { try editObject(&generator) }
    }

    private mutating func editObject(_ generator: inout SeededGenerator) throws {
        let keys = (model.tables[Self.item]?.objects ?? [:]).keys.compactMap { key -> Int64? in
            if case .int(let number) = key { number } else { nil }
        }
        if keys.isEmpty || generator.chance(12) {
            // Few keys, so that clients create the same ones.
            let object = ObjectReference(Self.item, .int(Int64(generator.below(40))))
            try add(.createObject(object))
            try add(.change(Place(object, "n"), .update(.int(7), isDefault: true)))
            return
        }
        let object = ObjectReference(Self.item, .int(generator.pick(keys.sorted())))
        switch generator.below(15) {
        case 0: try add(.eraseObject(object))
        case 1: try add(.change(Place(object, "n"), .addInteger(Int64(generator.below(20)) - 5)))
        case 2: try add(.change(Place(object, "n"), .update(.int(Self.number(&generator)), isDefault: false)))
        case 3: try add(.change(Place(object, "s"), .update(text(&generator), isDefault: false)))
        case 4: try add(.change(Place(object, "x"), .update(Self.plain(&generator), isDefault: false)))
        case 5, 6: try editList(Place(object, "tags"), &generator) { .string(Self.word(&$0)) }
        case 7: try editSet(Place(object, "numbers"), &generator)
        case 8: try editKey(Place(object, "map"), &generator)
        case 9: try editNested(object, &generator)
        case 10: try editPart(Place(object, "part"), &generator)
        case 11, 12: try editParts(Place(object, "parts"), &generator)
        case 13:
            let value = generator.chance(25) ? SyncValue.null : Self.link(&generator)
            try add(.change(Place(object, "friend"), .update(value, isDefault: false)))
        default:
            let links = (0..<40).map { SyncValue.link(ObjectReference(Self.item, .int(Int64($0)))) }
            try editList(Place(object, "friends"), &generator) { $0.pick(links) }
        }
    }

    private mutating func editList(
        _ place: Place, _ generator: inout SeededGenerator, _ value: (inout SeededGenerator) -> SyncValue
    ) throws {
        guard case .list(let elements)? = model.content(at: place) else { return }
        let size = elements.count
        let kind = size > 12 ? 3 : generator.below(6)
        if size == 0 || kind < 3 {
            let index = generator.below(size + 1)
            return try add(.change(inside(place, index), .insert(value(&generator), priorSize: size)))
        }
        let index = generator.below(size)
        switch kind {
        case 3: try add(.change(inside(place, index), .erase(priorSize: size)))
        case 4 where size > 1:
            let target = (index + 1 + generator.below(size - 1)) % size
            try add(.change(inside(place, index), .move(to: target, priorSize: size)))
        case 5 where generator.chance(15): try add(.change(place, .clear(.list)))
        default:
            let value = value(&generator)
            if value != .object { try add(.change(inside(place, index), .updateElement(value, priorSize: size))) }
        }
    }

    private func inside(_ place: Place, _ index: Int) -> Place {
        Place(place.object, place.column, Path(place.path.elements + [.index(index)]))
    }

    private func inside(_ place: Place, _ key: Text) -> Place {
        Place(place.object, place.column, Path(place.path.elements + [.key(key)]))
    }

    private mutating func editSet(_ place: Place, _ generator: inout SeededGenerator) throws {
        let value = SyncValue.int(Self.number(&generator) % 8)
        switch generator.below(10) {
        case 0: try add(.change(place, .clear(.set)))
        case 1..<6: try add(.change(place, .setInsert(value)))
        default: try add(.change(place, .setErase(value)))
        }
    }

    private mutating func editKey(_ place: Place, _ generator: inout SeededGenerator) throws {
        if generator.chance(5) { return try add(.change(place, .clear(.dictionary))) }
        let value = generator.chance(25) ? SyncValue.erased : Self.plain(&generator)
        try add(.change(inside(place, Self.word(&generator)), .update(value, isDefault: false)))
    }

    private mutating func editNested(_ object: ObjectReference, _ generator: inout SeededGenerator) throws {
        let place = Place(object, "nested")
        guard case .dictionary? = model.content(at: place) else {
            return try add(.change(place, .update(.dictionary, isDefault: false)))
        }
        let value = generator.chance(25) ? SyncValue.erased : Self.plain(&generator)
        try add(.change(inside(place, Self.word(&generator)), .update(value, isDefault: false)))
    }

    private mutating func editPart(_ place: Place, _ generator: inout SeededGenerator) throws {
        switch model.content(at: place) {
        case .object?:
            if generator.chance(15) { return try add(.change(place, .update(.null, isDefault: false))) }
            try editInside(place, &generator)
        default: try add(.change(place, .update(.object, isDefault: false)))
        }
    }

    private mutating func editParts(_ place: Place, _ generator: inout SeededGenerator) throws {
        guard case .list(let elements)? = model.content(at: place) else { return }
        if elements.isEmpty || generator.chance(50) {
            return try editList(place, &generator) { _ in .object }
        }
        try editInside(inside(place, generator.below(elements.count)), &generator)
    }

    private mutating func editInside(_ place: Place, _ generator: inout SeededGenerator) throws {
        if generator.chance(50) {
            let change =
                generator.chance(50)
                ? Change.addInteger(1) : .update(.int(Self.number(&generator)), isDefault: false)
            return try add(.change(inside(place, "v"), change))
        }
        try editList(inside(place, "w"), &generator) { .int(Int64($0.below(100))) }
    }

    // MARK: Values

    package static func word(_ generator: inout SeededGenerator) -> Text {
        generator.pick(["a", "b", "c", "d", "é", "long enough to be no short one"])
    }

    private static func number(_ generator: inout SeededGenerator) -> Int64 { Int64(generator.below(1000)) }

    private func text(_ generator: inout SeededGenerator) -> SyncValue {
        generator.chance(20) ? .null : .string(Self.word(&generator))
    }

    package static func link(_ generator: inout SeededGenerator) -> SyncValue {
        .link(ObjectReference(Self.item, .int(Int64(generator.below(40)))))
    }

    package static func plain(_ generator: inout SeededGenerator) -> SyncValue {
        switch generator.below(7) {
        case 0: .null
        case 1: .bool(generator.chance(50))
        case 2: .double(Double(generator.below(100)) / 8)
        case 3: .binary([UInt8(generator.below(256))])
        case 4: .string(Self.word(&generator))
        case 5: Self.link(&generator)
        default: .int(Self.number(&generator))
        }
    }
}

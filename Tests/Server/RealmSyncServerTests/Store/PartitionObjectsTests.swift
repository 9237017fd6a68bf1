// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import RealmSyncCore
    import RealmTestSupport
    import SyncTestSupport
    import Testing

    @testable import RealmSyncServer

    /// The state compared with the model of the simulation.
    @Suite struct PartitionObjectsTests {
        private static let mixed = ColumnReference("A", "x")
        private static let schema = Changeset([
            .addTable(TableDefinition("A", .topLevel(PrimaryKeyColumn("_id", .int, isNullable: false)))),
            .addTable(TableDefinition("E", .embedded)),
            .column("n", of: "A", .int),
            .column("o", of: "A", .int, isNullable: true),
            .addColumn(ColumnDefinition(mixed, .null, isNullable: true, .single)),
            .column("l", of: "A", .null, .list, isNullable: true),
            .column("s", of: "A", .string, .set),
            .column("d", of: "A", .int, .dictionary, isNullable: true),
            .column("a", of: "A", .link, .list, isNullable: true, target: "A"),
            .column("e", of: "A", .link, isNullable: true, target: "E"),
            .column("es", of: "A", .link, .list, isNullable: true, target: "E"),
            .column("n", of: "E", .int, isNullable: true),
            .column("l", of: "E", .int, .list),
        ])

        private static func object(_ key: Int64) -> ObjectReference { ObjectReference("A", .int(key)) }

        private static func at(_ column: Text, _ path: PathElement..., of key: Int64 = 1) -> Place {
            Place(object(key), column, Path(path))
        }

        private static let all: [Instruction] = [
            .createObject(object(1)), .createObject(object(2)),
            .change(at("n"), .update(.int(5), isDefault: false)), .change(at("n"), .addInteger(.max)),
            .change(at("o"), .addInteger(3)), .change(at("o"), .update(.int(7), isDefault: true)),
            .change(at("x"), .update(.dictionary, isDefault: false)),
            .change(at("x", .key("k")), .update(.list, isDefault: false)),
            .change(at("x", .key("k"), .index(0)), .insert(.string("in"), priorSize: 0)),
            .change(at("x", .key("k"), .index(1)), .insert(.dictionary, priorSize: 1)),
            .change(at("x", .key("k"), .index(1), .key("z")), .update(.link(object(9)), isDefault: false)),
            .change(at("l", .index(0)), .insert(.list, priorSize: 0)),
            .change(at("l", .index(0), .index(0)), .insert(.null, priorSize: 0)),
            .change(at("l", .index(1)), .insert(.int(2), priorSize: 1)),
            .change(at("l", .index(1)), .move(to: 0, priorSize: 2)),
            .change(at("s"), .setInsert(.string("a"))), .change(at("s"), .setInsert(.string("b"))),
            .change(at("s"), .setErase(.string("a"))),
            .change(at("d", .key("p")), .update(.int(1), isDefault: false)),
            .change(at("d", .key("q")), .update(.null, isDefault: false)),
            .change(at("d", .key("p")), .update(.erased, isDefault: false)),
            .change(at("a", .index(0)), .insert(.link(object(2)), priorSize: 0)),
            .change(at("a", .index(1)), .insert(.link(object(77)), priorSize: 1)),
            .change(at("e"), .update(.object, isDefault: false)),
            .change(at("e", .key("n")), .update(.int(4), isDefault: false)),
            .change(at("e", .key("l"), .index(0)), .insert(.int(8), priorSize: 0)),
            .change(at("es", .index(0)), .insert(.object, priorSize: 0)),
            .change(at("es", .index(0), .key("n")), .update(.int(3), isDefault: false)),
            .eraseObject(object(2)),
        ]

        @Test func itMatchesTheModel() throws {
            var (state, model) = (PartitionObjects(), SyncModel())
            for instruction in Self.schema.instructions + Self.all {
                try state.apply(Changeset([instruction]))
                try model.apply(Changeset([instruction]))
                #expect(try Self.model(state) == model, "\(instruction)")
            }
            for most in [1, 3, 1000] {
                let parts = try state.changesets(partSize: 20, maxParts: most)
                #expect(parts.count <= most)
                let encoded = try state.encodedChangesets(partSize: 20, maxParts: most)
                #expect(encoded == parts.map { $0.encoded() })
                var again = SyncModel()
                for part in parts { try again.apply(try Changeset(decoding: part.encoded())) }
                #expect(again == model)
            }
            let erased = Changeset([.eraseColumn(ColumnReference("E", "n")), .eraseColumn(ColumnReference("A", "d"))])
            try state.apply(erased)
            try model.apply(erased)
            #expect(try Self.model(state) == model)
        }

        private static func model(_ state: PartitionObjects) throws -> SyncModel {
            var model = SyncModel()
            for changeset in try state.changesets(partSize: .max, maxParts: .max) { try model.apply(changeset) }
            return model
        }

        /// The state and the model accept the same random changes.
        @Test func randomChangesLeadToTheSame() throws {
            var generator = SeededGenerator(seed: 4)
            var (state, model) = (PartitionObjects(), SyncModel())
            try state.apply(Self.schema)
            try model.apply(Self.schema)
            var (taken, refused) = (0, 0)
            for _ in 0..<4000 {
                let changeset = Changeset(
                    (0...Int.random(in: 0...2, using: &generator)).map { _ in
                        Self.random(&generator)
                    })
                var next = model
                let isTaken = (try? next.apply(changeset)) != nil
                do {
                    try state.apply(changeset)
                    // The model ignores types.
                    #expect(isTaken, "\(changeset)")
                    model = next
                    taken += 1
                } catch {
                    refused += 1
                }
            }
            #expect(taken > 500 && refused > 300)
            #expect(try Self.model(state) == model)
        }

        private static func random(_ generator: inout SeededGenerator) -> Instruction {
            let instruction = all.randomElement(using: &generator) ?? all[0]
            let key = Int64.random(in: 1...3, using: &generator)
            switch instruction {
            case .createObject: return .createObject(object(key))
            case .eraseObject where Bool.random(using: &generator): return .eraseObject(object(key))
            case .eraseObject: return .change(at("l", of: key), .clear(.list))
            case .change(var place, let change):
                place.object = object(key)
                return .change(place, change)
            default: return instruction
            }
        }

        /// A client appends each row to the previous one, and sets its values at once.
        @Test func objectsAreOrderedByKeyWithTheirValues() throws {
            var state = PartitionObjects()
            try state.apply(Self.schema)
            let keys = Array<Int64>(-20..<20).shuffled()
            for key in keys {
                try state.apply(
                    Changeset([
                        .createObject(Self.object(key)),
                        .change(Self.at("n", of: key), .update(.int(key + 100), isDefault: false)),
                        .change(Self.at("a", .index(0), of: key), .insert(.link(Self.object(-key)), priorSize: 0)),
                    ]))
            }
            let instructions = try state.changesets(partSize: 1 << 20, maxParts: .max).flatMap(\.instructions)
            let rows = Array(instructions.drop { $0.object == nil })
            let expected: [Instruction] =
                keys.sorted().flatMap { key -> [Instruction] in
                    [
                        .createObject(Self.object(key)),
                        .change(Self.at("n", of: key), .update(.int(key + 100), isDefault: false)),
                    ]
                }
                + keys.sorted().map { key in
                    .change(Self.at("a", .index(0), of: key), .insert(.link(Self.object(-key)), priorSize: 0))
                }
            #expect(rows == expected)
        }
    }
#endif

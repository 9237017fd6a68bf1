// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import RealmStorage
    import RealmSync
    import RealmSyncCore
    import RealmTestSupport
    import SyncTestSupport
    import Testing

    @testable import RealmSyncServer

    /// The state of a partition compared with a client's database: a client can apply each change that the state
    /// accepts.
    @Suite struct AcceptedChangesTests {
        private static func topLevel(_ name: Text, key: Text = "_id", _ type: ValueType = .int) -> Instruction {
            .addTable(TableDefinition(name, .topLevel(PrimaryKeyColumn(key, type, isNullable: false))))
        }

        private static func column(
            _ table: Text, _ name: Text, _ type: ValueType = .string, _ collection: CollectionKind = .single,
            isNullable: Bool = false, target: Text? = nil
        ) -> Instruction {
            .column(name, of: table, type, collection, isNullable: isNullable, target: target)
        }

        private static let object = ObjectReference("A", .int(1))

        private static func at(_ column: Text, _ path: PathElement...) -> Place { Place(object, column, Path(path)) }

        private static func update(_ place: Place, _ value: SyncValue) -> Instruction {
            .change(place, .update(value, isDefault: false))
        }

        private static func outcome(_ instructions: [Instruction]) throws -> (state: Bool, client: Bool) {
            var state = PartitionObjects()
            let isTaken = (try? state.apply(Changeset(instructions))) != nil
            let folder = try TemporaryFolder()
            let transaction = try Database.inMemory(in: folder.path).beginWrite()
            defer { transaction.rollback() }
            let isApplied = (try? ChangesetApplier(transaction).apply(Changeset(instructions))) != nil
            if isTaken {
                let other = try Database.inMemory(in: folder.path).beginWrite()
                defer { other.rollback() }
                for part in try state.changesets(partSize: .max, maxParts: .max) {
                    try ChangesetApplier(other).apply(part)
                }
            }
            return (isTaken, isApplied)
        }

        private static func nested(_ depth: Int) -> [Instruction] {
            [
                topLevel("A"), column("A", "any", .null, isNullable: true), .createObject(object),
                update(at("any"), .list),
            ]
                + (1..<depth).map { level in
                    let path = Path(Array(repeating: .index(0), count: level))
                    return .change(Place(object, "any", path), .insert(.list, priorSize: 0))
                }
        }

        private static func text(_ count: Int) -> Text { Text(String(repeating: "n", count: count)) }

        private static let withMap: [Instruction] = [
            topLevel("A"), column("A", "m", .string, .dictionary), .createObject(object),
        ]
        private static let withMixed: [Instruction] = [
            topLevel("A"), .addTable(TableDefinition("E", .embedded)), column("A", "x", .null, isNullable: true),
            column("A", "l", .null, .list, isNullable: true), column("A", "s", .null, .set, isNullable: true),
            column("A", "t", .timestamp), column("A", "links", .link, .list, target: "A"), .createObject(object),
        ]

        private static func map(_ more: Instruction...) -> [Instruction] { withMap + more }
        private static func mixed(_ more: Instruction...) -> [Instruction] { withMixed + more }

        private static let refused: [(String, [Instruction])] = [
            ("a class of 58 bytes", [topLevel(text(58))]),
            ("a class of 100,000 bytes", [topLevel(text(100_000))]),
            ("a property of 64 bytes", [topLevel("A"), column("A", text(64))]),
            ("a primary key of 64 bytes", [topLevel("A", key: text(64))]),
            ("a class without a primary key", [topLevel("A", key: "", .globalKey)]),
            ("a link to no class", [topLevel("A"), column("A", "l", .link, isNullable: true, target: "B")]),
            (
                "a set of embedded objects",
                [
                    topLevel("A"), .addTable(TableDefinition("E", .embedded)),
                    column("A", "e", .link, .set, target: "E"),
                ]
            ),
            ("a property of no type", [topLevel("A"), column("A", "l", .list)]),
            ("another property with the name of the key", [topLevel("A"), column("A", "_id", .string)]),
            ("a key with a dot", map(update(at("m", .key("a.b")), .string("x")))),
            ("a key with a dollar sign", map(update(at("m", .key("$x")), .string("x")))),
            ("Mixed nested 101 deep", nested(101)),
            ("Mixed nested 128 deep", nested(128)),
            ("an erased object of an embedded class", mixed(.eraseObject(ObjectReference("E", .int(1))))),
            ("an erased object with a key of another type", mixed(.eraseObject(ObjectReference("A", .null)))),
            ("a Mixed link to no class", mixed(update(at("x"), .link(ObjectReference("B", .int(1)))))),
            ("a Mixed link to an embedded class", mixed(update(at("x"), .link(ObjectReference("E", .int(1)))))),
            (
                "a Mixed link with a key of another type",
                mixed(update(at("x"), .link(ObjectReference("A", .string("1")))))
            ),
            ("a collection in a set", mixed(.change(at("s"), .setInsert(.list)))),
            ("a null in a list of links", mixed(.change(at("links", .index(0)), .insert(.null, priorSize: 0)))),
            ("an addition to a timestamp", mixed(.change(at("t"), .addInteger(1)))),
            (
                "an addition to an element",
                mixed(
                    update(at("x"), .dictionary), update(at("x", .key("k")), .int(1)),
                    .change(at("x", .key("k")), .addInteger(1)))
            ),
            ("a list that is cleared as a dictionary", mixed(.change(at("l"), .clear(.dictionary)))),
            (
                "a class that another one links to",
                [
                    topLevel("A"), topLevel("B"), column("B", "a", .link, isNullable: true, target: "A"),
                    .eraseTable("A"),
                ]
            ),
            (
                "a binary of 17 MB",
                [
                    topLevel("A"), column("A", "b", .binary), .createObject(object),
                    update(at("b"), .binary([UInt8](repeating: 1, count: 17_000_000))),
                ]
            ),
        ]

        private static let accepted: [(String, [Instruction])] = [
            ("a class of 57 bytes", [topLevel(text(57))]),
            ("a property of 63 bytes", [topLevel("A"), column("A", text(63))]),
            ("an empty class", [topLevel("")]),
            ("an empty property", [topLevel("A"), column("A", "")]),
            ("the primary key as a property", [topLevel("A"), column("A", "_id", .int)]),
            ("two properties of one spelling", [topLevel("A"), column("A", "caf\u{e9}"), column("A", "cafe\u{301}")]),
            ("two classes of one spelling", [topLevel("caf\u{e9}"), topLevel("cafe\u{301}")]),
            (
                "two keys of one spelling",
                map(
                    update(at("m", .key("caf\u{e9}")), .string("x")),
                    update(at("m", .key("cafe\u{301}")), .string("y")))
            ),
            ("Mixed nested 100 deep", nested(100)),
            ("a list that is cleared by an old client", mixed(.change(at("l"), .clear(.single)))),
            (
                "a class that links to itself",
                [
                    topLevel("A"), column("A", "a", .link, isNullable: true, target: "A"), .eraseTable("A"),
                ]
            ),
        ]

        @Test func aServerRejectsChangesThatNoClientCanApply() throws {
            for (name, instructions) in Self.refused {
                let outcome = try Self.outcome(instructions)
                #expect(!outcome.state, "\(name)")
                #expect(!outcome.client, "\(name)")
            }
        }

        @Test func aServerAcceptsChangesThatAClientAccepts() throws {
            for (name, instructions) in Self.accepted {
                let outcome = try Self.outcome(instructions)
                #expect(outcome.state, "\(name)")
                #expect(outcome.client, "\(name)")
            }
        }

        /// Most of the random instructions are invalid. A new client accepts the resulting state.
        @Test(arguments: 1...6) func aClientAcceptsChangesThatAServerAccepts(seed: UInt64) throws {
            var random = RandomInstructions(seed: seed)
            var state = PartitionObjects()
            let folder = try TemporaryFolder()
            let transaction = try Database.inMemory(in: folder.path).beginWrite()
            defer { transaction.rollback() }
            let applier = ChangesetApplier(transaction)
            var taken = 0
            for _ in 0..<6000 {
                let instruction = random.next()
                guard (try? state.apply(Changeset([instruction]))) != nil else { continue }
                taken += 1
                do { try applier.apply(Changeset([instruction])) } catch {
                    Issue.record("seed \(seed): \(instruction): \(error)")
                    return
                }
            }
            #expect(taken > 300)
            let other = try Database.inMemory(in: folder.path).beginWrite()
            defer { other.rollback() }
            for part in try state.changesets(partSize: 1000, maxParts: .max) { try ChangesetApplier(other).apply(part) }
        }

        @Test(arguments: 1...6) func aRefusedUploadLeavesTheState(seed: UInt64) throws {
            var random = RandomInstructions(seed: seed)
            var state = PartitionObjects()
            var rounds = 0
            while rounds < 400 {
                rounds += 1
                let before = try state.changesets(partSize: .max, maxParts: .max)
                var upload: [Instruction] = []
                var after = state
                for _ in 0..<30 {
                    let instruction = random.next()
                    if (try? after.apply(Changeset([instruction]))) != nil { upload.append(instruction) }
                }
                #expect(throws: StateError.self) { try state.apply(Changeset(upload + [.eraseTable("no class")])) }
                #expect(Self.isSame(try state.changesets(partSize: .max, maxParts: .max), before), "seed \(seed)")
                if rounds % 4 == 0 { try state.apply(Changeset(upload)) }
            }
        }

        /// The order of sets and dictionaries is undefined.
        private static func isSame(_ a: [Changeset], _ b: [Changeset]) -> Bool {
            a.flatMap(\.instructions).map(\.description).sorted()
                == b.flatMap(\.instructions).map(\.description).sorted()
        }
    }

    /// Instructions on few classes, properties, and objects. Many are contradictory.
    struct RandomInstructions {
        private var generator: SeededGenerator
        private static let tables: [Text] = ["A", "B", "E", "caf\u{e9}", "cafe\u{301}"]
        private static let columns: [Text] = ["_id", "i", "x", "l", "m", "s", "a", "e", "es"]
        private static let types: [ValueType] = [.int, .string, .null, .link, .timestamp, .link, .null, .object]

        init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

        private mutating func pick<Value>(_ values: [Value]) -> Value { values[generator.below(values.count)] }

        private mutating func object() -> ObjectReference {
            ObjectReference(pick(Self.tables), pick([.int(1), .int(2), .int(3), .string("1"), .null]))
        }

        mutating func next() -> Instruction {
            switch generator.below(40) {
            case 0, 1:
                let table = pick(Self.tables)
                let kind: TableDefinition.Kind =
                    table == "E" ? .embedded : .topLevel(PrimaryKeyColumn("_id", .int, isNullable: table == "B"))
                return .addTable(TableDefinition(table, kind))
            case 2: return generator.below(8) == 0 ? .eraseTable(pick(Self.tables)) : .createObject(object())
            case 3...6:
                let type = pick(Self.types)
                return .addColumn(
                    ColumnDefinition(
                        ColumnReference(pick(Self.tables), pick(Self.columns)), type,
                        isNullable: generator.below(2) == 0,
                        pick([.single, .list, .dictionary, .set]), target: type == .link ? pick(Self.tables) : nil))
            case 7:
                guard generator.below(3) == 0 else { return .createObject(object()) }
                return .eraseColumn(ColumnReference(pick(Self.tables), pick(Self.columns)))
            case 8...10: return .createObject(object())
            case 11: return .eraseObject(object())
            default: return change()
            }
        }

        private mutating func change() -> Instruction {
            let count = pick([0, 0, 0, 1, 1, 1, 2, 2, 3])
            var path: [PathElement] = []
            for _ in 0..<count {
                path.append(
                    generator.below(2) == 0 ? .index(generator.below(3)) : .key(pick(["k", "i", "x", "a.b", "l"])))
            }
            let place = Place(object(), pick(Self.columns), Path(path))
            guard place.path.lastIndex != nil else {
                return .change(
                    place,
                    pick([
                        .update(value(), isDefault: false), .update(value(), isDefault: false), .addInteger(2),
                        .clear(pick([.single, .list, .dictionary, .set])), .setInsert(value()), .setErase(value()),
                    ]))
            }
            let size = generator.below(4)
            return .change(
                place,
                pick([
                    .insert(value(), priorSize: size), .insert(value(), priorSize: size),
                    .updateElement(value(), priorSize: size), .erase(priorSize: size),
                    .move(to: generator.below(3), priorSize: size), .clear(pick([.list, .dictionary])), .addInteger(1),
                ]))
        }

        private mutating func value() -> SyncValue {
            pick([
                .null, .int(3), .string("caf\u{e9}"), .string("cafe\u{301}"),
                .timestamp(Timestamp(seconds: 1, nanoseconds: 2)),
                .link(object()), .link(object()), .object, .list, .dictionary, .set, .erased,
            ])
        }
    }
#endif

// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import RealmStorage
    import RealmSync
    import RealmSyncCore
    import RealmTestSupport
    import SyncTestSupport
    import Testing

    @testable import RealmSyncServer

    /// A state whose objects are in a database, compared with one that is in memory.
    @Suite struct StoredRowsTests {
        private static func contents(_ state: PartitionObjects) throws -> [String] {
            // The order of sets and dictionaries is undefined. A file doesn't distinguish an assigned initial value,
            // and all its mixed values and links can be null.
            try state.changesets(partSize: .max, maxParts: .max).flatMap(\.instructions).compactMap { instruction in
                if case .change(_, .update(.timestamp(Timestamp(seconds: 0, nanoseconds: 0)), _)) = instruction {
                    return nil
                }
                guard case .addColumn(var definition) = instruction else { return instruction.description }
                if definition.type == .null || definition.type == .link { definition.isNullable = true }
                return Instruction.addColumn(definition).description
            }
        }

        /// Classes and properties are erased and added again with other types. The file is read at its newest version
        /// while the state still refers to an earlier one, as after an update that isn't finished.
        @Test(arguments: 1...4) func aStoredStateEqualsOneInMemory(seed: UInt64) throws {
            var random = RandomInstructions(seed: seed)
            var generator = SeededGenerator(seed: seed &+ 1000)
            let folder = try TemporaryFolder()
            let database = try Database.inMemory(in: folder.path)
            var (model, state) = (PartitionObjects(), PartitionObjects())
            var applied: [Changeset] = []
            var storing: UInt64?
            var (taken, refused) = (0, 0)
            for step in 0..<3000 {
                var upload: [Instruction] = []
                for _ in 0..<(1 + generator.below(4)) { upload.append(random.next()) }
                if generator.below(4) > 0 {
                    // Mostly valid ones.
                    var next = model
                    upload = upload.filter { (try? next.apply(Changeset([$0]))) != nil }
                }
                let changeset = Changeset(upload)
                let isTaken = (try? model.apply(changeset)) != nil
                if isTaken {
                    try state.apply(changeset)
                    applied.append(changeset)
                    taken += 1
                } else {
                    #expect(throws: StateError.self, "seed \(seed)") { try state.apply(changeset) }
                    refused += 1
                }
                switch generator.below(12) {
                case 0: storing = storing ?? state.beginStoring()
                case 1, 2:
                    // The database can also contain changes after the beginning.
                    try database.write { for change in applied { try ChangesetApplier($0).apply(change) } }
                    applied = []
                case 3:
                    guard let generation = storing else { break }
                    try database.write { for change in applied { try ChangesetApplier($0).apply(change) } }
                    applied = []
                    storing = nil
                    let rows = StoredRows { try database.snapshot(label: "test") }
                    state.didStore(SaltedVersion(version: 1, salt: 1), through: generation, maxWhole: 0, rows)
                case 4:
                    guard applied.isEmpty, storing == nil, step % 3 == 0 else { break }
                    let rows = StoredRows { try database.snapshot(label: "test") }
                    state = try PartitionObjects(rows, SaltedVersion(version: 1, salt: 1))
                case 5: state.releaseRows()
                default: break
                }
                for object in Changeset(upload).objects {
                    try #require(try state.holds(object) == model.holds(object), "seed \(seed), \(step)")
                }
                try #require(state.objectCount == model.objectCount, "seed \(seed), \(step)")
                if step % 20 == 0 || step == 2999 {
                    let difference = Set(try Self.contents(state)).symmetricDifference(try Self.contents(model))
                    try #require(difference.isEmpty, "seed \(seed), \(step)")
                }
            }
            #expect(taken > 500 && refused > 100)
        }
    }
#endif

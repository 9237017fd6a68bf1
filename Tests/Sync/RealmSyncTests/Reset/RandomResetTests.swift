// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmSync
import RealmSyncCore
import RealmTestSupport
import SyncTestSupport
import Testing

/// Random states of a file and its server, with random pending changes, over properties of all types.
@Suite struct RandomResetTests {
    @Test func randomResets() throws {
        var generator = SeededGenerator(for: "randomResets")
        for _ in 0..<(Settings.number("REGNUM_SYNC_RUNS").map({ max(1, $0) }) ?? 4) {
            let seed = generator.next()
            try withTrace("seed \(seed)") {
                try run(SeededGenerator(seed: seed), .discard)
                try run(SeededGenerator(seed: seed), .recover)
            }
        }
    }

    private func written(
        _ base: [Changeset], commits: Int, _ generator: inout SeededGenerator
    ) throws -> [Changeset] {
        let client = try ClientDatabase()
        try client.database.write { transaction in
            if base.isEmpty { try RandomWriter.makeSchema(transaction) }
            for changeset in base { try ChangesetApplier(transaction).apply(changeset) }
        }
        let before = base.isEmpty ? 1 : try client.database.snapshot().version
        for _ in 0..<commits {
            try client.database.write { transaction in
                var random = RandomWriter(transaction: transaction, generator: generator)
                try random.write(1 + generator.below(40))
                generator = random.generator
            }
        }
        return try client.recorded(after: before)
    }

    private func run(_ seed: SeededGenerator, _ mode: ClientResetMode) throws {
        var generator = seed
        let first = try written([], commits: 1 + generator.below(4), &generator)
        let base = Changeset(first.flatMap(\.instructions))
        let server = try written([base], commits: generator.below(4), &generator)
        let own = try written([base], commits: generator.below(5), &generator)
        let files = try ResetFiles(base, own: own, server: server)
        let (local, fresh) = (try files.local.state(), try files.fresh.state())
        let made = try withTrace("own:\n\(own)\nserver:\n\(server)") { try files.reset(mode) }
        if mode == .discard {
            try requireEqual(try files.local.state(), fresh, "the state")
        } else {
            let instructions = own.flatMap(\.instructions)
            try verify(instructions, was: local, server: fresh, is: try files.local.state())
            try require(made.count <= own.count, "more changes than there were")
        }
        for client in [files.local, files.fresh] {
            try client.close()
            try PythonChecker.requireClean(path: client.path, strict: false)
        }
    }

    // MARK: Model of the rules

    private func verify(
        _ own: [Instruction], was local: SyncModel, server: SyncModel, is state: SyncModel
    ) throws {
        var created: Set<ObjectReference> = []
        var last: [Place: Change] = [:]
        for instruction in own {
            switch instruction {
            case .createObject(let object): created.insert(object)
            case .eraseObject(let object):
                created.remove(object)
                last = last.filter { $0.key.object != object }
                try requireErased(object, own, state)
            case .change(let place, let change) where place.path.count == 0: last[place] = change
            default: break
            }
        }
        for object in created { try require(has(state, object), "\(object), which was created, is not there") }
        for (name, table) in state.tables {
            for key in table.objects.keys {
                let object = ObjectReference(name, key)
                try require(has(server, object) || created.contains(object), "\(object) came back")
            }
        }
        for (place, change) in last where has(state, place.object) {
            guard case .update(let value, _) = change, isPlain(value) else { continue }
            try requireEqual(state.content(at: place), local.content(at: place), "\(place)")
        }
    }

    private func requireErased(_ object: ObjectReference, _ own: [Instruction], _ state: SyncModel) throws {
        let isCreatedLater = own.last { $0 == .eraseObject(object) || $0 == .createObject(object) }
        guard isCreatedLater == .eraseObject(object) else { return }
        try require(!has(state, object), "\(object), which was erased, is there")
    }

    private func has(_ model: SyncModel, _ object: ObjectReference) -> Bool {
        model.tables[object.table]?.objects[object.key] != nil
    }

    private func isPlain(_ value: SyncValue) -> Bool {
        switch value {
        case .link, .object, .list, .dictionary, .set, .erased, .null: false
        default: true
        }
    }
}

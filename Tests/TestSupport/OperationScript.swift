// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// Arbitrary bytes as a sequence of instructions for a database and a model.
package enum OperationScript {
    /// Executes the operations in `bytes`, and throws at the first difference. `memory` is the database's file.
    package static func run(_ bytes: [UInt8], on memory: ImageFile) throws {
        try memory.load([])
        let database = try Database(file: memory, readOnly: false)
        var operations = RandomOperations(SeededGenerator(seed: 1), size: 12)
        try database.write { try operations.createSchema($0) }
        operations.generator = SeededGenerator(bytes: bytes)
        var held: (Snapshot, ModelDatabase)?
        while !operations.generator.isExhausted {
            try transact(&operations, database)
            let snapshot = try database.snapshot()
            try operations.model.compare(with: snapshot)
            if let held { try withTrace("held version") { try held.1.compare(with: held.0) } }
            if operations.generator.chance(30) { held = (snapshot, operations.model) }
        }
        try operations.model.compareIndexes(with: try database.snapshot())
        try FileAudit.requireClean(bytes: try memory.bytes())
    }

    private static func transact(_ operations: inout RandomOperations, _ database: Database) throws {
        let before = operations.model
        let transaction = try database.beginWrite()
        do {
            for _ in 0...operations.generator.below(8) where !operations.generator.isExhausted {
                try operations.step(transaction) {}
            }
            if operations.generator.chance(10) {
                transaction.rollback()
                operations.model = before
            } else {
                try transaction.commit()
            }
        } catch {
            if transaction.isOpen { transaction.rollback() }
            throw error
        }
    }
}

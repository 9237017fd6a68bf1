// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSyncCore

extension StoredPartition {
    /// Returns the changes before the first one that the schema of the app doesn't allow, and the reason for its
    /// refusal.
    func admitted(_ changes: [UploadedChange]) -> ([UploadedChange], SessionError?) {
        guard let gate = options.schema else { return (changes, nil) }
        for (index, change) in changes.enumerated() {
            do throws(SessionError) { try gate.admit(change.changeset.instructions) } catch {
                return (Array(changes[..<index]), error)
            }
        }
        return (changes, nil)
    }

    /// Adds the classes and properties of a schema that the partition lacks, as the server's own change, which is
    /// durable when the function returns.
    ///
    /// - Returns: The definitions that differ from those of the partition. They aren't added.
    func adopt(_ schema: AppSchema) throws -> [Instruction] {
        var (missing, differing) = differences(from: schema)
        if missing.isEmpty { return differing }
        if !isLocked {
            try lock()
            // Another node may have added them.
            (missing, differing) = differences(from: schema)
        }
        do { if !missing.isEmpty { try append(Changeset(missing)) } } catch is StateError { differing += missing }
        try flush(compacts: false)
        return differing
    }

    private func differences(from schema: AppSchema) -> (missing: [Instruction], differing: [Instruction]) {
        let own = self.schema
        var (missing, differing): ([Instruction], [Instruction]) = ([], [])
        for instruction in schema.instructions {
            switch own.relation(to: instruction) {
            case .missing: missing.append(instruction)
            case .different: differing.append(instruction)
            case .same: break
            }
        }
        return (missing, differing)
    }
}

extension AppSchema {
    fileprivate enum Relation {
        case same
        case missing
        case different
    }

    fileprivate func relation(to instruction: Instruction) -> Relation {
        switch instruction {
        case .addTable(let table):
            guard let known = tables[table.name] else { return .missing }
            return known == table ? .same : .different
        case .addColumn(let column):
            guard let known = property(column.column.name, of: column.column.table) else { return .missing }
            return known.isSame(as: column) ? .same : .different
        default: return .same
        }
    }
}

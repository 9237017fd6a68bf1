// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSyncCore

extension PartitionObjects {
    /// The changes that create the state from nothing: first the classes, then the objects with their plain values,
    /// then links and collections, so that the target of each link exists.
    ///
    /// Objects are ordered by their primary keys, each followed by its values. So a client appends each row, and each
    /// key to its index.
    ///
    /// - Parameter partSize: The size in bytes at which a changeset ends, including the instruction that exceeds it.
    /// - Throws: `StorageError`.
    func encodedChangesets(partSize: Int, maxParts: Int) throws -> [[UInt8]] {
        var writer = BootstrapWriter(self, partSize: partSize)
        var (parts, references) = ([[UInt8]](), [[UInt8]]())
        for instruction in schemaInstructions { writer.append(instruction) }
        for name in tables.keys.sorted() {
            try forEachRow(of: try keys(of: name).map { ObjectReference(name, $0) }) { object, row in
                writer.append(.createObject(object))
                writer.add(row, of: object)
                parts += writer.takeFullParts()
                references += writer.takeFullReferences()
            }
        }
        return try EncodedParts.joined(
            parts + writer.takeParts() + references + writer.takeReferences(), atMost: maxParts)
    }

    /// Returns the same changes as instructions, which are ten times as large.
    ///
    /// - Throws: `StorageError`.
    func changesets(partSize: Int, maxParts: Int) throws -> [Changeset] {
        try encodedChangesets(partSize: partSize, maxParts: maxParts).map { try Changeset(decoding: $0) }
    }
}

extension PartitionObjects {
    var schemaInstructions: [Instruction] {
        let classes = tables.sorted { $0.key < $1.key }.map(\.value)
        return classes.map { .addTable($0.definition) }
            + classes.flatMap { table in
                table.columns.values.sorted { $0.number < $1.number }.map { .addColumn($0.definition) }
            }
    }

    /// Returns the instructions that create each of the objects with all values.
    ///
    /// - Throws: `StorageError`.
    func creations(of objects: [ObjectReference]) throws -> [[Instruction]] {
        guard !objects.isEmpty else { return [] }
        var writer = RowWriter(self, ChangesetParts())
        return try objects.map { object in
            writer.append(.createObject(object))
            writer.add(try row(of: object) ?? [:], of: object)
            return writer.output.takeInstructions()
        }
    }
}

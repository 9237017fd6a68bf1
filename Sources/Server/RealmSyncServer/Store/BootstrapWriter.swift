// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSyncCore

/// Writes objects as encoded changesets: in `parts` the objects with their plain values, in `references`, which follow
/// all parts, their links and collections. So the target of each link exists, and each object is read once.
struct BootstrapWriter {
    private var parts: RowWriter<EncodedParts>
    private var references: RowWriter<EncodedParts>

    /// - Parameter partSize: The size in bytes at which a changeset ends, including the instruction that exceeds it.
    init(_ state: PartitionObjects, partSize: Int) { self.init(columns: state.columnsBySlot, partSize: partSize) }

    /// - Parameter columns: The definitions by class and slot.
    init(columns: [Text: [Text: ColumnDefinition]], partSize: Int) {
        parts = RowWriter(columns: columns, EncodedParts(size: partSize))
        references = parts
    }

    mutating func append(_ instruction: Instruction) { parts.append(instruction) }

    /// The object must not have the contents yet.
    mutating func add(_ row: ObjectRow, of object: ObjectReference) {
        parts.add(row, of: object) { $0.isPlain }
        references.add(row, of: object) { !$0.isPlain }
    }

    mutating func takeFullParts() -> [[UInt8]] { parts.output.takeFull() }
    mutating func takeFullReferences() -> [[UInt8]] { references.output.takeFull() }
    mutating func takeParts() -> [[UInt8]] { parts.output.takeAll() }
    mutating func takeReferences() -> [[UInt8]] { references.output.takeAll() }
}

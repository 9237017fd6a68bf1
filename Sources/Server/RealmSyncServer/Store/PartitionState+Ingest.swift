// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmSyncCore

/// A change of objects of an asymmetric class that isn't a creation (§5.6).
struct IngestRefusal: Error {
    let object: ObjectReference
    let reason: String
    let clientVersion: UInt64

    @inline(never) init(_ object: ObjectReference, _ reason: String, in change: UploadedChange) {
        (self.object, self.reason, clientVersion) = (object, reason, change.clientVersion)
    }

    var sessionError: SessionError {
        let rejection = ServerError.Rejection(
            updates: [ServerError.Rejection.Update(reason: reason, object: object)], clientVersion: clientVersion)
        return SessionError(.writeNotAllowed, "the write to \(object) isn't allowed: \(reason)", rejection)
    }
}

/// A change without the objects that it creates in asymmetric classes, and their documents.
struct IngestedChange {
    let change: UploadedChange
    let documents: [(object: ObjectReference, bytes: [UInt8])]
}

extension PartitionState {
    /// Separates the objects of asymmetric classes from changes. The state isn't changed.
    ///
    /// - Returns: `nil` without such objects.
    /// - Throws: `IngestRefusal` for anything but a creation; `StateError` if an object doesn't match its class.
    func separateIngested(_ changes: [UploadedChange]) throws -> [IngestedChange]? {
        var splitter = IngestSplitter(self)
        let parts = try changes.map { try splitter.split($0) }
        guard parts.contains(where: { $0 != nil }) else { return nil }
        // Has the classes that the changes add, and is discarded.
        var state = self
        state.retainsInitialContent = true
        return try zip(changes, parts).map { change, parts in
            try state.apply(Changeset(change.changeset.instructions.filter(\.isOfSchema)))
            guard let parts else { return IngestedChange(change: change, documents: []) }
            let documents = try state.takeCreated(parts.ingested).map { object, row in
                (object: object, bytes: try state.document(of: object, row))
            }
            return IngestedChange(change: change.replacing(Changeset(parts.others)), documents: documents)
        }
    }

    /// The size of an encoded document that no consumer is expected to exceed.
    static let longestDocument = 16 << 20

    /// - Throws: `StateError` if the document is too long.
    func document(of object: ObjectReference, _ row: Row) throws(StateError) -> [UInt8] {
        guard let table = tables[object.table], let key = table.primaryKey else { return [] }
        var writer = RecordWriter()
        let id = ExtendedJSON.Member(key.name.string, ExtendedJSON(object.key))
        ExtendedJSON.document([id] + members(of: row, table)).write(to: &writer)
        guard writer.bytes.count <= PartitionState.longestDocument else {
            throw StateError("the document of \(object) exceeds \(PartitionState.longestDocument >> 20) MiB")
        }
        return writer.bytes
    }

    /// The properties that the client has assigned, in the order in which they were added to the class. So a document
    /// isn't longer than its instructions, even if the class has thousands of properties.
    private func members(of row: Row, _ table: Table) -> [ExtendedJSON.Member] {
        let columns = row.compactMap { slot, content in table.columns[slot].map { ($0, content) } }
        return columns.sorted { $0.0.number < $1.0.number }.map { column, content in
            ExtendedJSON.Member(column.definition.column.name.string, value(content, column.definition))
        }
    }

    private func value(_ content: Content, _ column: ColumnDefinition) -> ExtendedJSON {
        switch content {
        case .value(let value): ExtendedJSON(value)
        case .list(let elements): .array(elements.elements.map { value($0, column) })
        case .set(let elements): .array(elements.map { ExtendedJSON($0) })
        case .dictionary(let members):
            .document(
                members.sorted { $0.key < $1.key }.map { ExtendedJSON.Member($0.key.string, value($0.value, column)) })
        case .object(let name, let row):
            .document(tables[name].map { members(of: row, $0) } ?? [])
        }
    }
}

/// Separates the instructions on objects of asymmetric classes. They aren't merged, because no other client has these
/// objects.
private struct IngestSplitter {
    private let state: PartitionState
    /// The asymmetric classes that the upload adds.
    private var added: Set<Text> = []
    /// The class of the previous instruction. Consecutive instructions usually have the same.
    private var last: (name: Text, isAsymmetric: Bool)?

    init(_ state: PartitionState) { self.state = state }

    /// Returns `nil` if the change has no such instructions.
    mutating func split(
        _ change: UploadedChange
    ) throws(IngestRefusal) -> (ingested: [Instruction], others: [Instruction])? {
        let instructions = change.changeset.instructions
        var ingested: [Instruction] = []
        var others: [Instruction] = []
        var created: Set<ObjectReference> = []
        for (position, instruction) in instructions.enumerated() {
            guard let object = instruction.object, isAsymmetric(object.table) else {
                note(instruction)
                if !ingested.isEmpty { others.append(instruction) }
                continue
            }
            if ingested.isEmpty { others = Array(instructions[..<position]) }
            try require(instruction, on: object, &created, change)
            ingested.append(instruction)
        }
        return ingested.isEmpty ? nil : (ingested, others)
    }

    private mutating func note(_ instruction: Instruction) {
        guard case .addTable(let definition) = instruction else { return }
        last = nil
        if case .asymmetric = definition.kind, state.tables[definition.name] == nil { added.insert(definition.name) }
    }

    private mutating func isAsymmetric(_ name: Text) -> Bool {
        if let last, last.name == name { return last.isAsymmetric }
        let isAsymmetric: Bool
        if case .asymmetric? = state.tables[name]?.definition.kind {
            isAsymmetric = true
        } else {
            isAsymmetric = added.contains(name)
        }
        last = (name, isAsymmetric)
        return isAsymmetric
    }

    private func require(
        _ instruction: Instruction, on object: ObjectReference, _ created: inout Set<ObjectReference>,
        _ change: UploadedChange
    ) throws(IngestRefusal) {
        switch instruction {
        case .createObject:
            created.insert(object)
        case .change(_, let value):
            guard created.contains(object) else {
                throw IngestRefusal(object, "an object of an asymmetric class can't be changed", in: change)
            }
            if case .link? = value.value {
                throw IngestRefusal(object, "an object of an asymmetric class can't have links", in: change)
            }
        default: throw IngestRefusal(object, "an object of an asymmetric class can't be deleted", in: change)
        }
    }
}

extension Instruction {
    fileprivate var isOfSchema: Bool {
        switch self {
        case .addTable, .eraseTable, .addColumn, .eraseColumn: true
        case .createObject, .eraseObject, .change: false
        }
    }
}

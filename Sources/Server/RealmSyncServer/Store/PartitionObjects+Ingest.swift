// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmSyncCore

/// The objects of an asymmetric class in a change that aren't creations, or that the user can't create (§5.6).
struct IngestRefusals {
    private(set) var reasons: [(object: ObjectReference, text: String)] = []
    private var objects: Set<ObjectReference> = []

    var isEmpty: Bool { reasons.isEmpty }

    func contains(_ object: ObjectReference) -> Bool { objects.contains(object) }

    /// Only the first reason for an object counts.
    mutating func add(_ object: ObjectReference, _ reason: String) {
        if objects.insert(object).inserted { reasons.append((object, reason)) }
    }
}

extension SessionError {
    /// Error 230 for the objects of versions up to one.
    init?(_ refusals: [IngestRefusals], through clientVersion: UInt64) {
        let reasons = refusals.flatMap(\.reasons)
        guard let first = reasons.first else { return nil }
        let rejection = ServerError.Rejection(
            updates: reasons.map { ServerError.Rejection.Update(reason: $0.text, object: $0.object) },
            clientVersion: clientVersion)
        self.init(
            .writeNotAllowed,
            reasons.count == 1
                ? "the write to \(first.object) isn't allowed: \(first.text)"
                : "the writes to \(reasons.count) objects, such as \(first.object), aren't allowed: \(first.text)",
            rejection)
    }
}

/// A change without the objects of asymmetric classes, and the documents that it creates in them.
struct IngestedChange {
    let change: UploadedChange
    let documents: [(object: ObjectReference, bytes: [UInt8])]
    let refusals: IngestRefusals

    init(
        change: UploadedChange, documents: [(object: ObjectReference, bytes: [UInt8])],
        refusals: IngestRefusals = IngestRefusals()
    ) { (self.change, self.documents, self.refusals) = (change, documents, refusals) }
}

extension PartitionObjects {
    /// Separates the objects of asymmetric classes from changes. The state isn't changed.
    ///
    /// - Parameters:
    ///   - folder: The folder for temporary files.
    ///   - rights: Returns the rights of a user.
    /// - Returns: `nil` without such objects.
    /// - Throws: `StateError` or `SessionError` if an object doesn't match its class, `StorageError`.
    func separateIngested(
        _ changes: [UploadedChange], in folder: String, _ rights: (String) -> UserRights
    ) throws -> [IngestedChange]? {
        var splitter = IngestSplitter(self)
        let parts = changes.map { splitter.split($0, rights($0.user)) }
        guard parts.contains(where: { $0 != nil }) else { return nil }
        // Has the classes that the changes add, and is discarded.
        var state = self
        state.retainsInitialContent = true
        var separated: [IngestedChange] = []
        for (change, parts) in zip(changes, parts) {
            try state.apply(Changeset(change.changeset.instructions.filter(\.isOfSchema)))
            guard var parts else {
                separated.append(IngestedChange(change: change, documents: []))
                continue
            }
            let filter = IngestFilter(rights(change.user), state, folder: folder)
            parts.refuse(try filter.excludedObjects(of: parts.ingested))
            var documents: [(object: ObjectReference, bytes: [UInt8])] = []
            for (object, row) in try state.takeCreated(parts.ingested) {
                documents.append((object: object, bytes: try state.document(of: object, row)))
            }
            separated.append(
                IngestedChange(
                    change: change.replacing(Changeset(parts.others)), documents: documents, refusals: parts.refusals))
        }
        return separated
    }

    /// The size of an encoded document that no consumer is expected to exceed.
    static let longestDocument = 16 << 20

    /// - Throws: `StateError` if the document is too long.
    func document(of object: ObjectReference, _ row: Row) throws(StateError) -> [UInt8] {
        guard let table = tables[object.table], let key = table.primaryKey else { return [] }
        var writer = RecordWriter()
        let id = ExtendedJSON.Member(key.name.string, ExtendedJSON(object.key))
        ExtendedJSON.document([id] + members(of: row, table)).write(to: &writer)
        guard writer.bytes.count <= PartitionObjects.longestDocument else {
            throw StateError("a document of \(object.table) exceeds \(PartitionObjects.longestDocument >> 20) MiB")
        }
        return writer.bytes
    }

    /// The properties that the client has assigned, in the order in which they were added to the class. So a document
    /// isn't longer than its instructions, even if the class has thousands of properties.
    private func members(of row: Row, _ table: ObjectClass) -> [ExtendedJSON.Member] {
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
    private let state: PartitionObjects
    /// The asymmetric classes that the upload adds.
    private var added: Set<Text> = []
    /// The class of the previous instruction. Consecutive instructions usually have the same.
    private var last: (name: Text, isAsymmetric: Bool)?

    struct Parts {
        var ingested: [Instruction] = []
        var others: [Instruction] = []
        var refusals = IngestRefusals()

        mutating func refuse(_ objects: [ObjectReference]) {
            for object in objects { refusals.add(object, "the user can't write the object") }
            dropRefused()
        }

        mutating func dropRefused() {
            if refusals.isEmpty { return }
            ingested.removeAll { $0.object.map(refusals.contains) == true }
        }
    }

    init(_ state: PartitionObjects) { self.state = state }

    /// Returns `nil` if the change has no such instructions.
    mutating func split(_ change: UploadedChange, _ rights: UserRights) -> Parts? {
        let instructions = change.changeset.instructions
        var parts = Parts()
        var created: Set<ObjectReference> = []
        for (position, instruction) in instructions.enumerated() {
            guard let object = instruction.object, isAsymmetric(object.table) else {
                note(instruction)
                if !parts.ingested.isEmpty { parts.others.append(instruction) }
                continue
            }
            if parts.ingested.isEmpty { parts.others = Array(instructions[..<position]) }
            if let reason = refusal(of: instruction, on: object, &created, rights[object.table]) {
                parts.refusals.add(object, reason)
            }
            parts.ingested.append(instruction)
        }
        if parts.ingested.isEmpty { return nil }
        parts.dropRefused()
        return parts
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

    /// Returns the reason for a rejection of the object, or `nil`.
    private func refusal(
        of instruction: Instruction, on object: ObjectReference, _ created: inout Set<ObjectReference>,
        _ rights: ClassRights
    ) -> String? {
        switch instruction {
        case .createObject:
            created.insert(object)
            return rights.canInsert && rights.write != .none ? nil : "the user can't create objects of this class"
        case .change(let place, let value):
            guard created.contains(object) else { return "an object of an asymmetric class can't be changed" }
            if case .link? = value.value { return "an object of an asymmetric class can't have links" }
            guard rights.writableFields.contains(place.column) else {
                return "the user can't write the property '\(place.column.short)'"
            }
            return nil
        default: return "an object of an asymmetric class can't be deleted"
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

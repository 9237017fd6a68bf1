// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSyncCore

extension PartitionState {
    /// The changes that create the state from nothing: first the classes, then the objects with their plain values,
    /// then links and collections, so that the target of each link exists.
    ///
    /// Objects are ordered by their primary keys, each followed by its values. So a client appends each row, and each
    /// key to its index.
    ///
    /// - Parameter partSize: The size in bytes at which a changeset ends, including the instruction that exceeds it.
    /// - Throws: `StorageError`.
    func changesets(partSize: Int, maxParts: Int) throws -> [Changeset] {
        try writer(partSize: partSize) { _ in }.changesets(atMost: maxParts)
    }

    /// Returns the same changes, encoded. Only one part at a time is in memory as instructions, which are ten times as
    /// large.
    ///
    /// - Throws: `StorageError`.
    func encodedChangesets(partSize: Int, maxParts: Int) throws -> [[UInt8]] {
        var parts: [[UInt8]] = []
        let last = try writer(partSize: partSize) { parts += $0.takeFullParts().map { $0.encoded() } }
        parts += last.changesets(atMost: .max).map { $0.encoded() }
        guard parts.count > maxParts else { return parts }
        return try changesets(partSize: partSize, maxParts: maxParts).map { $0.encoded() }
    }

    /// Returns a writer with the changes that `didWriteObject` hasn't taken.
    private func writer(partSize: Int, didWriteObject: (inout RowWriter) -> Void) throws -> RowWriter {
        var writer = RowWriter(self, partSize: partSize)
        let names = tables.keys.sorted()
        for instruction in schemaInstructions { writer.append(instruction) }
        for name in names {
            for key in try keys(of: name) {
                let object = ObjectReference(name, key)
                writer.append(.createObject(object))
                try writer.addPlain(object, of: self)
                didWriteObject(&writer)
            }
        }
        for name in names where hasLinksOrCollections(name) {
            for key in try keys(of: name) {
                try writer.addLinksAndCollections(ObjectReference(name, key), of: self)
                didWriteObject(&writer)
            }
        }
        return writer
    }
}

extension PartitionState {
    var schemaInstructions: [Instruction] {
        let classes = tables.sorted { $0.key < $1.key }.map(\.value)
        return classes.map { .addTable($0.definition) }
            + classes.flatMap { table in
                table.columns.values.sorted { $0.number < $1.number }.map { .addColumn($0.definition) }
            }
    }

    /// Whether rows of the class can have links and collections.
    func hasLinksOrCollections(_ name: Text) -> Bool {
        tables[name]?.columns.values.allSatisfy(\.definition.isPlain) == false
    }

    /// Returns the instructions that create each of the objects with all values.
    ///
    /// - Throws: `StorageError`.
    func creations(of objects: [ObjectReference]) throws -> [[Instruction]] {
        guard !objects.isEmpty else { return [] }
        var writer = RowWriter(self, partSize: .max)
        return try objects.map { object in
            writer.append(.createObject(object))
            writer.add(try row(of: object) ?? [:], of: object)
            return writer.takeInstructions()
        }
    }
}

struct RowWriter {
    /// The definitions by class and slot.
    var columns: [Text: [Text: ColumnDefinition]]
    private let size: Int
    private var encoder = ChangesetEncoder()
    private var parts: [[Instruction]] = [[]]

    init(_ state: PartitionState, partSize: Int) {
        self.init(
            columns: state.tables.mapValues { table in
                Dictionary(uniqueKeysWithValues: table.columns.values.map { ($0.slot, $0.definition) })
            }, partSize: partSize)
    }

    init(columns: [Text: [Text: ColumnDefinition]], partSize: Int) {
        self.columns = columns
        size = partSize
    }

    /// The object must not have the contents yet.
    mutating func add(
        _ row: PartitionState.Row, of object: ObjectReference,
        where isWanted: (PartitionState.Content) -> Bool = { _ in true }
    ) {
        for (slot, content) in row where isWanted(content) {
            guard let column = columns[object.table]?[slot] else { continue }
            add(content, at: Place(object, column.column.name), column)
        }
    }

    /// - Throws: `StorageError`.
    mutating func addPlain(_ object: ObjectReference, of state: PartitionState) throws {
        add(try state.row(of: object) ?? [:], of: object) { $0.isPlain }
    }

    /// The targets of links exist if all objects were created before.
    ///
    /// - Throws: `StorageError`.
    mutating func addLinksAndCollections(_ object: ObjectReference, of state: PartitionState) throws {
        add(try state.row(of: object) ?? [:], of: object) { !$0.isPlain }
    }

    /// The property must be empty.
    mutating func add(_ content: PartitionState.Content, at place: Place, _ column: ColumnDefinition) {
        if column.collection == .single, let value = content.beginning {
            append(.change(place, .update(value, isDefault: false)))
        }
        addInside(content, at: place)
    }

    /// Inserts an element into a list.
    mutating func insert(_ element: PartitionState.Content, at place: Place, priorSize: Int) {
        append(.change(place, .insert(element.beginning ?? .null, priorSize: priorSize)))
        addInside(element, at: place)
    }

    /// Sets the value of a key.
    mutating func put(_ member: PartitionState.Content, at place: Place) {
        append(.change(place, .update(member.beginning ?? .null, isDefault: false)))
        addInside(member, at: place)
    }

    /// The collection or object must be empty.
    private mutating func addInside(_ content: PartitionState.Content, at place: Place) {
        switch content {
        case .value: break
        case .set(let elements): for element in elements { append(.change(place, .setInsert(element))) }
        case .list(let elements):
            for (index, element) in elements.elements.enumerated() {
                insert(element, at: place.appending(.index(index)), priorSize: index)
            }
        case .dictionary(let members):
            for (key, member) in members { put(member, at: place.appending(.key(key))) }
        case .object(let name, let members):
            for (slot, member) in members {
                guard let column = columns[name]?[slot] else { continue }
                add(member, at: place.appending(.key(column.column.name)), column)
            }
        }
    }

    // MARK: Parts

    mutating func append(_ instruction: Instruction) {
        if encoder.bytes.count > size {
            parts.append([])
            encoder = ChangesetEncoder()
        }
        encoder.append(instruction)
        parts[parts.count - 1].append(instruction)
    }

    mutating func takeInstructions() -> [Instruction] {
        defer { (parts, encoder) = ([[]], ChangesetEncoder()) }
        return Array(parts.joined())
    }

    mutating func takeFullParts() -> [Changeset] {
        guard parts.count > 1 else { return [] }
        defer { parts.removeFirst(parts.count - 1) }
        return parts.dropLast().map { Changeset($0) }
    }

    /// Joins parts if there are more than `count`.
    func changesets(atMost count: Int) -> [Changeset] {
        if parts.count == 1, parts[0].isEmpty { return [] }
        let share = parts.count / count + (parts.count % count == 0 ? 0 : 1)
        return stride(from: 0, to: parts.count, by: share).map { start in
            Changeset(Array(parts[start..<min(start + share, parts.count)].joined()))
        }
    }
}

extension ColumnDefinition {
    fileprivate var isPlain: Bool { collection == .single && type != .link && type != .null }
}

extension PartitionState.Content {
    fileprivate var isPlain: Bool {
        switch self {
        case .value(.link): false
        case .value: true
        case .list, .set, .dictionary, .object: false
        }
    }

    /// A collection or an object is created empty and then filled.
    fileprivate var beginning: SyncValue? {
        switch self {
        case .value(let value): value
        case .list: .list
        case .dictionary: .dictionary
        case .set: nil
        case .object: .object
        }
    }
}

extension Place {
    func appending(_ element: PathElement) -> Place {
        var place = self
        place.path = Path(path.elements + [element])
        return place
    }
}

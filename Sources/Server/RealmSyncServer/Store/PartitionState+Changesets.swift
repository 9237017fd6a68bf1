// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSyncCore

extension PartitionState {
    /// Changes that create the state from nothing: first the classes, then the objects with their plain values, then
    /// links and collections, so that the target of each link exists.
    ///
    /// Objects are ordered by their primary keys, each followed by its values, so a client appends each row, and each
    /// key to its index.
    ///
    /// - Parameters:
    ///   - partSize: the size at which a changeset ends; it includes the instruction that crosses it.
    ///   - maxParts: the maximum number of changesets.
    func changesets(partSize: Int, maxParts: Int) -> [Changeset] {
        var writer = RowWriter(
            columns: tables.mapValues { table in
                Dictionary(uniqueKeysWithValues: table.columns.values.map { ($0.slot, $0.definition) })
            }, partSize: partSize)
        let classes = tables.sorted { $0.key < $1.key }.map { (name: $0, table: $1, keys: $1.objects.keys.sorted()) }
        for (_, table, _) in classes { writer.append(.addTable(table.definition)) }
        for (_, table, _) in classes {
            for column in table.columns.values.sorted(by: { $0.number < $1.number }) {
                writer.append(.addColumn(column.definition))
            }
        }
        for (name, table, keys) in classes {
            for key in keys {
                let object = ObjectReference(name, key)
                writer.append(.createObject(object))
                writer.add(table.objects[key] ?? [:], of: object) { $0.isPlain }
            }
        }
        for (name, table, keys) in classes where !table.columns.values.allSatisfy(\.definition.isPlain) {
            for key in keys { writer.add(table.objects[key] ?? [:], of: ObjectReference(name, key)) { !$0.isPlain } }
        }
        return writer.changesets(atMost: maxParts)
    }
}

/// Creates the instructions for the contents of objects, in parts of about one size.
struct RowWriter {
    /// The properties of each class, by their keys in rows.
    var columns: [Text: [Text: ColumnDefinition]]
    private let size: Int
    private var encoder = ChangesetEncoder()
    private var parts: [[Instruction]] = [[]]

    init(columns: [Text: [Text: ColumnDefinition]], partSize: Int) {
        self.columns = columns
        size = partSize
    }

    /// Adds the instructions that set the wanted contents of `row` in an existing object without these contents.
    mutating func add(
        _ row: PartitionState.Row, of object: ObjectReference,
        where isWanted: (PartitionState.Content) -> Bool = { _ in true }
    ) {
        for (slot, content) in row where isWanted(content) {
            guard let column = columns[object.table]?[slot] else { continue }
            add(content, at: Place(object, column.column.name), column)
        }
    }

    /// Adds the instructions that set an empty property to `content`.
    private mutating func add(_ content: PartitionState.Content, at place: Place, _ column: ColumnDefinition) {
        if column.collection == .single, let value = content.beginning {
            append(.change(place, .update(value, isDefault: false)))
        }
        addInside(content, at: place)
    }

    /// Adds the instructions that fill an existing, empty collection or object.
    private mutating func addInside(_ content: PartitionState.Content, at place: Place) {
        switch content {
        case .value: break
        case .set(let elements): for element in elements { append(.change(place, .setInsert(element))) }
        case .list(let elements):
            for (index, element) in elements.elements.enumerated() {
                let inner = place.appending(.index(index))
                append(.change(inner, .insert(element.beginning ?? .null, priorSize: index)))
                addInside(element, at: inner)
            }
        case .dictionary(let members):
            for (key, member) in members {
                let inner = place.appending(.key(key))
                append(.change(inner, .update(member.beginning ?? .null, isDefault: false)))
                addInside(member, at: inner)
            }
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

    /// Returns the full parts, and removes them from the writer.
    mutating func takeFullParts() -> [Changeset] {
        defer { parts.removeFirst(parts.count - 1) }
        return parts.dropLast().map { Changeset($0) }
    }

    /// Returns all parts; some of them are joined if there are more than `count`.
    func changesets(atMost count: Int) -> [Changeset] {
        if parts.count == 1, parts[0].isEmpty { return [] }
        let share = parts.count / count + (parts.count % count == 0 ? 0 : 1)
        return stride(from: 0, to: parts.count, by: share).map { start in
            Changeset(Array(parts[start..<min(start + share, parts.count)].joined()))
        }
    }
}

extension ColumnDefinition {
    /// Whether all its values are plain.
    fileprivate var isPlain: Bool { collection == .single && type != .link && type != .null }
}

extension PartitionState.Content {
    /// Whether it's a plain value: not a link, a collection or an object.
    fileprivate var isPlain: Bool {
        switch self {
        case .value(.link): false
        case .value: true
        case .list, .set, .dictionary, .object: false
        }
    }

    /// The initial value: a collection or an object is created first, and filled then.
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
    fileprivate func appending(_ element: PathElement) -> Place {
        var place = self
        place.path = Path(path.elements + [element])
        return place
    }
}

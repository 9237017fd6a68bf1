// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSyncCore

/// The destination of instructions.
protocol InstructionOutput {
    mutating func append(_ instruction: Instruction)
}

/// Writes the contents of objects as instructions.
struct RowWriter<Output: InstructionOutput> {
    /// The definitions by class and slot.
    let columns: [Text: [Text: ColumnDefinition]]
    var output: Output
    /// Those of the class of the last object.
    private var last: (table: Text, columns: [Text: ColumnDefinition]) = ("", [:])

    init(_ state: PartitionObjects, _ output: Output) { self.init(columns: state.columnsBySlot, output) }

    init(columns: [Text: [Text: ColumnDefinition]], _ output: Output) {
        (self.columns, self.output) = (columns, output)
    }

    mutating func append(_ instruction: Instruction) { output.append(instruction) }

    /// The object must not have the contents yet.
    mutating func add(
        _ row: ObjectRow, of object: ObjectReference,
        where isWanted: (ObjectContent) -> Bool = { _ in true }
    ) {
        if last.table != object.table { last = (object.table, columns[object.table] ?? [:]) }
        for (slot, content) in row where isWanted(content) {
            guard let column = last.columns[slot] else { continue }
            add(content, at: Place(object, column.column.name), column)
        }
    }

    /// The property must be empty.
    mutating func add(_ content: ObjectContent, at place: Place, _ column: ColumnDefinition) {
        if column.collection == .single, let value = content.beginning {
            append(.change(place, .update(value, isDefault: false)))
        }
        addInside(content, at: place)
    }

    /// Inserts an element into a list.
    mutating func insert(_ element: ObjectContent, at place: Place, priorSize: Int) {
        append(.change(place, .insert(element.beginning ?? .null, priorSize: priorSize)))
        addInside(element, at: place)
    }

    /// Sets the value of a key.
    mutating func put(_ member: ObjectContent, at place: Place) {
        append(.change(place, .update(member.beginning ?? .null, isDefault: false)))
        addInside(member, at: place)
    }

    /// The collection or object must be empty.
    private mutating func addInside(_ content: ObjectContent, at place: Place) {
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
}

extension ObjectContent {
    /// Neither a link nor a collection or an object.
    var isPlain: Bool {
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

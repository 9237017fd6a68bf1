// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

enum Codec {
    static let internRecord: Int64 = 0x3F
}

/// Writes a changeset as clients do: each string is interned right before the first instruction that uses it.
package struct ChangesetEncoder {
    private var records = ByteWriter()
    private var indexes: [Text: Int] = [:]
    /// The last names of classes and properties, most of which occur again soon.
    private var recent: [(text: Text, index: Int)] = []
    private static let maxRecent = 8
    /// The current instruction. Its strings are interned before it is written.
    private var operands = ByteWriter()

    package init() {}

    package var bytes: [UInt8] { records.bytes }

    package mutating func append(_ instruction: Instruction) {
        operands.clear()
        switch instruction {
        case .addTable(let definition): table(definition)
        case .eraseTable(let name):
            operands.int(1)
            self.name(name)
        case .createObject(let object):
            operands.int(2)
            self.object(object)
        case .eraseObject(let object):
            operands.int(3)
            self.object(object)
        case .addColumn(let definition): column(definition)
        case .eraseColumn(let column):
            operands.int(7)
            name(column.table)
            name(column.name)
        case .change(let place, let change): self.change(change, at: place)
        }
        records.raw(operands.bytes)
    }

    private mutating func change(_ change: Change, at place: Place) {
        operands.int(change.number)
        object(place.object)
        name(place.column)
        path(place.path)
        switch change {
        case .update(let value, let isDefault):
            self.value(value)
            operands.bool(isDefault)
        case .updateElement(let value, let size), .insert(let value, let size):
            self.value(value)
            operands.int(size)
        case .addInteger(let amount): operands.int(amount)
        case .move(let target, let size):
            operands.int(target)
            operands.int(size)
        case .erase(let size): operands.int(size)
        case .clear(let kind): operands.int(Int(kind.rawValue))
        case .setInsert(let value), .setErase(let value): self.value(value)
        }
    }

    private mutating func table(_ table: TableDefinition) {
        operands.int(0)
        name(table.name)
        switch table.kind {
        case .topLevel(let key): keyColumn(key, kind: 0)
        case .embedded: operands.int(1)
        case .asymmetric(let key): keyColumn(key, kind: 2)
        }
    }

    private mutating func keyColumn(_ key: PrimaryKeyColumn, kind: Int) {
        operands.int(kind)
        name(key.name)
        type(key.type)
        operands.bool(key.isNullable)
    }

    private mutating func column(_ definition: ColumnDefinition) {
        operands.int(6)
        name(definition.column.table)
        name(definition.column.name)
        type(definition.type)
        operands.bool(definition.isNullable)
        operands.int(Int(definition.collection.rawValue))
        if definition.type == .link { name(definition.target ?? "") }
        if definition.collection == .dictionary { type(.string) }
    }

    private mutating func type(_ type: ValueType) { operands.int(Int64(type.rawValue)) }

    private mutating func name(_ text: Text) {
        if let known = recent.first(where: { $0.text == text }) { return operands.int(known.index) }
        let index = string(text)
        if recent.count == Self.maxRecent { recent.removeFirst() }
        recent.append((text, index))
    }

    /// Writes the index of a string, which is interned before its first use, and returns it.
    @discardableResult
    private mutating func string(_ text: Text) -> Int {
        let next = indexes.count
        let index = indexes[text, default: next]
        if index == next {
            indexes[text] = next
            records.int(Codec.internRecord)
            records.int(next)
            records.text(text)
        }
        operands.int(index)
        return index
    }

    private mutating func object(_ object: ObjectReference) {
        name(object.table)
        type(object.key.type)
        switch object.key {
        case .null: break
        case .int(let value): operands.int(value)
        case .string(let text): string(text)
        case .objectId(let id): operands.raw(id.bytes)
        case .uuid(let uuid): operands.raw(uuid.bytes)
        case .globalKey(let high, let low):
            operands.int(Int64(bitPattern: high))
            operands.int(Int64(bitPattern: low))
        }
    }

    private mutating func path(_ path: Path) {
        operands.int(path.count)
        for position in 0..<path.count {
            switch path[position] {
            case .index(let index): operands.int(index)
            case .key(let key):
                operands.int(-1)
                name(key)
            }
        }
    }

    private mutating func value(_ value: SyncValue) {
        if case .link(let object) = value {
            type(.link)
            self.object(object)
        } else {
            operands.value(value)
        }
    }
}

extension ByteWriter {
    /// Writes a value with its type. Omits the content of a link, whose strings have to be interned.
    mutating func value(_ value: SyncValue) {
        int(Int64(value.type.rawValue))
        switch value {
        case .null, .object, .dictionary, .list, .set, .erased, .link: break
        case .int(let value): int(value)
        case .bool(let value): bool(value)
        case .string(let value): text(value)
        case .binary(let value): binary(value)
        case .timestamp(let value): timestamp(value)
        case .float(let value): fixed(value.bitPattern)
        case .double(let value): fixed(value.bitPattern)
        case .decimal(let value): decimal(value)
        case .objectId(let value): raw(value.bytes)
        case .uuid(let value): raw(value.bytes)
        }
    }
}

extension Change {
    fileprivate var number: Int {
        switch self {
        case .update, .updateElement: 4
        case .addInteger: 5
        case .insert: 8
        case .move: 9
        case .erase: 10
        case .clear: 11
        case .setInsert: 12
        case .setErase: 13
        }
    }
}

extension Changeset {
    /// Returns the bytes that `init(decoding:)` reads; empty for a changeset without instructions.
    package func encoded() -> [UInt8] {
        var encoder = ChangesetEncoder()
        for instruction in instructions { encoder.append(instruction) }
        return encoder.bytes
    }
}

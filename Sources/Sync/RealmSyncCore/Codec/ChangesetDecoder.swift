// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// Reads a changeset record by record (§3.2 to 3.4).
///
/// Accepts the same input as the original, except input that the original misreads: truncated type numbers and indexes,
/// negative path elements other than −1, and strings that aren't UTF-8.
package struct ChangesetDecoder {
    private var reader: ByteReader
    /// The strings of the intern records read so far, in order.
    package private(set) var strings: [Text] = []
    private var known: Set<Text> = []

    /// Whether the input is a series of changesets, each with its own strings.
    private let isSeries: Bool

    package init(_ bytes: [UInt8], isSeries: Bool = false) {
        reader = ByteReader(bytes)
        self.isSeries = isSeries
    }

    package mutating func next() throws(ChangesetError) -> Instruction? {
        while !reader.isAtEnd {
            let start = reader.offset
            let number = try reader.int()
            if number == Codec.internRecord {
                try addString()
            } else {
                return try instruction(number, at: start)
            }
        }
        return nil
    }

    private mutating func addString() throws(ChangesetError) {
        let start = reader.offset
        let index = try reader.int()
        if isSeries, index == 0 { (strings, known) = ([], []) }
        guard index == strings.count else {
            throw ChangesetError("interned text \(index) follows \(strings.count) others", at: start)
        }
        let text = try reader.text()
        guard known.insert(text).inserted else { throw ChangesetError("a text is interned twice", at: start) }
        strings.append(text)
    }

    private mutating func instruction(_ number: Int64, at start: Int) throws(ChangesetError) -> Instruction {
        switch number {
        case 0: return .addTable(try table())
        case 1: return .eraseTable(try name())
        case 2: return .createObject(try object())
        case 3: return .eraseObject(try object())
        case 4: return try update()
        case 5: return .change(try place(), .addInteger(try reader.int()))
        case 6: return .addColumn(try column())
        case 7: return .eraseColumn(try columnName())
        case 8: return .change(try element(), .insert(try value(), priorSize: try size()))
        case 9: return .change(try element(), .move(to: try reader.unsigned("an index"), priorSize: try size()))
        case 10: return .change(try element(), .erase(priorSize: try size()))
        case 11: return .change(try place(), .clear(try collection()))
        case 12: return .change(try place(), .setInsert(try value()))
        case 13: return .change(try place(), .setErase(try value()))
        default: throw ChangesetError("there is no instruction \(number)", at: start)
        }
    }

    private mutating func update() throws(ChangesetError) -> Instruction {
        let place = try place()
        let value = try value()
        return place.path.lastIndex == nil
            ? .change(place, .update(value, isDefault: try reader.bool()))
            : .change(place, .updateElement(value, priorSize: try size()))
    }

    // MARK: Schema

    private mutating func table() throws(ChangesetError) -> TableDefinition {
        let name = try name()
        let start = reader.offset
        switch try reader.int() {
        case 0: return TableDefinition(name, .topLevel(try keyColumn()))
        case 1: return TableDefinition(name, .embedded)
        case 2: return TableDefinition(name, .asymmetric(try keyColumn()))
        case let kind: throw ChangesetError("there is no kind \(kind) of class", at: start)
        }
    }

    private mutating func keyColumn() throws(ChangesetError) -> PrimaryKeyColumn {
        let name = try name()
        let start = reader.offset
        let type = try type()
        guard type.canBePrimaryKey else { throw ChangesetError("a primary key cannot be of type \(type)", at: start) }
        return PrimaryKeyColumn(name, type, isNullable: try reader.bool())
    }

    private mutating func columnName() throws(ChangesetError) -> ColumnReference {
        ColumnReference(try name(), try name())
    }

    private mutating func column() throws(ChangesetError) -> ColumnDefinition {
        let column = try columnName()
        let type = try type()
        let isNullable = try reader.bool()
        let collection = try collection()
        let target = type == .link ? try name() : nil
        if collection == .dictionary {
            let start = reader.offset
            guard try self.type() == .string else { throw ChangesetError("dictionaries have texts as keys", at: start) }
        }
        return ColumnDefinition(column, type, isNullable: isNullable, collection, target: target)
    }

    private mutating func type() throws(ChangesetError) -> ValueType {
        let start = reader.offset
        let number = try reader.int()
        guard let type = Int8(exactly: number).flatMap(ValueType.init) else {
            throw ChangesetError("there is no type \(number)", at: start)
        }
        return type
    }

    private mutating func collection() throws(ChangesetError) -> CollectionKind {
        let start = reader.offset
        let number = try reader.int()
        guard let kind = UInt8(exactly: number).flatMap(CollectionKind.init) else {
            throw ChangesetError("there is no kind \(number) of collection", at: start)
        }
        return kind
    }

    // MARK: Locations

    private mutating func name() throws(ChangesetError) -> Text {
        let start = reader.offset
        let index = try reader.int()
        guard index >= 0, index < strings.count else {
            throw ChangesetError("text \(index) is not interned", at: start)
        }
        return strings[Int(index)]
    }

    private mutating func object() throws(ChangesetError) -> ObjectReference { ObjectReference(try name(), try key()) }

    private mutating func key() throws(ChangesetError) -> PrimaryKey {
        let start = reader.offset
        switch try type() {
        case .null: return .null
        case .int: return .int(try reader.int())
        case .string: return .string(try name())
        case .objectId: return .objectId(ObjectIdBytes(bytes: try reader.slice(ObjectIdBytes.byteCount)))
        case .uuid: return .uuid(UUIDBytes(bytes: try reader.slice(UUIDBytes.byteCount)))
        case .globalKey:
            return .globalKey(high: UInt64(bitPattern: try reader.int()), low: UInt64(bitPattern: try reader.int()))
        case let type: throw ChangesetError("a primary key cannot be of type \(type)", at: start)
        }
    }

    private mutating func place() throws(ChangesetError) -> Place {
        Place(try object(), try name(), try path())
    }

    private mutating func element() throws(ChangesetError) -> Place {
        let start = reader.offset
        let place = try place()
        guard place.path.lastIndex != nil else {
            throw ChangesetError("the path of a list instruction does not end in an index", at: start)
        }
        return place
    }

    private mutating func path() throws(ChangesetError) -> Path {
        let start = reader.offset
        let count = try reader.unsigned("the length of a path")
        guard count <= reader.remaining else { throw ChangesetError("a path is longer than the changeset", at: start) }
        if count == 0 { return .empty }
        if count == 1 { return .one(try pathElement()) }
        var elements: [PathElement] = []
        elements.reserveCapacity(count)
        for _ in 0..<count { elements.append(try pathElement()) }
        return .many(elements)
    }

    private mutating func pathElement() throws(ChangesetError) -> PathElement {
        let start = reader.offset
        let number = try reader.int()
        if number == -1 { return .key(try name()) }
        guard let index = UInt32(exactly: number) else {
            throw ChangesetError("\(number) isn't a path element", at: start)
        }
        return .index(Int(index))
    }

    private mutating func size() throws(ChangesetError) -> Int { try reader.unsigned("the size of a list") }

    // MARK: Values

    private mutating func value() throws(ChangesetError) -> SyncValue {
        let start = reader.offset
        switch try type() {
        case .null: return .null
        case .int: return .int(try reader.int())
        case .bool: return .bool(try reader.bool())
        case .string: return .string(try reader.text())
        case .binary: return .binary(Array(try reader.binary()))
        case .timestamp: return .timestamp(try reader.timestamp())
        case .float: return .float(Float(bitPattern: try reader.fixed(UInt32.self)))
        case .double: return .double(Double(bitPattern: try reader.fixed(UInt64.self)))
        case .decimal: return .decimal(try reader.decimal())
        case .link: return .link(try object())
        case .objectId: return .objectId(ObjectIdBytes(bytes: try reader.slice(ObjectIdBytes.byteCount)))
        case .uuid: return .uuid(UUIDBytes(bytes: try reader.slice(UUIDBytes.byteCount)))
        case .object: return .object
        case .dictionary: return .dictionary
        case .list: return .list
        case .set: return .set
        case .erased: return .erased
        case .globalKey: throw ChangesetError("a value cannot be a global key", at: start)
        }
    }
}

extension Changeset {
    package init(decoding bytes: [UInt8]) throws(ChangesetError) { try self.init(ChangesetDecoder(bytes)) }

    /// Decodes a concatenation of changesets as one changeset.
    package init(decodingSeries bytes: [UInt8]) throws(ChangesetError) {
        try self.init(ChangesetDecoder(bytes, isSeries: true))
    }

    private init(_ decoder: ChangesetDecoder) throws(ChangesetError) {
        var decoder = decoder
        var instructions: [Instruction] = []
        while let instruction = try decoder.next() { instructions.append(instruction) }
        self.init(instructions)
    }
}

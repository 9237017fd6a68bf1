// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmSyncCore
import RealmTestSupport

/// The form of the fixtures (their README, 1). Reading doesn't use the decoder that is tested with it.
extension Instruction {
    package init(json: JSON) throws {
        let table = Text(try json.string("class"))
        switch try json.string("op") {
        case "AddTable": self = .addTable(TableDefinition(table, try TableDefinition.Kind(json: json)))
        case "EraseTable": self = .eraseTable(table)
        case "AddColumn": self = .addColumn(try ColumnDefinition(json: json))
        case "EraseColumn": self = .eraseColumn(ColumnReference(table, Text(try json.string("field"))))
        case "CreateObject": self = .createObject(try ObjectReference(json: json))
        case "EraseObject": self = .eraseObject(try ObjectReference(json: json))
        case let name: self = .change(try Place(json: json), try Change(name, json: json))
        }
    }
}

extension Changeset {
    package init(json: JSON) throws {
        self.init(try unwrap(json.elements).map { try Instruction(json: $0) })
    }
}

extension Change {
    fileprivate init(_ name: String, json: JSON) throws {
        switch name {
        case "Update":
            let value = try SyncValue(json: try json.member("value"))
            if let isDefault = json["default"]?.bool {
                self = .update(value, isDefault: isDefault)
            } else {
                self = .updateElement(value, priorSize: try json.int("priorSize"))
            }
        case "AddInteger": self = .addInteger(try unwrap(try json.member("amount").integer()))
        case "ArrayInsert":
            self = .insert(try SyncValue(json: try json.member("value")), priorSize: try json.int("priorSize"))
        case "ArrayMove": self = .move(to: try json.int("to"), priorSize: try json.int("priorSize"))
        case "ArrayErase": self = .erase(priorSize: try json.int("priorSize"))
        case "Clear": self = .clear(try CollectionKind(name: try json.string("collection")))
        case "SetInsert": self = .setInsert(try SyncValue(json: try json.member("value")))
        case "SetErase": self = .setErase(try SyncValue(json: try json.member("value")))
        default: throw Failure("no instruction \(name)")
        }
    }
}

extension CollectionKind {
    package init(name: String) throws {
        self = try unwrap(CollectionKind.allCases.first { "\($0)" == name }, "no collection \(name)")
    }
}

extension ValueType {
    package init(name: String) throws {
        self = name == "mixed" ? .null : try unwrap(ValueType.allCases.first { "\($0)" == name }, "no type \(name)")
    }
}

extension TableDefinition.Kind {
    fileprivate init(json: JSON) throws {
        switch try json.string("kind") {
        case "topLevel": self = .topLevel(try PrimaryKeyColumn(json: json))
        case "asymmetric": self = .asymmetric(try PrimaryKeyColumn(json: json))
        default: self = .embedded
        }
    }
}

extension PrimaryKeyColumn {
    fileprivate init(json: JSON) throws {
        self.init(
            Text(try json.string("pk")), try ValueType(name: try json.string("pkType")),
            isNullable: try json.member("pkNullable") == true)
    }
}

extension ColumnDefinition {
    fileprivate init(json: JSON) throws {
        self.init(
            ColumnReference(Text(try json.string("class")), Text(try json.string("field"))),
            try ValueType(name: try json.string("type")), isNullable: try json.member("nullable") == true,
            try CollectionKind(name: try json.string("collection")), target: json["target"]?.text.map { Text($0) })
    }
}

extension Place {
    fileprivate init(json: JSON) throws {
        let path = try (json["path"]?.elements ?? []).map { element in
            if let index: Int = element.integer() { return PathElement.index(index) }
            let key = try unwrap(element.text)
            return PathElement.key(Text(key))
        }
        self.init(try ObjectReference(json: json), Text(try json.string("field")), Path(path))
    }
}

extension ObjectReference {
    fileprivate init(json: JSON) throws {
        self.init(Text(try json.string("class")), try PrimaryKey(json: try json.member("object")))
    }
}

extension PrimaryKey {
    package init(json: JSON) throws {
        if json.isNull {
            self = .null
            return
        }
        let member = try unwrap(json.members?.first)
        switch member.name {
        case "int": self = .int(try unwrap(member.value.integer()))
        case "string": self = .string(Text(try unwrap(member.value.text)))
        case "objectId": self = .objectId(ObjectIdBytes(bytes: try bytes(of: member.value)))
        case "uuid": self = .uuid(UUIDBytes(bytes: try bytes(of: member.value)))
        case "globalKey":
            let parts = try unwrap(member.value.elements)
            let high: UInt64 = try unwrap(parts[0].integer())
            let low: UInt64 = try unwrap(parts[1].integer())
            self = .globalKey(high: high, low: low)
        default: throw Failure("no primary key: \(json)")
        }
    }
}

extension SyncValue {
    package init(json: JSON) throws {
        if json.isNull {
            self = .null
            return
        }
        let member = try unwrap(json.members?.first)
        let value = member.value
        switch member.name {
        case "int": self = .int(try unwrap(value.integer()))
        case "bool": self = .bool(value == true)
        case "string": self = .string(Text(try unwrap(value.text)))
        case "binary": self = .binary(try bytes(of: value))
        case "timestamp":
            let parts = try unwrap(value.elements)
            let seconds: Int64 = try unwrap(parts[0].integer())
            let nanoseconds: Int32 = try unwrap(parts[1].integer())
            self = .timestamp(Timestamp(seconds: seconds, nanoseconds: nanoseconds))
        case "float": self = .float(Float(bitPattern: UInt32(try bits(value))))
        case "double": self = .double(Double(bitPattern: try bits(value)))
        case "decimal": self = .decimal(try DecimalBits(json: value))
        case "objectId": self = .objectId(ObjectIdBytes(bytes: try bytes(of: value)))
        case "uuid": self = .uuid(UUIDBytes(bytes: try bytes(of: value)))
        case "link", "deadLink":
            let parts = try unwrap(value.elements)
            let table = try unwrap(parts[0].text)
            self = .link(ObjectReference(Text(table), try PrimaryKey(json: parts[1])))
        case "special":
            let all: [SyncValue] = [.object, .dictionary, .list, .set, .erased]
            self = try unwrap(all.first { "\($0)" == value.text })
        default: throw Failure("no value: \(json)")
        }
    }
}

extension DecimalBits {
    fileprivate init(json: JSON) throws {
        let exponent = try json.int("exponent")
        let digits = try json.string("coefficient")
        let isNegative = try json.member("negative") == true
        // Infinities and NaNs have exponents beyond those of any number's text.
        guard exponent > 6111 else {
            self = try unwrap(DecimalBits("\(isNegative ? "-" : "")\(digits)E\(exponent)"))
            return
        }
        try require(digits == "0", "a special decimal with digits")
        self.init(low: 0, high: (isNegative ? 1 << 63 : 0) | UInt64(exponent + 6176) << 49)
    }
}

private func bytes(of json: JSON) throws -> [UInt8] {
    let text = try unwrap(json.text)
    return try unwrap(Hexadecimal.bytes(text.filter { $0 != "-" }), "no bytes: \(text)")
}

private func bits(_ json: JSON) throws -> UInt64 { try unwrap(json.text.flatMap { UInt64($0, radix: 16) }) }

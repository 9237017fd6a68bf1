// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmValues

/// Values as JSON.
///
/// `realm export`, `realm import` and `realm diff` use the exchange form. If the class declares the type of a value,
/// it's a bare JSON value. In mixed values, a value of a type that JSON lacks is an object with one member, whose name
/// begins with `$`. Members of dictionaries there that begin with `$` get another `$`.
///
/// The plain form is for people and other programs: values don't contain their types, and links are the classes and
/// keys of their targets.
package struct ValueText {
    let names: ObjectNames
    private let isPlain: Bool
    /// Whether elements of sets are sorted by their text, for comparison with those of another file.
    var ordersSets = false

    package init(_ source: any TableSource, isPlain: Bool = false) {
        names = ObjectNames(source)
        self.isPlain = isPlain
    }

    package func write(_ value: DetachedValue, of column: Column, _ json: inout JSONText) throws {
        try write(value, isMixed: column.type == .mixed && !isPlain, &json)
    }

    /// Returns the text of a property for a cell of a table: a single value as plain text, all others as JSON; nil for
    /// null.
    package func cell(_ value: DetachedValue, of column: Column) throws -> String? {
        switch value {
        case .plain(.null): return nil
        case .plain(let stored) where isPlain || column.type != .mixed: return text(stored)
        case .link(let object) where !isPlain && column.type != .mixed:
            return try names.name(object).name.flatMap { $0.isNull ? nil : ValueText.plain($0) }
        default:
            var json = JSONText()
            try write(value, of: column, &json)
            return String(decoding: json.bytes, as: UTF8.self)
        }
    }

    package func writeMembers(_ values: [DetachedValue], of table: Table, _ json: inout JSONText) throws {
        for (column, value) in zip(table.publicColumns, values) {
            json.member(isPlain ? column.name : ValueText.escaped(column.name))
            try write(value, of: column, &json)
        }
    }

    /// `isMixed`: the property can hold values of any type.
    package func write(_ value: DetachedValue, isMixed: Bool, _ json: inout JSONText) throws {
        switch value {
        case .plain(let stored): write(stored, isMixed: isMixed, &json)
        case .link(let object): try write(object, isMixed: isMixed, &json)
        case .object(let table, let values): try write(values, of: table, &json)
        case .list(let elements): try json.array(elements) { try write($1, isMixed: isMixed, &$0) }
        case .set(let elements):
            var texts = try elements.map { element in
                var text = JSONText()
                try write(element, isMixed: isMixed, &text)
                return text
            }
            if ordersSets { texts.sort { $0.bytes.lexicographicallyPrecedes($1.bytes) } }
            json.array(texts) { $0.raw($1) }
        case .dictionary(let entries):
            try json.object { json in
                for entry in entries {
                    json.member(isMixed ? ValueText.escaped(entry.key) : entry.key)
                    try write(entry.value, isMixed: isMixed, &json)
                }
            }
        }
    }

    package static func escaped(_ name: String) -> String { name.utf8.first == UInt8(ascii: "$") ? "$" + name : name }

    private func write(_ values: [DetachedValue], of table: TableKey, _ json: inout JSONText) throws {
        guard let table = try names.source.table(table) else { return json.null() }
        try json.object { try writeMembers(values, of: table, &$0) }
    }

    private func write(_ object: ObjectName, isMixed: Bool, _ json: inout JSONText) throws {
        if isPlain, case .key(let table, let key) = object {
            return try json.object {
                $0.member("class", try names.source.table(table)?.className)
                $0.member("key", key.rawValue)
            }
        }
        let (table, name) = try names.name(object)
        guard let name else { return json.null() }
        guard isMixed else { return write(name, isMixed: false, &json) }
        json.object {
            $0.member("$link")
            $0.raw("[")
            $0.string(table?.className ?? table?.name)
            $0.raw(",")
            write(name, isMixed: true, &$0)
            $0.raw("]")
        }
    }

    private func write(_ value: StoredValue, isMixed: Bool, _ json: inout JSONText) {
        switch value {
        case .null: json.null()
        case .int(let number): json.integer(number)
        case .bool(let flag): json.bool(flag)
        case .string(let text): json.string(text)
        case .double(let number) where number.isFinite: json.raw(number.description)
        case .float(let number) where number.isFinite && !isMixed: json.raw(number.description)
        default:
            let text = text(value)
            guard isMixed else { return json.string(text) }
            json.object { $0.member("$" + value.typeName, text) }
        }
    }

    private func text(_ value: StoredValue) -> String {
        switch value {
        case .float(let number) where !isPlain: number.exactText
        case .double(let number) where !isPlain: number.exactText
        case .decimal(let number) where !isPlain: number.exactText
        default: ValueText.plain(value)
        }
    }

    /// Returns the text of a value other than an object, a collection or null. Dates are in ISO 8601, data in
    /// hexadecimal digits.
    package static func plain(_ value: StoredValue) -> String {
        switch value {
        case .int(let number): number.description
        case .bool(let flag): flag ? "true" : "false"
        case .float(let number): number.description
        case .double(let number): number.description
        case .decimal(let number): number.description
        case .binary(let bytes): Hexadecimal.text(bytes)
        case .timestamp(let date): date.text
        case .objectId(let id): Hexadecimal.text(id.bytes)
        case .uuid(let id): Hexadecimal.uuid(id.bytes)
        case .string(let text): text
        case .null, .link, .typedLink, .list, .dictionary: ""
        }
    }
}

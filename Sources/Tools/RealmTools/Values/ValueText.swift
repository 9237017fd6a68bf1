// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// Values as JSON, in the form that `realm export` writes, `realm import` reads and `realm diff` compares.
///
/// If the class declares the type of a value, it's a bare JSON value. In mixed values, a value of a type that JSON
/// lacks is an object with one member, whose name begins with `$`; members of dictionaries there that begin with `$`
/// get another `$`.
package struct ValueText {
    let names: ObjectNames
    /// Whether elements of sets are sorted by their text, for comparison with those of another file.
    var ordersSets = false

    package init(_ source: any TableSource) { names = ObjectNames(source: source) }

    /// `isMixed`: the property can hold values of any type.
    package func write(_ value: PropertyValue, isMixed: Bool, _ json: inout JSONText) throws {
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
            json.raw("{")
            for entry in entries {
                json.member(isMixed ? ValueText.escaped(entry.key) : entry.key)
                try write(entry.value, isMixed: isMixed, &json)
            }
            json.raw("}")
        }
    }

    /// Whether a property can hold values of any type.
    package static func isMixed(_ column: Column) -> Bool { column.type == .mixed }

    /// Returns a name that isn't one of our `$name`s.
    package static func escaped(_ name: String) -> String { name.utf8.first == UInt8(ascii: "$") ? "$" + name : name }

    private func write(_ values: [PropertyValue], of table: TableKey, _ json: inout JSONText) throws {
        guard let table = try names.source.table(table) else { return json.null() }
        json.raw("{")
        for (column, value) in zip(table.publicColumns, values) {
            json.member(ValueText.escaped(column.name))
            try write(value, isMixed: ValueText.isMixed(column), &json)
        }
        json.raw("}")
    }

    private func write(_ object: ObjectName, isMixed: Bool, _ json: inout JSONText) throws {
        let (table, name) = try names.name(object)
        guard let name else { return json.null() }
        guard isMixed else { return write(name, isMixed: false, &json) }
        json.raw("{")
        json.member("$link")
        json.raw("[")
        json.string(table?.className ?? table?.name)
        json.raw(",")
        write(name, isMixed: true, &json)
        json.raw("]}")
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
            let text = PlainValues.text(value)
            guard isMixed else { return json.string(text) }
            json.raw("{")
            json.member("$" + value.typeName)
            json.string(text)
            json.raw("}")
        }
    }
}

// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmStorage
import RealmValues

package struct ValueParser {
    let source: any TableSource
    /// Whether text cells contain JSON if their property needs more than a text.
    let cellsHoldJSON: Bool

    package struct Mismatch: Error, CustomStringConvertible {
        package let message: String
        /// The property whose value doesn't fit; nil if the error doesn't concern a property.
        var property: String?

        package var description: String { property.map { "'\($0)' \(message)" } ?? message }
    }

    package init(source: any TableSource, cellsHoldJSON: Bool) {
        self.source = source
        self.cellsHoldJSON = cellsHoldJSON
    }

    /// Returns the values of some properties of an object.
    package func values(
        _ members: [(name: String, value: ForeignValue)], of table: Table
    ) throws -> [(column: Column, value: DetachedValue)] {
        try members.map { member in
            guard let column = table.column(named: member.name) else {
                throw Mismatch(message: "'\(table.className ?? table.name)' has no property '\(member.name)'")
            }
            return (column, try value(member.value, column, of: table))
        }
    }

    /// Throws for null if the property isn't optional.
    func value(_ raw: ForeignValue, _ column: Column, of table: Table) throws -> DetachedValue {
        do {
            return try anyValue(raw, column, of: table)
        } catch var error as Mismatch {
            error.property = column.name
            throw error
        }
    }

    private func anyValue(_ raw: ForeignValue, _ column: Column, of table: Table) throws -> DetachedValue {
        let target = column.type == .link ? try source.table(table.oppositeTables[column.leafIndex]) : nil
        var raw = raw
        if isStructured(column, target), cellsHoldJSON || column.type != .mixed, case .text(let text) = raw {
            raw = try json(text)
        }
        guard column.key.isCollection else { return try single(raw, column, target) }
        if raw.isNull { return column.key.isDictionary ? .dictionary([]) : column.key.isSet ? .set([]) : .list([]) }
        if column.key.isDictionary {
            guard case .object(let members) = raw else { throw mismatch("a JSON object") }
            return .dictionary(
                try entries(members, unescaping: column.type == .mixed) { try element($0, column, target) })
        }
        guard case .array(let elements) = raw else { throw mismatch("a JSON array") }
        let values = try elements.map { try element($0, column, target) }
        return column.key.isSet ? .set(values) : .list(values)
    }

    private func isStructured(_ column: Column, _ target: Table?) -> Bool {
        column.key.isCollection || column.type == .mixed || target?.isEmbedded == true
    }

    private func json(_ text: String) throws -> ForeignValue {
        do {
            return try ForeignValue(parsing: text)
        } catch {
            throw Mismatch(message: "no JSON: \(error.message)")
        }
    }

    // MARK: Single values

    private func element(_ raw: ForeignValue, _ column: Column, _ target: Table?) throws -> DetachedValue {
        if column.type == .link, raw.isNull, column.key.isDictionary { return .null }
        return try single(raw, column, target)
    }

    private func single(_ raw: ForeignValue, _ column: Column, _ target: Table?) throws -> DetachedValue {
        if column.type == .mixed { return try mixed(raw, depth: 0) }
        if raw.isNull {
            if column.key.isNullable || column.type == .link && !column.key.isCollection { return .null }
            throw Mismatch(message: "is null, which it cannot be; --map NAME:TYPE? makes it optional")
        }
        if let target { return target.isEmbedded ? try object(raw, target) : .link(try name(raw, target)) }
        return .plain(try plain(raw, column.type))
    }

    private func object(_ raw: ForeignValue, _ table: Table) throws -> DetachedValue {
        guard case .object(let members) = raw else { throw mismatch("a JSON object") }
        var given: [ByteText: ForeignValue] = [:]
        for member in members {
            let name = ValueParser.unescaped(member.name)
            guard given.updateValue(member.value, forKey: ByteText(name)) == nil else { throw twice(name) }
        }
        let values = try table.publicColumns.map { column -> DetachedValue in
            guard let raw = given.removeValue(forKey: ByteText(column.name)) else {
                return .plain(column.defaultValue)
            }
            return try value(raw, column, of: table)
        }
        if let name = given.keys.map(\.string).min() {
            throw Mismatch(message: "'\(table.className ?? table.name)' has no property '\(name)'")
        }
        return .object(table.key, values)
    }

    /// Returns the object identified by a primary key, or by an object key in a class without one.
    package func name(_ raw: ForeignValue, _ table: Table) throws -> ObjectName {
        if let primaryKey = table.primaryKey, let type = primaryKey.type {
            return .primaryKey(table.key, raw.isNull ? .null : try plain(raw, type))
        }
        guard case .int(let key) = try plain(raw, .int), key >= 0 else { throw mismatch("the key of an object") }
        return .key(table.key, ObjectKey(key))
    }

    func plain(_ raw: ForeignValue, _ type: ColumnType) throws -> StoredValue {
        switch type {
        case .int: return .int(try integer(raw))
        case .bool: return .bool(try bool(raw))
        case .float:
            // Converted directly from the text: conversion through Double would round twice.
            return .float(try number(raw))
        case .double: return .double(try double(raw))
        case .string: return .string(try limited(text(raw)))
        case .binary: return .binary(try binary(raw))
        case .timestamp: return .timestamp(try date(raw))
        case .decimal:
            guard let digits = raw.digits ?? raw.textual, let value = DecimalBits(exactText: digits) else {
                throw mismatch("a decimal number")
            }
            return .decimal(value)
        case .objectId: return .objectId(ObjectIdBytes(bytes: try hexadecimal(raw, ObjectIdBytes.byteCount)))
        case .uuid:
            guard let text = raw.textual, let id = UUID(uuidString: text) else { throw mismatch("a UUID") }
            return .uuid(withUnsafeBytes(of: id.uuid) { UUIDBytes(bytes: Array($0)) })
        default: throw mismatch("a value of type \(type.dumpName)")
        }
    }

    private func integer(_ raw: ForeignValue) throws -> Int64 {
        switch raw {
        case .integer(let number): return number
        case .real(let number): if let exact = Int64(exactly: number) { return exact }
        case .text(let text): if let number = Int64(text) { return number }
        default: break
        }
        throw mismatch("an integer of 64 bits")
    }

    private func bool(_ raw: ForeignValue) throws -> Bool {
        switch raw {
        case .bool(let flag): return flag
        case .integer(0): return false
        case .integer(1): return true
        case .text(let text):
            switch text.lowercased() {
            case "true", "1", "yes": return true
            case "false", "0", "no": return false
            default: break
            }
        default: break
        }
        throw mismatch("true or false")
    }

    private func double(_ raw: ForeignValue) throws -> Double {
        switch raw {
        case .integer(let number): return Double(number)
        case .real(let number): return number
        default: return try number(raw)
        }
    }

    private func number<Number: ExactlyWritten>(_ raw: ForeignValue) throws -> Number {
        guard let text = raw.digits ?? raw.textual, let number = Number(exactText: text) else {
            throw mismatch("a number")
        }
        return number
    }

    private func text(_ raw: ForeignValue) throws -> String {
        guard let text = raw.textual else { throw mismatch("a text") }
        return text
    }

    private func limited(_ text: String) throws -> String {
        guard text.utf8.count <= FileFormat.maximumStringByteCount else {
            throw Mismatch(message: "is too long a text")
        }
        return text
    }

    private func binary(_ raw: ForeignValue) throws -> [UInt8] {
        if case .bytes(let bytes) = raw { return bytes }
        return try hexadecimal(raw, nil)
    }

    private func hexadecimal(_ raw: ForeignValue, _ count: Int?) throws -> [UInt8] {
        guard let bytes = raw.textual.flatMap({ Hexadecimal.bytes($0) }), bytes.count == count ?? bytes.count else {
            throw mismatch(count.map { "\(2 * $0) hexadecimal digits" } ?? "hexadecimal digits")
        }
        return bytes
    }

    private func date(_ raw: ForeignValue) throws -> Timestamp {
        if case .integer(let seconds) = raw { return Timestamp(seconds: seconds, nanoseconds: 0) }
        guard let text = raw.textual, let date = Timestamp(text: text) else {
            throw mismatch("a date as in 2024-01-31T12:00:00Z")
        }
        return date
    }

    // MARK: Mixed

    private func mixed(_ raw: ForeignValue, depth: Int) throws -> DetachedValue {
        guard depth < FileFormat.maximumNestingLevel else { throw Mismatch(message: "is nested too deep") }
        switch raw {
        case .null: return .null
        case .bool(let flag): return .plain(.bool(flag))
        case .integer(let number): return .plain(.int(number))
        case .real(let number): return .plain(.double(number))
        case .number: return .plain(.double(try double(raw)))
        case .string(let text), .text(let text): return .plain(.string(try limited(text)))
        case .bytes(let bytes): return .plain(.binary(bytes))
        case .array(let elements): return .list(try elements.map { try mixed($0, depth: depth + 1) })
        case .object(let members):
            if let only = members.first, members.count == 1, only.name.hasPrefix("$"), !only.name.hasPrefix("$$") {
                return try tagged(String(only.name.dropFirst()), only.value)
            }
            return .dictionary(try entries(members, unescaping: true) { try mixed($0, depth: depth + 1) })
        }
    }

    private func entries(
        _ members: [(name: String, value: ForeignValue)], unescaping: Bool,
        _ value: (ForeignValue) throws -> DetachedValue
    ) throws -> [(key: String, value: DetachedValue)] {
        var known: Set<ByteText> = []
        return try members.map { member in
            let key = try validated(unescaping ? ValueParser.unescaped(member.name) : member.name)
            guard known.insert(ByteText(key)).inserted else { throw twice(key) }
            return (key, try value(member.value))
        }
    }

    private func twice(_ name: String) -> Mismatch { Mismatch(message: "has the member '\(name)' twice") }

    /// A key must be usable in key paths.
    private func validated(_ key: String) throws -> String {
        guard !key.utf8.contains(UInt8(ascii: ".")), key.utf8.first != UInt8(ascii: "$") else {
            throw Mismatch(message: "has the key '\(key)': a dictionary's key has no '.' and does not begin with '$'")
        }
        return key
    }

    /// Parses `{"$uuid": "…"}`: a value of a type that JSON lacks.
    private func tagged(_ tag: String, _ raw: ForeignValue) throws -> DetachedValue {
        if tag == "link" {
            guard case .array(let parts) = raw, parts.count == 2, case .string(let className) = parts[0],
                let table = try source.table(named: FileFormat.classPrefix + className)
            else { throw mismatch("[\"Class\", name] of an existing class") }
            let name = parts[1]["$" + (table.primaryKey?.type?.dumpName ?? "")] ?? parts[1]
            return .link(try self.name(name, table))
        }
        guard let type = ColumnType.allCases.first(where: { $0.dumpName == tag }) else {
            throw Mismatch(message: "has an unknown member '$\(tag)'")
        }
        return .plain(try plain(raw, type))
    }

    /// Reverses `ValueText.escaped`.
    package static func unescaped(_ name: String) -> String { name.hasPrefix("$$") ? String(name.dropFirst()) : name }

    private func mismatch(_ what: String) -> Mismatch { Mismatch(message: "is not \(what)") }
}

extension ForeignValue {
    var textual: String? {
        switch self {
        case .string(let text), .text(let text): text
        default: nil
        }
    }

    var digits: String? {
        switch self {
        case .integer(let number): String(number)
        case .real(let number): String(number)
        case .number(let text): text
        default: nil
        }
    }
}

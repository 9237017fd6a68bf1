// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmStorage
import RealmValues

/// Infers the types of classes' properties from some of their objects.
///
/// A property is optional if one of these objects lacks it. Values of different types make a mixed property, except
/// integers together with other numbers.
struct TypeInference {
    private var classes: [(name: String, fields: Fields)] = []
    private var places: [ByteText: Int] = [:]

    private struct Fields {
        var names: [String] = []
        var guesses: [ByteText: Guess] = [:]
        var recordCount = 0
    }

    private struct Guess {
        var types: Set<ColumnType> = []
        var elementTypes: Set<ColumnType> = []
        var count = 0
        var nullCount = 0
        var isList = false
        var isObject = false
        var areTexts = true
        var hasDays = false
    }

    /// `mappings` rename fields, omit them, or specify their type.
    init(_ records: [ImportRecord], _ mappings: [FieldMapping] = []) {
        let byField = Dictionary(mappings.map { (ByteText($0.field), $0) }) { first, _ in first }
        for record in records {
            let place = places[ByteText(record.className)] ?? classes.count
            if place == classes.count {
                classes.append((record.className, Fields()))
                places[ByteText(record.className)] = place
            }
            classes[place].fields.recordCount += 1
            for (field, value) in record.fields where field != "$key" {
                let name = byField[ByteText(field)]?.property ?? ValueParser.unescaped(field)
                if !name.isEmpty { TypeInference.note(value, name, &classes[place].fields) }
            }
        }
        self.mappings = Dictionary(mappings.map { (ByteText($0.property), $0) }) { first, _ in first }
    }

    private let mappings: [ByteText: FieldMapping]

    func schema(primaryKey: String?) throws -> SchemaDescription {
        let tables = try classes.map { try table($0.name, $0.fields, primaryKey) }
        return SchemaDescription(tables: tables, notes: zip(tables, classes).flatMap { notes($0, $1.fields) })
    }

    private func notes(_ table: TableDescription, _ fields: Fields) -> [String] {
        table.properties.filter { $0.type == .timestamp && fields.guesses[ByteText($0.name)]?.hasDays == true }.map {
            "\(table.className ?? table.name).\($0.name): dates without a time are midnight in UTC; "
                + "--map '\($0.name):string' keeps them as texts"
        }
    }

    private func table(_ name: String, _ fields: Fields, _ primaryKey: String?) throws -> TableDescription {
        if let primaryKey, fields.guesses[ByteText(primaryKey)] == nil {
            throw TransferError("there is no field '\(primaryKey)' to be the primary key of '\(name)'")
        }
        return TableDescription(
            className: name,
            properties: fields.names.compactMap { field in
                fields.guesses[ByteText(field)].map { property(field, $0, fields.recordCount, field == primaryKey) }
            })
    }

    private func property(
        _ name: String, _ guess: Guess, _ recordCount: Int, _ isPrimaryKey: Bool
    ) -> PropertyDescription {
        var isOptional = guess.nullCount > 0 || guess.count < recordCount
        if let mapping = mappings[ByteText(name)], let type = mapping.type {
            isOptional = mapping.isOptional || type == .link || type == .mixed
            return PropertyDescription(
                name: name, type: type, isOptional: isOptional, isPrimaryKey: isPrimaryKey,
                targetClass: mapping.target)
        }
        if guess.isList, !guess.isObject, guess.types.isEmpty {
            let type = TypeInference.common(guess.elementTypes, areTexts: false)
            return PropertyDescription(name: name, type: type, isOptional: type == .mixed, collection: .list)
        }
        let isMixed = guess.isList || guess.isObject
        let type = isMixed ? .mixed : TypeInference.common(guess.types, areTexts: guess.areTexts)
        if type == .mixed { isOptional = true }
        return PropertyDescription(
            name: name, type: type, isOptional: isOptional, isPrimaryKey: isPrimaryKey && type.canBePrimaryKey)
    }

    // MARK: Types

    private static func note(_ value: ForeignValue, _ name: String, _ fields: inout Fields) {
        // Moved out while it's changed, so that its sets aren't copied.
        let known = fields.guesses.removeValue(forKey: ByteText(name))
        if known == nil { fields.names.append(name) }
        var guess = known ?? Guess()
        guess.count += 1
        switch value {
        case .null: guess.nullCount += 1
        case .array(let elements):
            guess.isList = true
            // A list of texts can't contain null; a list with null has mixed values.
            for element in elements { guess.elementTypes.insert(element.isNull ? .mixed : type(of: element)) }
        case .object: guess.isObject = true
        default:
            guess.types.insert(type(of: value))
            if case .text(let text) = value {
                if isDay(text) { guess.hasDays = true }
            } else {
                guess.areTexts = false
            }
        }
        fields.guesses[ByteText(name)] = guess
    }

    /// `areTexts`: all types are those of text cells, any of which can be read as a text.
    private static func common(_ types: Set<ColumnType>, areTexts: Bool) -> ColumnType {
        if types.count == 1, let only = types.first { return only }
        if types == [.int, .double] { return .double }
        let isText = areTexts || types.isSubset(of: [.string, .uuid, .timestamp, .objectId])
        return isText ? .string : .mixed
    }

    private static func type(of value: ForeignValue) -> ColumnType {
        switch value {
        case .null, .array, .object: .mixed
        case .bool: .bool
        case .integer: .int
        case .real, .number: .double
        case .bytes: .binary
        case .string(let text): type(ofText: text)
        case .text(let text): type(ofCell: text)
        }
    }

    private static func type(ofText text: String) -> ColumnType {
        if text.utf8.count == 36, UUID(uuidString: text) != nil { return .uuid }
        if text.utf8.count >= 16, text.contains("T"), !text.hasPrefix("T"), Timestamp(text: text) != nil {
            return .timestamp
        }
        let isObjectId = text.utf8.count == 24 && text.utf8.allSatisfy { Character(Unicode.Scalar($0)).isHexDigit }
        return isObjectId ? .objectId : .string
    }

    /// Numbers that begin with 0 are identifiers, such as postal codes.
    private static func type(ofCell text: String) -> ColumnType {
        let digits = text.hasPrefix("-") ? text.dropFirst() : text[...]
        let isNumber = digits.first.map { $0.isASCII && $0.isNumber } ?? false
        if isNumber, digits.count == 1 || digits.first != "0" || digits.hasPrefix("0.") {
            if Int64(text) != nil { return .int }
            if Double(text) != nil, digits.allSatisfy({ $0.isNumber || ".eE+-".contains($0) }) { return .double }
        }
        if ["true", "false", "TRUE", "FALSE", "True", "False"].contains(text) { return .bool }
        if isDay(text) { return .timestamp }
        return type(ofText: text)
    }

    /// Whether a text is a date without a time, such as 2024-01-31.
    private static func isDay(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        return bytes.count == 10 && bytes[4] == UInt8(ascii: "-") && Timestamp(text: text) != nil
    }
}

// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// A value of MongoDB's Extended JSON, which encodes the values that plain JSON can't represent (§1.2).
package indirect enum ExtendedJSON: Hashable, Sendable {
    case null
    case bool(Bool)
    case int32(Int32)
    case int64(Int64)
    case double(Double)
    case string(String)
    case binary([UInt8], subtype: UInt8)
    case objectId(ObjectIdBytes)
    /// Milliseconds since 1970.
    case date(Int64)
    case decimal(DecimalBits)
    case regularExpression(pattern: String, options: String)
    case timestamp(seconds: UInt32, increment: UInt32)
    case minKey
    case maxKey
    case array([ExtendedJSON])
    case document([Member])

    package struct Member: Hashable, Sendable {
        package var name: String
        package var value: ExtendedJSON

        package init(_ name: String, _ value: ExtendedJSON) {
            self.name = name
            self.value = value
        }
    }

    package static let uuidSubtype: UInt8 = 4

    package static func uuid(_ uuid: UUIDBytes) -> ExtendedJSON { .binary(uuid.bytes, subtype: uuidSubtype) }
}

extension ExtendedJSON: CustomStringConvertible {
    package var description: String { json.description }

    package var json: JSON {
        switch self {
        case .null: .null
        case .bool(let value): .bool(value)
        case .int32(let value): ["$numberInt": .string(String(value))]
        case .int64(let value): ["$numberLong": .string(String(value))]
        case .double(let value): ["$numberDouble": .string(ExtendedJSON.text(value))]
        case .string(let value): .string(value)
        case .binary(let bytes, let subtype):
            ["$binary": ["base64": .string(Base64.text(bytes)), "subType": .string(Hexadecimal.text([subtype]))]]
        case .objectId(let value): ["$oid": .string(Hexadecimal.text(value.bytes))]
        case .date(let milliseconds): ["$date": ["$numberLong": .string(String(milliseconds))]]
        case .decimal(let value): ["$numberDecimal": .string(ExtendedJSON.text(value))]
        case .regularExpression(let pattern, let options):
            ["$regularExpression": ["pattern": .string(pattern), "options": .string(options)]]
        case .timestamp(let seconds, let increment): ["$timestamp": ["t": .int(seconds), "i": .int(increment)]]
        case .minKey: ["$minKey": .int(1)]
        case .maxKey: ["$maxKey": .int(1)]
        case .array(let elements): .array(elements.map(\.json))
        case .document(let members): .object(members.map { JSON.Member($0.name, $0.value.json) })
        }
    }

    private static func text(_ value: Double) -> String {
        if value.isNaN { return "NaN" }
        if value.isInfinite { return value < 0 ? "-Infinity" : "Infinity" }
        return value.description
    }

    private static func text(_ value: DecimalBits) -> String {
        if value.isInfinite { return value.isNegative ? "-Infinity" : "Infinity" }
        return value.description
    }
}

extension ExtendedJSON {
    package init?(_ json: JSON) {
        switch json {
        case .null: self = .null
        case .bool(let value): self = .bool(value)
        case .string(let value): self = .string(value)
        case .number: self.init(number: json)
        case .array(let elements):
            let values = elements.compactMap { ExtendedJSON($0) }
            guard values.count == elements.count else { return nil }
            self = .array(values)
        case .object(let members):
            if let first = members.first, first.name.hasPrefix("$"), ExtendedJSON.names.contains(first.name) {
                guard members.count == 1 else { return nil }
                self.init(first.name, first.value)
                return
            }
            var values: [Member] = []
            for member in members {
                guard let value = ExtendedJSON(member.value) else { return nil }
                values.append(Member(member.name, value))
            }
            self = .document(values)
        }
    }

    private init?(number json: JSON) {
        if let value: Int32 = json.integer() {
            self = .int32(value)
        } else if let value: Int64 = json.integer() {
            self = .int64(value)
        } else if let value = json.double {
            self = .double(value)
        } else {
            return nil
        }
    }

    private static let names: Set = [
        "$numberInt", "$numberLong", "$numberDouble", "$numberDecimal", "$oid", "$date", "$binary", "$uuid",
        "$regularExpression", "$timestamp", "$minKey", "$maxKey",
    ]

    /// Whether an object whose first member has this name is a typed value, such as `$oid`.
    package static func isType(_ name: String) -> Bool { names.contains(name) }

    private init?(_ name: String, _ value: JSON) {
        let text = value.text
        let read: ExtendedJSON?
        switch name {
        case "$numberInt": read = text.flatMap { Int32($0) }.map { .int32($0) }
        case "$numberLong": read = text.flatMap { Int64($0) }.map { .int64($0) }
        case "$numberDouble": read = text.flatMap(ExtendedJSON.double).map { .double($0) }
        case "$numberDecimal": read = text.flatMap { DecimalBits($0) }.map { .decimal($0) }
        case "$oid":
            read = text.flatMap { ObjectIdBytes(hexadecimal: $0) }.map { .objectId($0) }
        case "$uuid": read = ExtendedJSON.uuid(text)
        case "$binary": read = ExtendedJSON.binary(value)
        case "$date": read = ExtendedJSON.date(value)
        case "$timestamp":
            guard let seconds: UInt32 = value["t"]?.integer(), let increment: UInt32 = value["i"]?.integer() else {
                return nil
            }
            read = .timestamp(seconds: seconds, increment: increment)
        case "$regularExpression":
            guard let pattern = value["pattern"]?.text, let options = value["options"]?.text else { return nil }
            read = .regularExpression(pattern: pattern, options: options)
        case "$minKey": read = .minKey
        default: read = .maxKey
        }
        guard let read else { return nil }
        self = read
    }

    private static func double(_ text: String) -> Double? {
        switch text {
        case "NaN": .nan
        case "Infinity": .infinity
        case "-Infinity": -.infinity
        default: Double(text).flatMap { $0.isFinite ? $0 : nil }
        }
    }

    private static func uuid(_ text: String?) -> ExtendedJSON? {
        guard let text, text.utf8.count == 36,
            let bytes = Hexadecimal.bytes(text.filter { $0 != "-" }, count: UUIDBytes.byteCount)
        else { return nil }
        return .binary(bytes, subtype: uuidSubtype)
    }

    private static func binary(_ value: JSON) -> ExtendedJSON? {
        guard let bytes = value["base64"]?.text.flatMap({ Base64.bytes($0) }), let text = value["subType"]?.text,
            let subtype = UInt8(text, radix: 16)
        else { return nil }
        return .binary(bytes, subtype: subtype)
    }

    /// The relaxed form is ISO 8601.
    private static func date(_ text: String) -> ExtendedJSON? {
        guard !text.hasPrefix("T"), let time = Timestamp(text: text) else { return nil }
        let (seconds, isTooLarge) = time.seconds.multipliedReportingOverflow(by: 1000)
        guard !isTooLarge else { return nil }
        let (sum, overflows) = seconds.addingReportingOverflow(Int64(time.nanoseconds / 1_000_000))
        return overflows ? nil : .date(sum)
    }

    private static func date(_ value: JSON) -> ExtendedJSON? {
        if let text = value["$numberLong"]?.text { return Int64(text).map { .date($0) } }
        if let text = value.text { return date(text) }
        return value.integer(Int64.self).map { .date($0) }
    }
}

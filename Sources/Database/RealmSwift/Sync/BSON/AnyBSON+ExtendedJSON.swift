// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmStorage
import RealmSyncCore

/// Conversion to and from MongoDB's Extended JSON, the format in which values are sent to servers.
extension AnyBSON {
    /// The value as canonical Extended JSON, which preserves all types: `{"$numberLong":"3"}`. The members of documents
    /// are sorted by name. An addition to Realm's API.
    public var extendedJSON: String { ExtendedJSON(self).description }

    /// Creates a value from Extended JSON, canonical or relaxed. An addition to Realm's API.
    ///
    /// - Throws: `AppError.invalidParameter` if the text isn't Extended JSON, or contains a value that BSON can't
    ///   represent.
    public init(extendedJSON text: String) throws {
        guard let json = try? JSON(parsing: text), let value = ExtendedJSON(json), let bson = AnyBSON(value) else {
            throw AppError(.invalidParameter, "The text is not Extended JSON: '\(text.prefix(100))'.")
        }
        self = bson
    }

    /// Returns `nil` if the value contains a regular expression that Foundation can't parse.
    init?(_ value: ExtendedJSON) {
        switch value {
        case .null: self = .null
        case .bool(let value): self = .bool(value)
        case .int32(let value): self = .int32(value)
        case .int64(let value): self = .int64(value)
        case .double(let value): self = .double(value)
        case .string(let value): self = .string(value)
        case .binary(let bytes, ExtendedJSON.uuidSubtype) where bytes.count == UUIDBytes.byteCount:
            self = .uuid(UUID(UUIDBytes(bytes: bytes)))
        case .binary(let bytes, _): self = .binary(Data(bytes))
        case .objectId(let value): self = .objectId(ObjectId(bits: value))
        case .date(let milliseconds): self = .datetime(Date(timeIntervalSince1970: Double(milliseconds) / 1000))
        case .decimal(let value): self = .decimal128(Decimal128(bits: value))
        case .timestamp(let seconds, _): self = .timestamp(Date(timeIntervalSince1970: Double(seconds)))
        case .minKey: self = .minKey
        case .maxKey: self = .maxKey
        case .regularExpression(let pattern, let options):
            let options = NSRegularExpression.Options(letters: options)
            guard let expression = try? NSRegularExpression(pattern: pattern, options: options) else { return nil }
            self = .regex(expression)
        case .array(let elements):
            let values = elements.compactMap { AnyBSON($0) }
            guard values.count == elements.count else { return nil }
            self = .array(values.map { $0.isNull ? nil : $0 })
        case .document(let members):
            guard let document = Document(members) else { return nil }
            self = .document(document)
        }
    }
}

extension Document {
    init?(_ members: [ExtendedJSON.Member]) {
        self.init()
        for member in members {
            guard let value = AnyBSON(member.value) else { return nil }
            updateValue(value.isNull ? nil : value, forKey: member.name)
        }
    }

    init?(json: JSON?) {
        guard let json, case .document(let members)? = ExtendedJSON(json) else { return nil }
        self.init(members)
    }

    var members: [ExtendedJSON.Member] {
        sorted { $0.key < $1.key }.map { ExtendedJSON.Member($0.key, ExtendedJSON($0.value ?? .null)) }
    }

    var json: JSON { ExtendedJSON.document(members).json }
}

extension ExtendedJSON {
    init(_ value: AnyBSON) {
        switch value {
        case .null: self = .null
        case .bool(let value): self = .bool(value)
        case .int32(let value): self = .int32(value)
        case .int64(let value): self = .int64(value)
        case .double(let value): self = .double(value)
        case .string(let value): self = .string(value)
        case .binary(let data): self = .binary([UInt8](data), subtype: 0)
        case .uuid(let value): self = .uuid(UUIDBytes(value))
        case .objectId(let value): self = .objectId(value.bits)
        case .datetime(let date): self = .date(Int64(clamping: date.timeIntervalSince1970 * 1000))
        case .decimal128(let value): self = .decimal(value.bits)
        case .timestamp(let date):
            self = .timestamp(
                seconds: UInt32(clamping: Int64(clamping: date.timeIntervalSince1970)), increment: 0)
        case .minKey: self = .minKey
        case .maxKey: self = .maxKey
        case .regex(let value): self = .regularExpression(pattern: value.pattern, options: value.options.letters)
        case .array(let elements): self = .array(elements.map { ExtendedJSON($0 ?? .null) })
        case .document(let document): self = .document(document.members)
        }
    }
}

extension Int64 {
    /// Rounds to the nearest integer, clamped to the range of the type; 0 if the value isn't a number.
    fileprivate init(clamping value: Double) {
        let rounded = value.rounded()
        self = Int64(exactly: rounded) ?? (rounded.isNaN ? 0 : rounded < 0 ? .min : .max)
    }
}

/// The letters that BSON uses for the options of a regular expression, in alphabetical order.
extension NSRegularExpression.Options {
    private static let letters: [(Character, NSRegularExpression.Options)] = [
        ("i", .caseInsensitive), ("m", .anchorsMatchLines), ("s", .dotMatchesLineSeparators),
        ("x", .allowCommentsAndWhitespace),
    ]

    fileprivate init(letters: String) {
        self = Self(Self.letters.filter { letters.contains($0.0) }.map(\.1))
    }

    fileprivate var letters: String { String(Self.letters.filter { contains($0.1) }.map(\.0)) }
}

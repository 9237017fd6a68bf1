// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmStorage

/// The printed form of a property's value. Collections are printed with their elements, if these are few.
package enum ShownValue {
    case null
    case number(NSNumber)
    case text(String)
    case other(String)
    case list([ShownValue], count: Int)
    case map([(key: String, value: ShownValue)], count: Int)

    private static let maxElements = 20

    package init(_ column: Column, of table: Table, at position: ClusterTree.Position) throws {
        guard column.key.isCollection, let collection = try table.collection(column, at: position) else {
            self = ShownValue(try table.value(column, at: position))
            return
        }
        let shown = try collection.prefix(ShownValue.maxElements)
        self =
            collection.dictionary == nil
            ? .list(shown.map { ShownValue($0.value) }, count: collection.count)
            : .map(shown.map { ($0.key ?? "", ShownValue($0.value)) }, count: collection.count)
    }

    private init(_ value: StoredValue) {
        switch value {
        case .null: self = .null
        case .int(let number): self = .number(NSNumber(value: number))
        case .bool(let flag): self = .number(NSNumber(value: flag))
        case .float(let number) where number.isFinite: self = .number(NSNumber(value: Double("\(number)") ?? 0))
        case .double(let number) where number.isFinite: self = .number(NSNumber(value: number))
        case .float(let number): self = .other("\(number)")
        case .double(let number): self = .other("\(number)")
        case .string(let text): self = .text(text)
        case .binary(let data): self = .other("\(data.count) bytes")
        case .timestamp(let date):
            let seconds = Double(date.seconds) + Double(date.nanoseconds) / 1e9
            self = .other(
                Date(timeIntervalSince1970: seconds).formatted(.iso8601.time(includingFractionalSeconds: true)))
        case .decimal, .objectId, .uuid: self = .other(ValueText.plain(value))
        case .link(let object): self = .other("#\(object.rawValue)")
        case .typedLink(let link): self = .other("#\(link.object.rawValue)")
        case .list: self = .other("a list")
        case .dictionary: self = .other("a dictionary")
        }
    }

    package var text: String {
        switch self {
        case .null: "nil"
        case .number(let number): "\(number)"
        case .text(let text): text.debugDescription
        case .other(let text): text
        case .list(let elements, let count):
            "[" + elements.map(\.text).joined(separator: ", ") + (elements.count < count ? ", … \(count)]" : "]")
        case .map(let entries, let count):
            "[" + (entries.isEmpty ? ":" : entries.map { "\($0.key): \($0.value.text)" }.joined(separator: ", "))
                + (entries.count < count ? ", … \(count)]" : "]")
        }
    }

    var json: Any {
        switch self {
        case .null: NSNull()
        case .number(let number): number
        case .text(let text), .other(let text): text
        case .list(let elements, _): elements.map(\.json)
        case .map(let entries, _): Dictionary(entries.map { ($0.key, $0.value.json) }) { first, _ in first }
        }
    }
}

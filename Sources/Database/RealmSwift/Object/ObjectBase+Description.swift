// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmStorage

/// Limits on the nested objects that a description prints.
struct DescriptionLimits {
    private(set) var depth = 5
    private let room = Room()

    /// The budget shared by all parts of one description.
    private final class Room {
        var objects = 1_000
    }

    var inside: DescriptionLimits {
        var inside = self
        inside.depth -= 1
        return inside
    }

    var isFull: Bool { room.objects <= 0 }

    func takeObject() { room.objects -= 1 }
}

extension ObjectBase {
    /// Returns one line per stored property, with nested objects indented by one tab.
    func description(within limits: DescriptionLimits) -> String {
        if isInvalidated { return "[invalid object]" }
        guard limits.depth > 0, !limits.isFull else {
            limits.takeObject()
            return "<Maximum depth exceeded>"
        }
        limits.takeObject()
        let info = classInfo
        var text = "\(info.swiftName) {\n"
        for property in info.properties {
            let value = printedValue(dynamicValue(of: property), within: limits.inside)
            text += "\t\(property.name) = \(indented(value));\n"
        }
        return text + "}"
    }
}

func printedValue(_ value: Any?, within limits: DescriptionLimits) -> String {
    switch value {
    case nil: "(null)"
    case let value as ObjectBase: value.description(within: limits)
    case let value as RLMSwiftCollectionBase: value.description(within: limits)
    case let value as Data: printedBytes(value)
    case let value as Bool: value ? "1" : "0"
    case let value as Double: printedNumber(value.description)
    case let value as Float: printedNumber(value.description)
    case let value?: "\(value)"
    }
}

/// Returns a number as printed by Foundation: an integral one has no fraction.
private func printedNumber(_ text: String) -> String { text.hasSuffix(".0") ? String(text.dropLast(2)) : text }

/// Returns the text with a tab at the beginning of each line but the first.
func indented(_ text: String) -> String {
    let newline = UInt8(ascii: "\n")
    guard text.utf8.contains(newline) else { return text }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.utf8.count + 64)
    for byte in text.utf8 {
        bytes.append(byte)
        if byte == newline { bytes.append(UInt8(ascii: "\t")) }
    }
    return String(decoding: bytes, as: UTF8.self)
}

/// Returns the first bytes in groups of four, and their number.
private func printedBytes(_ data: Data) -> String {
    let bytes = data.prefix(24).map { Hexadecimal.text([$0]) }
    let groups = stride(from: 0, to: bytes.count, by: 4).map { bytes[$0..<min($0 + 4, bytes.count)].joined() }
    return "<\(groups.joined(separator: " ")) — \(data.count) total bytes>"
}

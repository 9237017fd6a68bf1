// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation

extension ObjectBase {
    static var maximumDescriptionDepth: Int { 5 }

    /// One line per stored property, nested objects indented by one tab.
    func description(maximumDepth depth: Int) -> String {
        if isInvalidated { return "[invalid object]" }
        guard depth > 0 else { return "<Maximum depth exceeded>" }
        let info = classInfo
        let lines = info.properties.map { property in
            let value = printedValue(dynamicValue(of: property), maximumDepth: depth - 1)
            return "\t\(property.name) = \(value.replacing("\n", with: "\n\t"));\n"
        }
        return "\(info.name) {\n\(lines.joined())}"
    }
}

/// A value as descriptions of objects and collections print it.
func printedValue(_ value: Any?, maximumDepth depth: Int) -> String {
    switch value {
    case nil: "(null)"
    case let value as ObjectBase: value.description(maximumDepth: depth)
    case let value as RLMSwiftCollectionBase: value.description(maximumDepth: depth)
    case let value as Data: printedBytes(value)
    case let value as Bool: value ? "1" : "0"
    case let value?: "\(value)"
    }
}

/// The first bytes in groups of four, and how many there are.
private func printedBytes(_ data: Data) -> String {
    let bytes = data.prefix(24).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }
    let groups = stride(from: 0, to: bytes.count, by: 4).map { bytes[$0..<min($0 + 4, bytes.count)].joined() }
    return "<\(groups.joined(separator: " ")) — \(data.count) total bytes>"
}

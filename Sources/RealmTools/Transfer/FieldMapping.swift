// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import ArgumentParser
import RealmStorage

/// What `--map` says of a field: `FIELD[=PROPERTY][:TYPE[?]]`.
struct FieldMapping: ExpressibleByArgument, Sendable {
    let field: String
    /// Empty where the field is left out.
    let property: String
    /// nil where it is inferred; `target` is the class of a link.
    let type: ColumnType?
    let target: String?
    let isOptional: Bool

    init?(argument: String) {
        var names = argument[...]
        var typeText: Substring?
        if let colon = argument.lastIndex(of: ":") {
            names = argument[..<colon]
            typeText = argument[argument.index(after: colon)...]
        }
        let parts = names.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        field = String(parts[0])
        property = String(parts.count > 1 ? parts[1] : parts[0])
        isOptional = typeText?.hasSuffix("?") ?? false
        guard let text = typeText?.prefix(while: { $0 != "?" }) else {
            (type, target) = (nil, nil)
            return
        }
        if text.first?.isUppercase == true {
            (type, target) = (.link, String(text))
        } else {
            guard let type = FieldMapping.types.first(where: { $0.dumpName == text }) else { return nil }
            (self.type, target) = (type, nil)
        }
    }

    private static let types: [ColumnType] = [
        .int, .bool, .string, .binary, .mixed, .timestamp, .float, .double, .decimal, .objectId, .uuid,
    ]
}

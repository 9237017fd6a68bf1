// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSyncCore

extension ForeignValue {
    init(_ json: JSON) {
        switch json {
        case .null: self = .null
        case .bool(let flag): self = .bool(flag)
        case .number(let digits): self = Int64(digits).map { .integer($0) } ?? .number(digits)
        case .string(let text): self = .string(text)
        case .array(let elements): self = .array(elements.map { ForeignValue($0) })
        case .object(let members): self = .object(members.map { ($0.name, ForeignValue($0.value)) })
        }
    }

    package init(parsing text: String) throws(JSONError) { self.init(try JSON(parsing: text)) }
}

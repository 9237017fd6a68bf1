// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmTools

struct RequestFields {
    private let members: [String: ForeignValue]

    init(_ text: String) throws {
        guard case .object(let members) = try ForeignValue(parsing: text) else {
            throw StudioError("a request is a JSON object")
        }
        self.init(members)
    }

    init(_ members: [(name: String, value: ForeignValue)]) {
        self.members = Dictionary(members.map { ($0.name, $0.value) }) { first, _ in first }
    }

    subscript(name: String) -> ForeignValue? { members[name] }

    func text(_ name: String) throws -> String {
        guard case .string(let text)? = members[name] else { throw StudioError("'\(name)' must be a text") }
        return text
    }

    func optionalText(_ name: String) -> String? {
        if case .string(let text)? = members[name], !text.isEmpty { text } else { nil }
    }

    func number(_ name: String) throws -> Int64 {
        guard case .integer(let number)? = members[name] else { throw StudioError("'\(name)' must be a number") }
        return number
    }

    /// Returns a number of rows or an index, clamped to the range of `Int`.
    func size(_ name: String) throws -> Int { Int(clamping: try number(name)) }

    func list(_ name: String) throws -> [ForeignValue] {
        guard case .array(let elements)? = members[name] else { throw StudioError("'\(name)' must be a list") }
        return elements
    }

    func object(_ name: String) throws -> [(name: String, value: ForeignValue)] {
        guard case .object(let members)? = members[name] else { throw StudioError("'\(name)' must be an object") }
        return members
    }

    var table: TableKey {
        get throws {
            guard let key = UInt32(exactly: try number("table")) else {
                throw StudioError("the class no longer exists")
            }
            return TableKey(key)
        }
    }

    var object: ObjectKey { get throws { try RequestFields.object(.integer(try number("object"))) } }

    var objects: [ObjectKey] {
        get throws {
            try list("objects").map(RequestFields.object)
        }
    }

    private static func object(_ field: ForeignValue) throws -> ObjectKey {
        guard case .integer(let key) = field else { throw StudioError("objects are named by numbers") }
        guard key >= 0 else { throw StudioError("the object no longer exists") }
        return ObjectKey(key)
    }
}

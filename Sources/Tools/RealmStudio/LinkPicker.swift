// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmQuery
import RealmStorage
import RealmTools
import RealmValues

struct LinkPicker {
    let file: FollowedFile
    let table: Table

    private static let maxObjects = 30

    func write(_ text: String, _ json: inout JSONText) throws {
        let names = ValueText(file.snapshot)
        try json.member("objects", try objects(text)) { json, key in
            json.raw("{")
            json.member("object", key.rawValue)
            json.member("label", try ObjectLabel.text(key, table))
            json.member("name")
            try names.write(.link(.key(table.key, key)), isMixed: false, &json)
            json.raw("}")
        }
    }

    private func objects(_ text: String) throws -> [ObjectKey] {
        var conditions: [String] = []
        var arguments: [PredicateArgument] = []
        if !text.isEmpty {
            arguments.append(.value(.string(text)))
            for column in table.publicColumns where column.type == .string && !column.key.isCollection {
                conditions.append("%K CONTAINS[c] %@")
                arguments.append(.value(.string(column.name)))
                arguments.append(.value(.string(text)))
            }
            arguments.removeFirst()
            if let primary = table.publicColumns.first(where: { $0.key == table.primaryKey }), primary.type == .int,
                let number = Int64(text)
            {
                conditions.append("%K == %@")
                arguments += [.value(.string(primary.name)), .value(.int(number))]
            }
            if let number = Int64(text), table.primaryKey == nil, try table.find(ObjectKey(number)) != nil {
                return [ObjectKey(number)]
            }
            if conditions.isEmpty { return [] }
        }
        let predicate = conditions.isEmpty ? "TRUEPREDICATE" : conditions.joined(separator: " OR ")
        let statement = try QueryStatement(
            parsing: predicate + " LIMIT(\(LinkPicker.maxObjects))", arguments: arguments)
        return try CompiledStatement(statement, on: table.key, in: file.snapshot).objects(in: file.snapshot)
    }

    func object(named name: ForeignValue) throws -> ObjectKey {
        let name = try ValueParser(source: file.snapshot, cellsHoldJSON: false).name(name, table)
        guard let link = try ObjectNames(file.snapshot).object(name) else {
            throw StudioError("the object doesn't exist")
        }
        return link.object
    }
}

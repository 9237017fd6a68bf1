// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmSyncCore
import RealmTestSupport

/// The form of states in the fixtures. Details left to the engine are normalised in both: the order of sets, and dead
/// links, which are null and hidden in sets.
extension SyncModel {
    package var objects: JSON {
        .object(
            tables.sorted { $0.key < $1.key }.filter { $0.value.definition.kind != .embedded }.map { name, table in
                JSON.Member(
                    name.string, .array(SyncModel.sorted(table.objects.map { json($0.key, $0.value, of: table) })))
            })
    }

    package func normalized(_ state: JSON) -> JSON {
        .object(
            (state.members ?? []).map { member in
                let columns = tables[Text(member.name)]?.columns ?? [:]
                let objects = (member.value.elements ?? []).map { object in
                    JSON.object(
                        (object.members ?? []).map { property in
                            guard columns[Text(property.name)]?.collection == .set else {
                                return JSON.Member(property.name, SyncModel.withoutNames(property.value))
                            }
                            let elements = (property.value.elements ?? []).filter { !SyncModel.isDeadLink($0) }
                            return JSON.Member(
                                property.name, .array(SyncModel.sorted(elements.map(SyncModel.withoutNames))))
                        })
                }
                return JSON.Member(member.name, .array(SyncModel.sorted(objects)))
            })
    }

    private static func sorted(_ elements: [JSON]) -> [JSON] {
        elements.map { ($0.description, $0) }.sorted { $0.0 < $1.0 }.map(\.1)
    }

    private static func isDeadLink(_ json: JSON) -> Bool { json.members?.first?.name == "deadLink" }

    private static func withoutNames(_ json: JSON) -> JSON {
        switch json {
        case .array(let elements): .array(elements.map(withoutNames))
        case _ where isDeadLink(json): .null
        case .object(let members): .object(members.map { JSON.Member($0.name, withoutNames($0.value)) })
        default: json
        }
    }

    private func json(_ key: PrimaryKey, _ row: [Text: Content], of table: Table) -> JSON {
        var members = row.map { name, content in
            let isMixed = table.columns[name].map { $0.type == .null && $0.collection == .single } ?? false
            return JSON.Member(name.string, json(content, isMixed: isMixed))
        }
        if case .topLevel(let column) = table.definition.kind {
            members.append(JSON.Member(column.name.string, json(key)))
        }
        return .object(members.sorted { Text($0.name) < Text($1.name) })
    }

    /// Inside Mixed, collections are distinguished by name.
    private func json(_ content: Content, isMixed: Bool) -> JSON {
        switch content {
        case .value(let value): return json(value)
        case .list(let elements):
            let array = JSON.array(elements.map { json($0, isMixed: true) })
            return isMixed ? ["list": array] : array
        case .set(let elements): return .array(SyncModel.sorted(elements.filter { !isDead($0) }.map { json($0) }))
        case .dictionary(let members):
            let object = JSON.object(
                members.sorted { $0.key < $1.key }.map { key, content in
                    JSON.Member(key.string, json(content, isMixed: true))
                })
            return isMixed ? ["dictionary": object] : object
        case .object(let table, let members):
            let columns = tables[table]?.columns ?? [:]
            return .object(
                members.sorted { $0.key < $1.key }.map { name, content in
                    let isMixed = columns[name].map { $0.type == .null && $0.collection == .single } ?? false
                    return JSON.Member(name.string, json(content, isMixed: isMixed))
                })
        }
    }

    private func json(_ key: PrimaryKey) -> JSON {
        switch key {
        case .null: .null
        case .int(let value): ["int": .int(value)]
        case .string(let value): ["string": .string(value.string)]
        case .objectId(let value): ["objectId": .string(Hexadecimal.text(value.bytes))]
        case .uuid(let value): ["uuid": .string(Hexadecimal.uuid(value.bytes))]
        case .globalKey(let high, let low): ["globalKey": .array([.int(high), .int(low)])]
        }
    }

    private func isDead(_ value: SyncValue) -> Bool {
        if case .link(let object) = value { tables[object.table]?.objects[object.key] == nil } else { false }
    }

    private func json(_ value: SyncValue) -> JSON {
        switch value {
        case .null: .null
        case .int(let value): ["int": .int(value)]
        case .bool(let value): ["bool": .bool(value)]
        case .string(let value): ["string": .string(value.string)]
        case .binary(let bytes): ["binary": .string(Hexadecimal.text(bytes))]
        case .timestamp(let value): ["timestamp": .array([.int(value.seconds), .int(value.nanoseconds)])]
        case .float(let value): ["float": .string(SyncModel.bits(value.bitPattern))]
        case .double(let value): ["double": .string(SyncModel.bits(value.bitPattern))]
        case .decimal(let value):
            [
                "decimal": [
                    "coefficient": .string(SyncModel.digits(value)), "exponent": .int(value.exponent),
                    "negative": .bool(value.isNegative),
                ]
            ]
        case .link(let object):
            tables[object.table]?.objects[object.key] == nil
                ? .null : ["link": .array([.string(object.table.string), json(object.key)])]
        case .objectId(let value): ["objectId": .string(Hexadecimal.text(value.bytes))]
        case .uuid(let value): ["uuid": .string(Hexadecimal.uuid(value.bytes))]
        case .object, .dictionary, .list, .set, .erased: ["special": .string("\(value)")]
        }
    }

    private static func bits(_ value: some FixedWidthInteger) -> String {
        let text = String(value, radix: 16)
        return String(repeating: "0", count: value.bitWidth / 4 - text.count) + text
    }

    /// The histories have only decimals of a few digits.
    private static func digits(_ value: DecimalBits) -> String { String(value.coefficient.low) }
}

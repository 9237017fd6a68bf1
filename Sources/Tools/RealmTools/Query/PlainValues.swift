// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmStorage

/// Formats values for people and other programs: dates in ISO 8601, data in hexadecimal digits, embedded objects in
/// full, other objects by class and key.
package struct PlainValues {
    private let snapshot: any TableSource
    private let budget: ReadBudget

    package init(_ snapshot: any TableSource, budget: ReadBudget) {
        self.snapshot = snapshot
        self.budget = budget
    }

    /// Writes a property of an object as JSON.
    package func write(_ column: Column, _ table: Table, _ position: ClusterTree.Position, _ json: inout JSONText)
        throws
    {
        try write(column, table, position, depth: 0, &json)
    }

    /// Returns a property of an object as a line of text; empty for null.
    func text(_ column: Column, _ table: Table, _ position: ClusterTree.Position) throws -> String {
        if !column.key.isCollection {
            try budget.spend()
            switch try table.value(column, at: position).plain {
            case .null: return ""
            case .string(let text):
                try budget.spend(byteCount: text.utf8.count)
                return text
            case .link, .typedLink, .list, .dictionary: break
            case let value: return PlainValues.text(value)
            }
        }
        var json = JSONText()
        try write(column, table, position, depth: 0, &json)
        return String(decoding: json.bytes, as: UTF8.self)
    }

    // MARK: Properties

    private func write(
        _ column: Column, _ table: Table, _ position: ClusterTree.Position, depth: Int, _ json: inout JSONText
    ) throws {
        let target = column.type == .link ? table.oppositeTables[column.leafIndex] : nil
        guard column.key.isCollection else {
            return try write(try table.value(column, at: position), target, depth: depth, &json)
        }
        if column.key.isDictionary {
            let root = try table.collectionRoot(column, at: position)
            let tree = try DictionaryTree(snapshot.space, root, keyType: column.dictionaryKeyType ?? .string)
            try write(tree, target, depth: depth, &json)
        } else {
            try write(try table.list(column, at: position), target, depth: depth, &json)
        }
    }

    private func write(_ list: BPlusTree, _ target: TableKey?, depth: Int, _ json: inout JSONText) throws {
        try json.array(0..<list.count) { json, index in
            try write(try list.value(at: index), target, depth: depth, &json)
        }
    }

    private func write(
        _ dictionary: DictionaryTree, _ target: TableKey?, depth: Int, _ json: inout JSONText
    ) throws {
        json.raw("{")
        let values = try dictionary.valuesTree?.values() ?? []
        for (key, value) in zip(try dictionary.keys?.values() ?? [], values) {
            if case .string(let text) = key { json.member(text) } else { json.member(PlainValues.text(key)) }
            try write(value, target, depth: depth, &json)
        }
        json.raw("}")
    }

    // MARK: Values

    private func write(_ value: StoredValue, _ target: TableKey?, depth: Int, _ json: inout JSONText) throws {
        try budget.spend()
        switch value.plain {
        case .null: json.null()
        case .int(let number): json.integer(number)
        case .bool(let flag): json.bool(flag)
        case .float(let number) where number.isFinite: json.raw(number.description)
        case .double(let number) where number.isFinite: json.raw(number.description)
        case .string(let text):
            try budget.spend(byteCount: text.utf8.count)
            json.string(text)
        case .link(let key): try write(object: key, target ?? .null, depth: depth, &json)
        case .typedLink(let link): try write(object: link.object, link.table, depth: depth, &json)
        case .list(let root, _):
            try write(try BPlusTree(snapshot.space, root, .mixed), nil, depth: try deeper(depth, root), &json)
        case .dictionary(let root, _):
            try write(try DictionaryTree(snapshot.space, root), nil, depth: try deeper(depth, root), &json)
        case let value: json.string(PlainValues.text(value))
        }
    }

    private func deeper(_ depth: Int, _ ref: Ref) throws -> Int {
        guard depth < FileFormat.maximumNestingLevel else {
            throw StorageError.corrupt("values nested without end; the file is damaged", at: ref)
        }
        return depth + 1
    }

    private func write(
        object key: ObjectKey, _ tableKey: TableKey, depth: Int, _ json: inout JSONText
    ) throws {
        let table = try snapshot.table(tableKey)
        json.raw("{")
        if let table, table.isEmbedded, let position = try table.find(key) {
            let inner = try deeper(depth, table.clusterRoot)
            for column in table.publicColumns {
                json.member(column.name)
                try write(column, table, position, depth: inner, &json)
            }
        } else {
            json.member("class")
            json.string(table?.className)
            json.member("key")
            json.integer(key.rawValue)
        }
        json.raw("}")
    }

    /// Returns the text of a value other than an object, a collection or null.
    package static func text(_ value: StoredValue) -> String {
        switch value {
        case .int(let number): number.description
        case .bool(let flag): flag ? "true" : "false"
        case .float(let number): number.description
        case .double(let number): number.description
        case .decimal(let number): number.description
        case .binary(let bytes): bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
        case .timestamp(let date): date.text
        case .objectId(let id): text(.binary(Array(id.bytes)))
        case .uuid(let id):
            id.bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)).uuidString.lowercased() }
        case .string(let text): text
        case .null, .link, .typedLink, .list, .dictionary: ""
        }
    }
}

extension StoredValue {
    /// Null for a broken link.
    fileprivate var plain: StoredValue {
        switch self {
        case .link(let key) where key.rawValue < 0: .null
        case .typedLink(let link) where link.object.rawValue < 0: .null
        default: self
        }
    }
}

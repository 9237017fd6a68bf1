// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmSyncCore
import RealmTestSupport

/// The state that changesets lead to, by the rules of §3.6 alone.
///
/// A link to a missing object is dead, and is revived with the object. The engine needs tombstones for it.
package struct SyncModel: Equatable, Sendable {
    package indirect enum Content: Equatable, Sendable {
        case value(SyncValue)
        case list([Content])
        case set(Set<SyncValue>)
        case dictionary([Text: Content])
        case object(Text, [Text: Content])
    }

    package struct Table: Equatable, Sendable {
        package let definition: TableDefinition
        package var columns: [Text: ColumnDefinition] = [:]
        package var objects: [PrimaryKey: [Text: Content]] = [:]
    }

    package private(set) var tables: [Text: Table] = [:]

    package init() {}

    package mutating func apply(_ changeset: Changeset) throws {
        for instruction in changeset.instructions {
            try withTrace(instruction.description) { try apply(instruction) }
        }
    }

    private mutating func apply(_ instruction: Instruction) throws {
        switch instruction {
        case .addTable(let definition):
            if let table = tables[definition.name] {
                try requireEqual(table.definition, definition)
            } else {
                tables[definition.name] = Table(definition: definition)
            }
        case .eraseTable(let name):
            try require(tables.removeValue(forKey: name) != nil, "no such class")
        case .addColumn(let definition): try addColumn(definition)
        case .eraseColumn(let column):
            try require(tables[column.table]?.columns.removeValue(forKey: column.name) != nil, "no such property")
            for key in Array((tables[column.table]?.objects ?? [:]).keys) {
                tables[column.table]?.objects[key]?[column.name] = nil
            }
            eraseEmbedded(column)
        case .createObject(let object):
            try require(tables[object.table] != nil, "no such class")
            if tables[object.table]?.objects[object.key] == nil {
                let row = defaults(of: object.table)
                tables[object.table]?.objects[object.key] = row
            }
        case .eraseObject(let object):
            try require(tables[object.table] != nil, "no such class")
            tables[object.table]?.objects[object.key] = nil
        case .change(let place, let change):
            let table = tables[place.object.table]
            guard let column = table?.columns[place.column] else { throw Failure("no such property") }
            guard var content = tables[place.object.table]?.objects[place.object.key]?[place.column] else {
                throw Failure("no such object")
            }
            try self.change(&content, column, place.path.elements[...], change)
            tables[place.object.table]?.objects[place.object.key]?[place.column] = content
        }
    }

    package func content(at place: Place) -> Content? {
        var content = tables[place.object.table]?.objects[place.object.key]?[place.column]
        for element in place.path.elements {
            switch (content, element) {
            case (.list(let elements)?, .index(let index)):
                content = elements.indices.contains(index) ? elements[index] : nil
            case (.dictionary(let members)?, .key(let key)), (.object(_, let members)?, .key(let key)):
                content = members[key]
            default: content = nil
            }
        }
        return content
    }

    // MARK: Schema

    private mutating func addColumn(_ definition: ColumnDefinition) throws {
        let (table, name) = (definition.column.table, definition.column.name)
        try require(tables[table] != nil, "no such class")
        if let column = tables[table]?.columns[name] {
            try requireEqual(column, definition)
            return
        }
        tables[table]?.columns[name] = definition
        for key in Array((tables[table]?.objects ?? [:]).keys) {
            tables[table]?.objects[key]?[name] = SyncModel.empty(definition)
        }
        if tables[table]?.definition.kind == .embedded {
            changeEmbedded(table) { $0[name] = SyncModel.empty(definition) }
        }
    }

    private mutating func eraseEmbedded(_ column: ColumnReference) {
        if tables[column.table]?.definition.kind == .embedded { changeEmbedded(column.table) { $0[column.name] = nil } }
    }

    private mutating func changeEmbedded(_ table: Text, _ body: (inout [Text: Content]) -> Void) {
        for name in Array(tables.keys) {
            for key in Array((tables[name]?.objects ?? [:]).keys) {
                let row = tables[name]?.objects[key]?.mapValues { SyncModel.changed($0, embedded: table, body) }
                tables[name]?.objects[key] = row
            }
        }
    }

    private static func changed(
        _ content: Content, embedded table: Text, _ body: (inout [Text: Content]) -> Void
    ) -> Content {
        switch content {
        case .value, .set: return content
        case .list(let elements): return .list(elements.map { changed($0, embedded: table, body) })
        case .dictionary(let members): return .dictionary(members.mapValues { changed($0, embedded: table, body) })
        case .object(let name, var members):
            if name == table { body(&members) }
            return .object(name, members.mapValues { changed($0, embedded: table, body) })
        }
    }

    package static func empty(_ column: ColumnDefinition) -> Content {
        switch column.collection {
        case .list: return .list([])
        case .dictionary: return .dictionary([:])
        case .set: return .set([])
        case .single: break
        }
        if column.isNullable { return .value(.null) }
        switch column.type {
        case .int: return .value(.int(0))
        case .bool: return .value(.bool(false))
        case .string: return .value(.string(""))
        case .double: return .value(.double(0))
        case .float: return .value(.float(0))
        case .binary: return .value(.binary([]))
        case .timestamp: return .value(.timestamp(Timestamp(seconds: 0, nanoseconds: 0)))
        case .decimal: return .value(.decimal(.zero))
        case .objectId: return .value(.objectId(ObjectIdBytes(high: 0, low: 0)))
        case .uuid: return .value(.uuid(UUIDBytes(high: 0, low: 0)))
        default: return .value(.null)
        }
    }

    private func defaults(of table: Text) -> [Text: Content] {
        (tables[table]?.columns ?? [:]).mapValues(SyncModel.empty)
    }

    // MARK: Changes

    /// Changes the content at the end of `path` from `content`, which belongs to a property that `column` defines.
    private func change(
        _ content: inout Content, _ column: ColumnDefinition, _ path: ArraySlice<PathElement>, _ change: Change
    ) throws {
        if path.isEmpty { return try self.change(&content, column, change) }
        let rest = path.dropFirst()
        switch (content, path[path.startIndex]) {
        case (.list(var elements), .index(let index)):
            if rest.isEmpty, let size = change.priorSize {
                try changeElement(&elements, size, index, column, change)
            } else {
                try require(elements.indices.contains(index), "no such element")
                try self.change(&elements[index], column, rest, change)
            }
            content = .list(elements)
        case (.dictionary(var members), .key(let key)):
            if rest.isEmpty, case .update(let value, _) = change {
                // Under a key, an object is always a new one.
                let old = value == .object ? nil : members[key]
                members[key] = value == .erased ? nil : try updated(old ?? .value(.null), to: value, column)
            } else {
                guard var member = members[key] else { throw Failure("no such key") }
                try self.change(&member, column, rest, change)
                members[key] = member
            }
            content = .dictionary(members)
        case (.object(let table, var members), .key(let name)):
            guard var member = members[name], let inner = tables[table]?.columns[name] else {
                throw Failure("no such property of an embedded object")
            }
            try self.change(&member, inner, rest, change)
            members[name] = member
            content = .object(table, members)
        default: throw Failure("the path leads nowhere")
        }
    }

    private func change(_ content: inout Content, _ column: ColumnDefinition, _ change: Change) throws {
        switch change {
        case .update(let value, _):
            try require(column.collection == .single || column.type == .null, "a value for a collection")
            content = try updated(content, to: value, column)
        case .addInteger(let amount):
            switch content {
            case .value(.null): break
            case .value(.int(let number)): content = .value(.int(number &+ amount))
            default: throw Failure("no integer")
            }
        case .clear(let kind):
            switch content {
            case .list where kind == .list: content = .list([])
            case .set where kind == .set: content = .set([])
            case .dictionary where kind == .dictionary: content = .dictionary([:])
            default:
                try require(column.type == .null && (kind == .list || kind == .dictionary), "not this collection")
                content = kind == .list ? .list([]) : .dictionary([:])
            }
        case .setInsert(let value), .setErase(let value):
            guard case .set(var elements) = content else { throw Failure("no set") }
            elements.remove(value)
            if case .setInsert = change { elements.insert(value) }
            content = .set(elements)
        default: throw Failure("no list")
        }
    }

    private func changeElement(
        _ elements: inout [Content], _ size: Int, _ index: Int, _ column: ColumnDefinition, _ change: Change
    ) throws {
        try requireEqual(elements.count, size, "the size")
        try require(change.isPossible(at: index), "no such element")
        switch change {
        case .updateElement(.object, _): break
        case .updateElement(let value, _): elements[index] = try updated(elements[index], to: value, column)
        case .insert(let value, _): elements.insert(try updated(.value(.null), to: value, column), at: index)
        case .move(let target, _): elements.insert(elements.remove(at: index), at: target)
        case .erase: elements.remove(at: index)
        default: break
        }
    }

    private func updated(_ content: Content, to value: SyncValue, _ column: ColumnDefinition) throws -> Content {
        switch value {
        case .object:
            if case .object = content { return content }
            let table = try unwrap(column.target)
            return .object(table, defaults(of: table))
        case .list:
            if case .list = content { return content }
            return .list([])
        case .dictionary:
            if case .dictionary = content { return content }
            return .dictionary([:])
        case .set, .erased: throw Failure("no value")
        default: return .value(value)
        }
    }

    private func unwrap(_ target: Text?) throws -> Text {
        guard let target else { throw Failure("no class of embedded objects") }
        return target
    }
}

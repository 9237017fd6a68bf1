// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmSyncCore

/// The value of a property, including nested values, in the terms of changesets: equal in two files if both have the
/// same values, whatever the keys of their objects.
indirect enum Content: Hashable {
    /// A link to a top-level object is the object's name, whether the object exists or is a tombstone.
    case value(SyncValue)
    case list([Content], isNested: Bool)
    case set(Set<SyncValue>)
    case dictionary([Text: Content], isNested: Bool)
    /// An embedded object, by its properties.
    case object([Text: Content])
}

/// Reads the contents of properties.
struct ContentReader {
    let source: any TableSource

    init(_ source: any TableSource) { self.source = source }

    func content(
        _ column: Column, at position: ClusterTree.Position, in table: Table
    ) throws -> Content {
        guard column.key.isCollection else {
            return try content(of: table.storedValue(column, at: position), column, table)
        }
        let collection = try StoredCollection(of: column.key, column.dictionaryKeyType, at: position)
        return try content(of: collection, column, table, isNested: false)
    }

    /// Returns the content at a location; nil if the location doesn't exist.
    func content(at place: Place) throws -> Content? {
        guard let table = try source.table(named: FileFormat.classPrefix + place.object.table.string),
            let column = table.column(named: place.column.string), let key = SyncNames.storedKey(place.object.key),
            let position = try table.primaryKey.flatMap({ _ in try table.find(primaryKey: key) })
        else { return nil }
        var content: Content? = try content(column, at: position, in: table)
        for element in place.path.elements {
            switch (content, element) {
            case (.list(let elements, _)?, .index(let index)):
                content = elements.indices.contains(index) ? elements[index] : nil
            case (.dictionary(let members, _)?, .key(let key)), (.object(let members)?, .key(let key)):
                content = members[key]
            default: return nil
            }
        }
        return content
    }

    private func content(
        of collection: StoredCollection, _ column: Column, _ table: Table, isNested: Bool
    ) throws -> Content {
        switch collection {
        case .list(let list):
            return .list(try list.values().map { try content(of: $0, column, table) }, isNested: isNested)
        case .set(let set):
            var members: Set<SyncValue> = []
            for value in try set.values() {
                if case .value(let member) = try content(of: value, column, table) { members.insert(member) }
            }
            return .set(members)
        case .dictionary(let entries):
            var members: [Text: Content] = [:]
            for index in 0..<entries.count {
                members[Text(try entries.key(at: index))] = try content(of: entries.value(at: index), column, table)
            }
            return .dictionary(members, isNested: isNested)
        }
    }

    private func content(of value: StoredValue, _ column: Column, _ table: Table) throws -> Content {
        switch value {
        case .link(let object):
            return try content(of: ObjectLink(table: table.oppositeTables[column.leafIndex], object: object))
        case .typedLink(let link): return try content(of: link)
        default: break
        }
        guard let collection = try StoredCollection(value: value, in: source.space) else {
            return .value(SyncNames.value(value) ?? .null)
        }
        return try content(of: collection, column, table, isNested: true)
    }

    private func content(of link: ObjectLink) throws -> Content {
        guard !link.object.isNull, let table = try source.table(link.table) else { return .value(.null) }
        guard table.isEmbedded else {
            return .value(try source.reference(to: link.object, in: table).map { .link($0) } ?? .null)
        }
        guard let position = try table.find(link.object) else { return .value(.null) }
        var members: [Text: Content] = [:]
        for column in table.publicColumns {
            members[Text(column.name)] = try content(column, at: position, in: table)
        }
        return .object(members)
    }
}

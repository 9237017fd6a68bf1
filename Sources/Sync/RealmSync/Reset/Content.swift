// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmSyncCore
import RealmValues

/// The value of a property as changesets describe it, with nested values. Contents of two files are equal if the values
/// are, regardless of object keys.
indirect enum Content: Hashable {
    /// A link to a top-level object is the object's name, whether the object exists or is a tombstone.
    case value(SyncValue)
    case list([Content], isNested: Bool)
    case set(Set<SyncValue>)
    case dictionary([Text: Content], isNested: Bool)
    case object([Text: Content])
}

struct ContentReader {
    let source: any TableSource

    init(_ source: any TableSource) { self.source = source }

    func content(_ column: Column, at position: ClusterTree.Position, in table: Table) throws -> Content {
        let reader = ObjectReader(source, keepsTombstones: true, depthLimit: 1000)
        return try content(reader.value(column, of: table, at: position), isNested: !column.key.isCollection)
    }

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

    private func content(_ value: DetachedValue, isNested: Bool = true) throws -> Content {
        switch value {
        case .plain, .link: return .value(try source.syncValue(value))
        case .list(let elements): return .list(try elements.map { try content($0) }, isNested: isNested)
        case .set(let elements): return .set(Set(try elements.map { try source.syncValue($0) }))
        case .dictionary(let entries):
            var members: [Text: Content] = [:]
            for (key, value) in entries { members[Text(key)] = try content(value) }
            return .dictionary(members, isNested: isNested)
        case .object(let key, let values):
            var members: [Text: Content] = [:]
            for (column, value) in zip(try source.table(key)?.publicColumns ?? [], values) {
                members[Text(column.name)] = try content(value, isNested: !column.key.isCollection)
            }
            return .object(members)
        }
    }
}

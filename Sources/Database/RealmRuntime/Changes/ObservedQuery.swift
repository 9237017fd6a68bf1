// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmQuery
import RealmStorage

/// A query as its observers evaluate it: without models, in any version, and on any thread.
package struct ObservedQuery: Sendable {
    package enum Base: Sendable {
        case table
        case collection(CollectionPath)
        /// The objects that link to an object.
        case backlinks(of: ObjectKey, in: TableKey, ColumnKey)
    }

    /// Resolves a query of a class that had no table, with a filter for key paths of its elements. Returns nil for a
    /// version without the table.
    package typealias Resolution =
        @Sendable (ObservedVersion, _ keyPaths: [String]?) -> (query: ObservedQuery, filter: KeyPathFilter?)?

    package let base: Base
    /// The class of the elements; nil if they are values.
    package let elements: TableKey?
    package let steps: [ResultsStep]
    /// nil if the class has a table. Otherwise the query has no steps of its own.
    package let resolve: Resolution?

    package init(_ base: Base, elements: TableKey?, steps: [ResultsStep]) {
        self.base = base
        self.elements = elements
        self.steps = steps
        resolve = nil
    }

    package init(resolvedBy resolve: @escaping Resolution) {
        (base, elements, steps) = (.table, nil, [])
        self.resolve = resolve
    }

    /// The class whose objects the query begins with, all of them.
    package var wholeTable: TableKey? { if case .table = base { elements } else { nil } }

    /// Returns the elements in a version. A query whose source was deleted has none. Damage is recorded by the
    /// version's reader.
    package func contents(in version: ObservedVersion) -> QueryContents {
        if let resolve { return resolve(version, nil)?.query.contents(in: version) ?? .keys([]) }
        if case .table = base, steps.isEmpty { return .table }
        return version.reader.reading(.keys([])) {
            let snapshot = version.snapshot
            guard let source = try source(in: version.reader) else { return .keys([]) }
            return switch source {
            case .table: .keys(try steps[...].run(on: snapshot) { try allKeys(in: version.reader, first: $0) })
            case .keys(let keys): .keys(try steps[...].run(on: snapshot, keys))
            case .values(let values): .values(steps.run(values))
            }
        }
    }

    /// Returns the objects or values that the query begins with; nil if its collection or object was deleted.
    private func source(in reader: VersionReader) throws -> QueryContents? {
        switch base {
        case .table: return .table
        case .collection(let path):
            return try reader.requireSource().collectionIfPresent(path)?.visibleElements(of: path.column)
        case .backlinks(let object, let table, let column):
            guard let table = reader.table(table), let position = try reader.find(object, in: table) else { return nil }
            return .keys(try table.backlinks(try table.require(column), at: position))
        }
    }

    private func allKeys(in reader: VersionReader, first limit: Int) throws -> [ObjectKey] {
        try elements.flatMap(reader.table)?.allKeys(first: limit) ?? []
    }
}

extension StoredCollection {
    /// Returns the elements, or the values of a dictionary, without links to objects that don't exist in this file.
    func visibleElements(of column: ColumnKey) throws -> QueryContents {
        switch self {
        case .list(let tree): return try tree.visibleElements
        case .set(let set): return try set.tree.visibleElements
        case .dictionary(let dictionary):
            let values = try dictionary.values()
            guard column.type == .link else { return .values(values) }
            return .keys(values.compactMap { if case .typedLink(let link) = $0 { link.object.existing } else { nil } })
        }
    }
}

extension BPlusTree {
    fileprivate var visibleElements: QueryContents {
        get throws {
            guard kind == .key else { return .values(try values()) }
            let keys = try keys()
            return .keys(keys.contains(where: \.isUnresolved) ? keys.filter { !$0.isUnresolved } : keys)
        }
    }
}

extension ObjectKey {
    fileprivate var existing: ObjectKey? { isUnresolved ? nil : self }
}

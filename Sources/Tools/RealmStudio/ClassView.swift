// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmQuery
import RealmStorage
import RealmTools

/// The objects of a class that a table of the page displays, in its order.
struct ClassView {
    let table: TableKey
    private let statement: CompiledStatement?
    /// Selects objects by a link; nil for all objects of the class.
    private let linked: LinkedObjects?
    /// nil if all objects are displayed in the order of their keys, so that a million of them need no memory.
    private var keys: [ObjectKey]?
    private var version: UInt64
    private(set) var count: Int

    struct LinkedObjects {
        let table: TableKey
        let object: ObjectKey
        let column: ColumnKey
    }

    init(_ fields: RequestFields, in file: FollowedFile) throws {
        table = try fields.table
        statement = try ClassView.statement(fields, table, in: file)
        linked = try ClassView.linked(fields, in: file)
        (version, count) = (0, 0)
        try find(in: file)
    }

    static func statement(_ fields: RequestFields, _ table: TableKey, in file: FollowedFile) throws
        -> CompiledStatement?
    {
        var statement = try QueryStatement(parsing: fields.optionalText("query") ?? "")
        if case .array(let sort)? = fields["sort"], !sort.isEmpty {
            let keys = sort.compactMap { key -> SortKey? in
                guard case .array(let parts) = key, parts.count == 2, case .string(let path) = parts[0],
                    case .bool(let ascending) = parts[1]
                else { return nil }
                // The name of a property may contain dots.
                return SortKey(PropertyPath([.property(path)]), ascending: ascending)
            }
            statement.steps.append(.sort(keys))
        }
        if statement.predicate == .constant(true), statement.steps.isEmpty { return nil }
        return try CompiledStatement(statement, on: table, in: file.snapshot)
    }

    private static func linked(_ fields: RequestFields, in file: FollowedFile) throws -> LinkedObjects? {
        guard case .object(let members)? = fields["linked"] else { return nil }
        let place = RequestFields(members)
        let table = try file.table(try place.table)
        let name = try place.text("property")
        guard let origin = place.optionalText("origin") else {
            guard let column = table.column(named: name) else { throw StudioError("there is no property '\(name)'") }
            return LinkedObjects(table: table.key, object: try place.object, column: column.key)
        }
        let source = try file.table(named: origin)
        guard let column = source.column(named: name),
            let backlinks = table.backlinkColumn(origin: source.key, column.key)
        else { throw StudioError("'\(origin).\(name)' does not link here") }
        return LinkedObjects(table: table.key, object: try place.object, column: backlinks.key)
    }

    // MARK: Objects

    private mutating func find(in file: FollowedFile) throws {
        let table = try file.table(table)
        version = file.snapshot.version
        if let linked {
            var found = try linked.keys(in: file)
            if let statement {
                found = try statement.query.filter(found, in: file.snapshot)
                for step in statement.steps { found = try step.objects(of: found, in: file.snapshot) }
            }
            keys = found
        } else {
            keys = try statement?.objects(in: file.snapshot)
        }
        count = try keys?.count ?? table.count()
    }

    /// Reruns the query if the file has changed.
    mutating func refresh(in file: FollowedFile) throws {
        if version != file.snapshot.version { try find(in: file) }
    }

    mutating func write(from start: Int, count wanted: Int, in file: FollowedFile, _ json: inout JSONText) throws {
        try refresh(in: file)
        let table = try file.table(table)
        let cells = CellReader(source: file.snapshot)
        let rows = window(from: start, count: wanted, limit: ClassView.maxRows)
        json.member("count", count)
        json.member("from", rows.lowerBound)
        json.member("version", version)
        try json.member("rows", rows) { json, index in
            guard let (key, position) = try place(index, table) else { return json.null() }
            json.raw("[")
            json.integer(key.rawValue)
            for column in table.publicColumns {
                json.raw(",")
                try cells.write(column, table, position, &json)
            }
            json.raw("]")
        }
    }

    private static let maxRows = 1000

    private func window(from start: Int, count wanted: Int, limit: Int) -> Range<Int> {
        let low = min(count, max(0, start))
        return low..<low + min(count - low, max(0, wanted), limit)
    }

    mutating func writeKeys(from start: Int, count wanted: Int, in file: FollowedFile, _ json: inout JSONText) throws {
        try refresh(in: file)
        let table = try file.table(table)
        try json.member("keys", window(from: start, count: wanted, limit: ClassView.maxKeys)) { json, index in
            json.integer(try (keys?[index] ?? key(index, table)).rawValue)
        }
    }

    /// The maximum number of objects that can be selected and changed at once.
    private static let maxKeys = 100_000

    private func key(_ index: Int, _ table: Table) throws -> ObjectKey {
        let position = try table.clusters.position(at: index)
        return position.leaf.key(at: position.row)
    }

    private func place(_ index: Int, _ table: Table) throws -> (ObjectKey, ClusterTree.Position)? {
        guard let keys else {
            let position = try table.clusters.position(at: index)
            return (position.leaf.key(at: position.row), position)
        }
        return try table.find(keys[index]).map { (keys[index], $0) }
    }

    func index(of key: ObjectKey, in file: FollowedFile) throws -> Int? {
        if let keys { return keys.firstIndex(of: key) }
        let table = try file.table(table)
        guard try table.find(key) != nil else { return nil }
        return try (0..<count).partitioningIndex { index in
            let position = try table.clusters.position(at: index)
            return position.leaf.key(at: position.row) >= key
        }
    }

    func allKeys(in file: FollowedFile) throws -> [ObjectKey] {
        if let keys { return keys }
        var all: [ObjectKey] = []
        try file.table(table).clusters.forEachLeaf { leaf in
            for row in 0..<leaf.count { all.append(leaf.key(at: row)) }
            return true
        }
        return all
    }
}

extension ClassView.LinkedObjects {
    fileprivate func keys(in file: FollowedFile) throws -> [ObjectKey] {
        let table = try file.table(table)
        guard let column = table.column(column), let position = try table.find(object) else { return [] }
        if column.isBacklink { return try table.backlinks(column, at: position) }
        let values =
            try column.key.isCollection
            ? table.collection(column, at: position)?.values() ?? []
            : [table.value(column, at: position)]
        return values.compactMap { if case .link(let key) = $0, key.rawValue >= 0 { key } else { nil } }
    }
}

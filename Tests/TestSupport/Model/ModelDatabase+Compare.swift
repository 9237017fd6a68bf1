// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

extension ModelDatabase {
    /// Throws at the first difference in tables, columns, objects, values, lists, or backlinks.
    package func compare(with source: some TableSource) throws {
        let keys = tables.keys.sorted { $0.slot < $1.slot }
        try requireEqual(try source.tableKeys(), keys, "the tables")
        let backlinks = expectedBacklinks()
        for key in keys {
            guard let table = try source.table(key) else { throw Failure("\(self[key].name) is missing") }
            try withTrace(self[key].name) {
                try compareSchema(self[key], table)
                try compareObjects(self[key], table, backlinks[key] ?? [:])
            }
        }
    }

    private func compareSchema(_ expected: ModelTable, _ table: Table) throws {
        try requireEqual(table.name, expected.name, "the name")
        try requireEqual(table.kind, expected.kind, "the kind")
        try requireEqual(table.primaryKey, expected.primaryKey, "the primary key")
        try requireEqual(table.publicColumns.map(\.key), expected.columns.map(\.key), "the columns")
        try requireEqual(table.publicColumns.map(\.name), expected.columns.map(\.name), "the columns' names")
        for column in expected.columns {
            let isIndexed = column.isIndexed || column.key == expected.primaryKey
            try requireEqual(table.hasIndex(column.key), isIndexed, "whether \(column.name) is indexed")
        }
    }

    private func compareObjects(
        _ expected: ModelTable, _ table: Table, _ backlinks: [ObjectKey: [Origin: [ObjectKey]]]
    ) throws {
        try requireEqual(try table.count(), expected.objects.count, "the count")
        var keys: [ObjectKey] = []
        try table.clusters.forEachLeaf { leaf in
            for row in 0..<leaf.count {
                let key = leaf.key(at: row)
                keys.append(key)
                guard let object = expected.objects[key] else { throw Failure("\(key) should not be there") }
                let position = ClusterTree.Position(leaf: leaf, row: row)
                try withTrace("\(key)") {
                    try compareValues(of: object, expected, table, at: position)
                    try compareBacklinks(backlinks[key] ?? [:], table, at: position)
                }
            }
            return true
        }
        try requireEqual(keys, expected.objects.keys.sorted(), "the objects")
        for key in keys { try require(try table.find(key) != nil, "\(key) is not found") }
    }

    private func compareValues(
        of object: ModelObject, _ expected: ModelTable, _ table: Table, at position: ClusterTree.Position
    ) throws {
        for (column, stored) in zip(expected.columns, table.publicColumns) {
            let value = try ModelValue(stored, of: table, at: position)
            let expected = object.values[column.key] ?? .null
            try require(value.isIdentical(to: expected), "\(column.name) is \(value), should be \(expected)")
        }
    }

    // MARK: Backlinks

    /// The column of the links that a backlink column records.
    private struct Origin: Hashable {
        let table: TableKey
        let column: ColumnKey
    }

    private func expectedBacklinks() -> [TableKey: [ObjectKey: [Origin: [ObjectKey]]]] {
        var result: [TableKey: [ObjectKey: [Origin: [ObjectKey]]]] = [:]
        for table in tables.values {
            for column in table.columns where column.holdsLinks {
                let origin = Origin(table: table.key, column: column.key)
                for (key, object) in table.objects {
                    for link in links(object, column) {
                        result[link.table, default: [:]][link.object, default: [:]][origin, default: []].append(key)
                    }
                }
            }
        }
        return result
    }

    private func compareBacklinks(
        _ expected: [Origin: [ObjectKey]], _ table: Table, at position: ClusterTree.Position
    ) throws {
        var rest = expected
        for column in table.backlinkColumns {
            let origin = Origin(
                table: table.oppositeTables[column.leafIndex], column: table.oppositeColumns[column.leafIndex])
            let keys = try table.backlinks(column, at: position)
            let expected = rest.removeValue(forKey: origin) ?? []
            try requireEqual(keys.sorted(), expected.sorted(), "the backlinks from \(origin)")
            try requireEqual(try table.backlinkCount(column, at: position), expected.count, "the count of backlinks")
        }
        try require(rest.isEmpty, "no backlink column for \(rest.keys)")
    }

    // MARK: Indexes

    /// Searches for every value of every indexed column, and for a missing one.
    package func compareIndexes(with source: some TableSource) throws {
        for expected in tables.values {
            guard let table = try source.table(expected.key) else { continue }
            try compareSearches(expected, table)
            for column in expected.columns where table.hasIndex(column.key) && !column.isCollection {
                guard column.type != .mixed else {
                    try compareMixedIndex(expected, column, table)
                    continue
                }
                var byValue: [StoredValue: [ObjectKey]] = [:]
                for (key, object) in expected.objects {
                    byValue[object.plain(column.key), default: []].append(key)
                }
                for (value, keys) in byValue {
                    let found = try table.objects(column.key, equalTo: value)
                    try requireEqual(found, keys.sorted(), "\(expected.name).\(column.name) equal to \(value)")
                }
                for value in [StoredValue.int(123_456_789), .string("nowhere"), .null] where byValue[value] == nil {
                    let found = try table.objects(column.key, equalTo: value)
                    try require(found.isEmpty, "\(expected.name).\(column.name) equal to \(value): \(found)")
                }
            }
            guard let primaryKey = expected.primaryKey else { continue }
            for (key, object) in expected.objects {
                let value = object.plain(primaryKey)
                try requireEqual(try table.object(primaryKey: value), key, "\(expected.name) with key \(value)")
            }
        }
    }

    /// Equal numbers of different types may be filed separately (content 13.8), so the result is only bounded.
    private func compareMixedIndex(_ expected: ModelTable, _ column: ModelColumn, _ table: Table) throws {
        for value in expected.objects.values.compactMap({ $0.values[column.key]?.indexed }) {
            let found = try table.objects(column.key, equalTo: value)
            for key in found {
                let other = expected.objects[key]?.values[column.key]?.indexed ?? .bool(false)
                try requireEqual(StoredValue.compare(value, other), 0, "\(other) beside \(value) in the index")
            }
            let alike = expected.objects.filter { $1.values[column.key]?.indexed.isIdentical(to: value) == true }
            try require(Set(alike.keys).isSubset(of: found), "\(value) of \(alike.keys) in the index: \(found)")
        }
    }

    /// Searches for every element of the sets and every key of the dictionaries, and for some missing ones.
    private func compareSearches(_ expected: ModelTable, _ table: Table) throws {
        for column in expected.columns where column.key.isSet || column.key.isDictionary {
            for (key, object) in expected.objects {
                guard let value = object.values[column.key] else { continue }
                try withTrace("\(expected.name).\(column.name) of \(key)") {
                    if case .dictionary(let entries) = value {
                        try compareSearches(entries, try table.dictionary(column.key, of: key))
                    } else if case .set(let elements) = value {
                        try compareSearches(elements, try table.set(column.key, of: key))
                    }
                }
            }
        }
    }

    private func compareSearches(_ elements: [StoredValue], _ set: SetTree) throws {
        for (index, element) in elements.enumerated() {
            try requireEqual(try set.index(of: element), index, "the place of \(element)")
        }
    }

    private func compareSearches(_ entries: [ModelValue.Entry], _ dictionary: DictionaryTree) throws {
        for (index, entry) in entries.enumerated() {
            try requireEqual(try dictionary.index(of: entry.key), index, "the place of \(entry.key)")
        }
        try require(try dictionary.find("no such key") == nil, "a key that is not there")
    }
}

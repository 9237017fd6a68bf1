// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmRuntime
import RealmStorage
import RealmValues

struct TableDump {
    let table: Table
    let tables: [TableKey: Table]
    let values: ValueDump
    let output: TextOutput
    let progress: Progress

    func write() throws {
        try output.write("{")
        try output.write(head.bytes)
        try output.write(",\n ")
        try lines("columns", table.publicColumns) { column in
            try values.budget.spend()
            return columnText(column)
        }
        try output.write(",\n ")
        try lines("backlinks", table.backlinkColumns) { column in
            try values.budget.spend()
            return backlinkText(column)
        }
        let count = try table.count()
        try output.write(",\n \"sequence\":\(table.sequence),\"size\":\(count),\n ")
        try objects("objects", table.clusters, count: count)
        if let tombstones = table.tombstones, try tombstones.count() > 0 {
            try output.write(",\n ")
            try objects("tombstones", tombstones, count: tombstones.count())
        }
        try output.write("}")
    }

    private func lines<Element>(
        _ name: String, _ elements: some Sequence<Element>, _ text: (Element) throws -> JSONText
    ) throws {
        try output.write("\"\(name)\":[")
        var isFirst = true
        for element in elements {
            try output.write(isFirst ? "\n  " : ",\n  ")
            isFirst = false
            try output.write(text(element).bytes)
        }
        try output.write("]")
    }

    private var head: JSONText {
        var json = JSONText()
        json.raw("\"name\":")
        json.string(table.name)
        json.member("key", table.key.rawValue)
        json.member("type", table.kind.dumpName)
        json.member("primaryKey", table.primaryKey.flatMap { key in table.columns.first { $0.key == key }?.name })
        return json
    }

    private func columnText(_ column: Column) -> JSONText {
        JSONText.object { json in
            json.member("name", column.name)
            json.member("key", column.key.rawValue)
            json.member("type", column.type.dumpName)
            json.member("nullable", column.key.isNullable)
            if let collection = column.collection { json.member("collection", collection.rawValue) }
            if let index = table.indexKind(column) { json.member("index", index.dumpName) }
            if column.type == .link { json.member("target", opposite(column)?.name) }
            if column.enumKeys != 0 { json.member("enumerated", true) }
            if column.key.isDictionary { json.member("keyType", column.dictionaryKeyType?.dumpName) }
        }
    }

    private func backlinkText(_ column: Column) -> JSONText {
        let origin = opposite(column)
        let link = table.oppositeColumns[column.leafIndex]
        return JSONText.object { json in
            json.member("fromTable", origin?.name)
            json.member("fromColumn", origin?.column(link)?.name)
            json.member("columnKey", column.key.rawValue)
        }
    }

    private func opposite(_ column: Column) -> Table? { tables[table.oppositeTables[column.leafIndex]] }

    // MARK: Objects

    private func objects(_ name: String, _ clusters: ClusterTree, count: Int) throws {
        var written = 0
        var json = JSONText()
        try output.write("\"\(name)\":[")
        try clusters.forEachLeaf { leaf in
            let row = try RowDump(leaf, table, values)
            for index in 0..<leaf.count {
                json.clear()
                json.raw(written == 0 ? "\n  " : ",\n  ")
                try row.write(index, &json)
                try output.write(json.bytes)
                written += 1
            }
            progress.advance(by: leaf.count)
            return true
        }
        guard written == count else {
            throw StorageError.corrupt("a table with a wrong number of objects", at: clusters.root)
        }
        try output.write("]")
    }
}

private struct RowDump {
    let leaf: ClusterLeaf
    let columns: [(column: Column, leaf: ColumnLeaf)]
    let backlinks: [ColumnLeaf]
    let values: ValueDump

    init(_ leaf: ClusterLeaf, _ table: Table, _ values: ValueDump) throws {
        self.leaf = leaf
        self.values = values
        columns = try table.publicColumns.map { ($0, try leaf.column($0.leafIndex, $0.leafKind)) }
        backlinks = try table.backlinkColumns.map { try leaf.column($0.leafIndex, $0.leafKind) }
    }

    func write(_ row: Int, _ json: inout JSONText) throws {
        try values.budget.spend()
        json.raw("{\"k\":")
        json.integer(leaf.key(at: row).rawValue)
        json.raw(",\"v\":")
        try json.array(columns) { try values.cell($1.column, $1.leaf, row, &$0) }
        if !backlinks.isEmpty {
            json.raw(",\"b\":")
            try json.array(backlinks) { $0.integer(try values.backlinkCount($1, row)) }
        }
        json.raw("}")
    }
}

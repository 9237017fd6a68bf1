// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmValues

struct ValueDump {
    let space: NodeSpace
    let tableNames: [TableKey: String]
    let budget: ReadBudget

    func cell(_ column: Column, _ leaf: ColumnLeaf, _ row: Int, _ json: inout JSONText) throws {
        try budget.spend()
        guard column.key.isCollection else {
            return try value(leaf, row, isMixed: column.type == .mixed, depth: 0, &json)
        }
        let root = try self.root(leaf, row)
        let isMixed = column.type == .mixed
        if column.key.isDictionary {
            let tree = try DictionaryTree(space, root, keyType: column.dictionaryKeyType ?? .string)
            try dictionary(tree, isMixed: isMixed, depth: 0, &json)
        } else {
            let tree = try BPlusTree(space, root, LeafKind(elementsOf: column.key))
            try list(tree, isMixed: isMixed, depth: 0, &json)
        }
    }

    /// Returns the number of backlinks in a row of a backlink column (content 6.16).
    func backlinkCount(_ leaf: ColumnLeaf, _ row: Int) throws -> Int {
        try budget.spend()
        let element = try leaf.ref(at: row)
        if element & 1 != 0 { return 1 }
        return try BPlusTree(space, Ref(bitPattern: Int(element)), .key).count
    }

    private func root(_ leaf: ColumnLeaf, _ row: Int) throws -> Ref {
        guard case .list(let root, _) = try leaf.value(at: row) else { return 0 }
        return root
    }

    // MARK: Collections

    private func list(_ tree: BPlusTree, isMixed: Bool, depth: Int, _ json: inout JSONText) throws {
        var array = try JSONArrayText(count: tree.count)
        try forEach(tree) { leaf, row in
            try array.element { try value(leaf, row, isMixed: isMixed, depth: depth, &$0) }
        }
        try verify(array.count, tree)
        array.finish(into: &json)
    }

    /// Values are Mixed in the file. If the column declares their type, the dump doesn't repeat it (content 7.6).
    private func dictionary(_ tree: DictionaryTree, isMixed: Bool, depth: Int, _ json: inout JSONText) throws {
        guard let keys = tree.keys, let values = tree.valuesTree else { return json.raw("[]") }
        var cursor = BPlusTreeCursor(values)
        var array = try JSONArrayText(count: tree.count)
        try forEach(keys) { leaf, row in
            let place = try cursor.position(array.count)
            try array.element { json in
                json.raw("[")
                try dictionaryKey(leaf, row, &json)
                json.raw(",")
                try value(place.leaf, place.row, isMixed: isMixed, depth: depth, &json)
                json.raw("]")
            }
        }
        try verify(array.count, keys)
        array.finish(into: &json)
    }

    private func dictionaryKey(_ leaf: ColumnLeaf, _ row: Int, _ json: inout JSONText) throws {
        if leaf.kind == .int { return json.integer(try leaf.int(at: row)) }
        try text(leaf, row, &json)
    }

    private func forEach(_ tree: BPlusTree, _ body: (ColumnLeaf, Int) throws -> Void) throws {
        try tree.forEachLeaf { leaf in
            for row in 0..<leaf.leaf.count {
                try budget.spend()
                try body(leaf.leaf, row)
            }
            return true
        }
    }

    private func verify(_ count: Int, _ tree: BPlusTree) throws {
        guard count == tree.count else { throw StorageError.corrupt("a collection with a wrong count", at: tree.root) }
    }

    // MARK: Values

    private func value(_ leaf: ColumnLeaf, _ row: Int, isMixed: Bool, depth: Int, _ json: inout JSONText) throws {
        let stored = try leaf.value(at: row)
        guard isMixed, !stored.isNull else { return try plain(stored, leaf, row, &json) }
        try json.object { json in
            switch stored {
            case .typedLink(let link): try typedLink(link, &json)
            case .list(let root, _):
                json.member("list")
                try list(BPlusTree(space, root, .mixed), isMixed: true, depth: try deeper(depth, root), &json)
            case .dictionary(let root, _):
                json.member("dictionary")
                try dictionary(DictionaryTree(space, root), isMixed: true, depth: try deeper(depth, root), &json)
            default:
                json.member(stored.typeName)
                try plain(stored, leaf, row, &json)
            }
        }
    }

    private func deeper(_ depth: Int, _ ref: Ref) throws -> Int {
        guard depth < FileFormat.maximumNestingLevel else {
            throw StorageError.corrupt("collections nested without end; the file is damaged", at: ref)
        }
        return depth + 1
    }

    private func typedLink(_ link: ObjectLink, _ json: inout JSONText) throws {
        json.member(link.object.rawValue < 0 ? "unresolvedLink" : "link")
        json.raw("[")
        json.string(tableNames[link.table])
        json.raw(",")
        json.integer(link.object.rawValue)
        json.raw("]")
    }

    private func plain(_ stored: StoredValue, _ leaf: ColumnLeaf, _ row: Int, _ json: inout JSONText) throws {
        switch stored {
        case .null: json.null()
        case .int(let number): json.integer(number)
        case .bool(let flag): json.bool(flag)
        case .float(let number): json.float(number)
        case .double(let number): json.double(number)
        case .string: try text(leaf, row, &json)
        case .binary(let data):
            try budget.spend(byteCount: data.count)
            try json.data(data)
        case .timestamp(let date): json.date(date)
        case .decimal(let number): json.decimal(number)
        case .objectId(let identifier): json.hex(identifier.bytes)
        case .uuid(let identifier): json.uuid(identifier)
        case .link(let key): json.link(key)
        case .typedLink(let link): json.link(link.object)
        case .list(let root, _), .dictionary(let root, _):
            throw StorageError.corrupt("a collection where a single value belongs; the file is damaged", at: root)
        }
    }

    private func text(_ leaf: ColumnLeaf, _ row: Int, _ json: inout JSONText) throws {
        guard let bytes = try leaf.text(at: row) else { return json.null() }
        try budget.spend(byteCount: bytes.count)
        try json.text(bytes)
    }
}

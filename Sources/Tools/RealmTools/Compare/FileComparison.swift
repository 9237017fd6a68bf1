// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmValues

/// Finds the differences between two files, class by class.
///
/// Objects are matched by primary key, if both files have one for the class, otherwise by object key. Results are
/// streamed: memory doesn't depend on the number of objects.
struct FileComparison {
    enum Difference {
        case schema(Side, className: String, property: String?, first: String?, second: String?)
        case object(Side, className: String, name: JSONText)
        case values(className: String, name: JSONText, [(property: String, first: JSONText, second: JSONText)])
    }

    enum Side {
        case first
        case second
        case both
    }

    let first: OpenFile
    let second: OpenFile
    let progress: Progress?

    func forEach(_ body: (Difference) throws -> Void) throws {
        let (own, others) = (try FileComparison.classes(first.snapshot), try FileComparison.classes(second.snapshot))
        for (name, table) in own.sorted(by: { $0.key < $1.key }) {
            guard let other = others[name] else {
                try body(.schema(.first, className: name, property: nil, first: nil, second: nil))
                continue
            }
            try compareProperties(table, other, name, body)
            if !table.isEmbedded { try compareObjects(table, other, name, body) }
        }
        for name in others.keys.sorted() where own[name] == nil {
            try body(.schema(.second, className: name, property: nil, first: nil, second: nil))
        }
    }

    private static func classes(_ snapshot: Snapshot) throws -> [String: Table] {
        Dictionary(try snapshot.allTables().compactMap { table in table.className.map { ($0, table) } }) { first, _ in
            first
        }
    }

    // MARK: Schema

    private func compareProperties(
        _ table: Table, _ other: Table, _ name: String, _ body: (Difference) throws -> Void
    ) throws {
        let (own, others) = (try properties(table, first), try properties(other, second))
        for (property, type) in own.sorted(by: { $0.key < $1.key }) where others[property] != type {
            try body(
                .schema(
                    others[property] == nil ? .first : .both, className: name, property: property, first: type,
                    second: others[property]))
        }
        for (property, type) in others.sorted(by: { $0.key < $1.key }) where own[property] == nil {
            try body(.schema(.second, className: name, property: property, first: nil, second: type))
        }
        if table.kind != other.kind {
            try body(
                .schema(.both, className: name, property: nil, first: table.kind.words, second: other.kind.words))
        }
    }

    private func properties(_ table: Table, _ file: OpenFile) throws -> [String: String] {
        let described = try table.publicColumns.map { try PropertyDescription($0, of: table, in: file.snapshot) }
        return Dictionary(described.map { ($0.name, $0.words) }) { first, _ in first }
    }

    private func compareObjects(
        _ table: Table, _ other: Table, _ name: String, _ body: (Difference) throws -> Void
    ) throws {
        let (own, others) = (ObjectSide(table, first), ObjectSide(other, second))
        let byPrimaryKey = own.primaryKey != nil && own.primaryKey?.type == others.primaryKey?.type
        let pairs = PropertyPairs(own, others)
        try own.forEach { key, values in
            progress?.advance()
            let place = try others.find(key, values, own, byPrimaryKey)
            guard let place else {
                return try body(.object(.first, className: name, name: own.name(key, values, byPrimaryKey)))
            }
            let changes = try pairs.changes(values, try others.reader.values(of: other, at: place))
            if !changes.isEmpty {
                try body(.values(className: name, name: own.name(key, values, byPrimaryKey), changes))
            }
        }
        try others.forEach { key, values in
            progress?.advance()
            guard try own.find(key, values, others, byPrimaryKey) == nil else { return }
            try body(.object(.second, className: name, name: others.name(key, values, byPrimaryKey)))
        }
    }
}

private struct ObjectSide {
    let table: Table
    let reader: ObjectReader
    let primaryKey: Column?
    private let place: Int?
    let text: ValueText

    init(_ table: Table, _ file: OpenFile) {
        self.table = table
        reader = ObjectReader(file.snapshot, budget: ReadBudget(byteCount: file.byteCount))
        primaryKey = table.primaryKey.flatMap { table.column($0) }
        place = table.primaryKeyPlace
        var text = ValueText(file.snapshot)
        text.ordersSets = true
        self.text = text
    }

    func forEach(_ body: (ObjectKey, [DetachedValue]) throws -> Void) throws {
        try reader.forEachObject(of: table, body)
    }

    func find(
        _ key: ObjectKey, _ values: [DetachedValue], _ other: ObjectSide, _ byPrimaryKey: Bool
    ) throws -> ClusterTree.Position? {
        guard byPrimaryKey, let place = other.place else { return try table.find(key) }
        guard case .plain(let value) = values[place] else { return nil }
        return try table.find(primaryKey: value)
    }

    func name(_ key: ObjectKey, _ values: [DetachedValue], _ byPrimaryKey: Bool) throws -> JSONText {
        var json = JSONText()
        if byPrimaryKey, let place {
            try text.write(values[place], isMixed: false, &json)
        } else {
            json.integer(key.rawValue)
        }
        return json
    }
}

private struct PropertyPairs {
    private let own: ObjectSide
    private let others: ObjectSide
    private let pairs: [(name: String, first: Int, second: Int, isMixed: Bool)]

    init(_ own: ObjectSide, _ others: ObjectSide) {
        self.own = own
        self.others = others
        let columns = Array(others.table.publicColumns)
        pairs = own.table.publicColumns.enumerated().compactMap { place, column in
            columns.firstIndex { $0.name == column.name }.map {
                (column.name, place, $0, column.type == .mixed || columns[$0].type == .mixed)
            }
        }
    }

    func changes(
        _ first: [DetachedValue], _ second: [DetachedValue]
    ) throws -> [(property: String, first: JSONText, second: JSONText)] {
        var result: [(property: String, first: JSONText, second: JSONText)] = []
        for pair in pairs {
            let (old, new) = (first[pair.first], second[pair.second])
            if case .plain(let a) = old, case .plain(let b) = new, a.isIdentical(to: b) { continue }
            var (own, theirs) = (JSONText(), JSONText())
            try self.own.text.write(old, isMixed: pair.isMixed, &own)
            try others.text.write(new, isMixed: pair.isMixed, &theirs)
            if own.bytes != theirs.bytes { result.append((pair.name, own, theirs)) }
        }
        return result
    }
}

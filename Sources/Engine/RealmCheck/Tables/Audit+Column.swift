// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

extension Audit {
    /// A public or backlink column. Its attributes are derived from the column key (content 1.2).
    final class Column {
        enum Kind {
            case list
            case set
            case dictionary
        }

        enum IndexKind {
            case value
            case words
            case fullText
        }

        let key: ColumnKey
        let type: ColumnType
        /// nil for a single value.
        let kind: Kind?
        /// The element of the spec's attributes, with the bits that the key omits.
        let attributes: Int64
        /// nil for a backlink column.
        let name: String?
        let label: String
        /// The type of a dictionary's keys. Its position in the spec is checked separately (content 4.1).
        var keyType = ColumnType.string
        var indexRoot: Int64 = 0
        var oppositeTable = Int64(TableKey.null.rawValue)
        var oppositeColumn = ColumnKey.null.rawValue
        /// The distinct values of an enumerated column (content 4.5).
        var enumKeys: [ByteRun]?
        /// Whether each of them is valid UTF-8.
        var enumKeyIsText: [Bool] = []
        /// Whether a part of the column couldn't be read.
        var isBroken = false

        /// Values of live objects in row order, if an index or the primary key needs them. For list indexes, the words
        /// of all rows in sequence.
        var kept: [Datum] = []
        /// For each row the end of its words in `kept`.
        var wordEnds: [Int] = []

        init(key: ColumnKey, type: ColumnType, attributes: Int64, name: String?, table: String) {
            self.key = key
            self.type = type
            self.attributes = attributes
            self.name = name
            label = table + "." + (name ?? "<backlink \(key.leafIndex)>")
            kind =
                switch key.attributes.intersection([.list, .set, .dictionary]) {
                case .list: .list
                case .set: .set
                case .dictionary: .dictionary
                default: nil
                }
        }

        var leafIndex: Int { key.leafIndex }
        var isNullable: Bool { key.isNullable }
        var isFullText: Bool { attributes & Int64(ColumnAttributes.fullTextIndexed.rawValue) != 0 }
        var isWordList: Bool { indexRoot != 0 && indexKind == .words }

        /// nil if such a column can't have an index (content 9).
        var indexKind: IndexKind? {
            if isFullText { return type == .string && kind == nil ? .fullText : nil }
            if kind != nil { return type == .string && kind == .list ? .words : nil }
            return type.isIndexable ? .value : nil
        }

        /// Whether a column of this type can have its attributes (content 4.4).
        var hasLegalAttributes: Bool {
            let collections: [ColumnAttributes] = [[], .list, .set, .dictionary]
            let own = key.attributes
            switch type {
            case .backlink: return own == []
            case .link: return [.nullable, .list, .set, [.dictionary, .nullable]].contains(own)
            case .mixed: return own.contains(.nullable) && collections.contains(own.subtracting(.nullable))
            case .typedLink: return true
            default: return collections.contains(own.subtracting(.nullable))
            }
        }
    }

    /// A leaf of a cluster tree: its rows, and one column leaf for each leaf index (content 5.2).
    struct Cluster {
        let ref: Int64
        /// The first row's index among all rows of the tree.
        let firstRow: Int
        let rowCount: Int
        /// All slots; that of leaf index i is 1 + i.
        let slots: [Int64]
    }

    /// The objects of one cluster tree, ascending by unsigned key.
    struct ObjectRows {
        var keys: [UInt64] = []
        var clusters: [Cluster] = []

        func row(of key: Int64) -> Int? {
            let wanted = UInt64(bitPattern: key)
            // Most tables have the keys 0, 1, 2 … without a gap.
            if wanted < UInt64(keys.count), keys[Int(wanted)] == wanted { return Int(wanted) }
            let row = keys.partitioningIndex { $0 >= wanted }
            return row < keys.count && keys[row] == wanted ? row : nil
        }

        func key(_ row: Int) -> Int64 { Int64(bitPattern: keys[row]) }
    }

    final class Table {
        let slot: Int
        let name: String
        let ref: Int64
        /// The table top. Missing slots are read as 0 (content 3).
        var top: [Int64] = []
        var key: UInt64 = 0
        var columnKeyCounter: UInt64 = 0
        var sequence: UInt64 = 0
        var primaryKey: UInt64?
        var flags: UInt64 = 0
        var columns: [Column] = []
        var columnsByKey: [UInt64: Column] = [:]
        var primary: Column?
        var live = ObjectRows()
        var tombs = ObjectRows()
        var isBroken = false
        /// For an embedded table the number of links to each row.
        var parentCounts: [UInt32] = []
        var tombBacklinks: [Int] = []

        init(slot: Int, name: String, ref: Int64) {
            self.slot = slot
            self.name = name
            self.ref = ref
        }

        var kind: TableKind { TableKind(rawValue: Int(flags & 3)) ?? .topLevel }
        var highestLeafIndex: Int { columns.lazy.map(\.leafIndex).max() ?? -1 }
    }
}

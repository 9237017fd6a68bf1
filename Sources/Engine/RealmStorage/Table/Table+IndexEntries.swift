// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

extension Table {
    func indexData(_ column: Column, of key: ObjectKey) throws -> IndexData? {
        guard let position = try findBeforeErasures(key) else { return nil }
        return try position.leaf.column(column.leafIndex, column.leafKind).indexData(at: position.row)
    }

    /// Returns the first objects of the values of `key`, from its index; nil if no index can provide them.
    package func indexFirsts(_ key: ColumnKey) throws -> IndexFirsts? {
        let column = try require(key)
        guard hasIndex(key), !column.isFullTextIndexed, !key.isCollection, column.type != .mixed else { return nil }
        return try IndexFirsts(index(column))
    }

    package func places(_ column: Column, ofPrefix prefix: [UInt8]) throws -> PrefixPlaces {
        try PrefixPlaces(index(column), prefix)
    }
}

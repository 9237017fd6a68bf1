// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// The key of a table: its slot in the group and the reuse tag of that slot (content 1.1).
@frozen @usableFromInline
package struct TableKey: Hashable, Comparable, Sendable, CustomStringConvertible {
    @usableFromInline package let rawValue: UInt32
    @inlinable package init(_ rawValue: UInt32) { self.rawValue = rawValue }
    package init(slot: Int, tag: UInt32) { rawValue = tag << 16 | UInt32(slot) }

    package static let null = TableKey(0x7FFF_FFFF)
    @inlinable package var slot: Int { Int(rawValue & 0xFFFF) }
    package var tag: UInt32 { rawValue >> 16 }
    @inlinable package static func < (a: TableKey, b: TableKey) -> Bool { a.rawValue < b.rawValue }
    @usableFromInline package var description: String { "table \(rawValue)" }
}

/// The key of a column throughout the column's lifetime (content 1.2). Includes the type, attributes and leaf index.
@frozen @usableFromInline
package struct ColumnKey: Hashable, Sendable, CustomStringConvertible {
    @usableFromInline package let rawValue: UInt64
    @inlinable package init(_ rawValue: UInt64) { self.rawValue = rawValue }

    package init(leafIndex: Int, type: ColumnType, attributes: ColumnAttributes, tag: UInt32) {
        let inKey = attributes.subtracting(.notInKey)
        rawValue = UInt64(leafIndex) | UInt64(type.rawValue) << 16 | UInt64(inKey.rawValue) << 22 | UInt64(tag) << 30
    }

    package static let null = ColumnKey(0x7FFF_FFFF_FFFF_FFFF)
    /// The column's index in cluster leaves, in the index array and in the opposite arrays.
    @inlinable package var leafIndex: Int { Int(rawValue & 0xFFFF) }
    /// Nil for a code that no release writes.
    @inlinable package var type: ColumnType? { ColumnType(rawValue: typeCode) }
    @inlinable var typeCode: UInt8 { UInt8(truncatingIfNeeded: rawValue >> 16) & 63 }
    @inlinable package func holds(_ type: ColumnType) -> Bool { typeCode == type.rawValue }
    @inlinable package var attributes: ColumnAttributes { ColumnAttributes(rawValue: Int(rawValue >> 22) & 0xFF) }
    package var tag: UInt32 { UInt32(truncatingIfNeeded: rawValue >> 30) }
    /// Whether the values, or the elements of a collection, may be null.
    @inlinable package var isNullable: Bool { attributes.contains(.nullable) }
    @inlinable package var isList: Bool { attributes.contains(.list) }
    @inlinable package var isSet: Bool { attributes.contains(.set) }
    @inlinable package var isDictionary: Bool { attributes.contains(.dictionary) }
    @inlinable package var isCollection: Bool {
        !attributes.isDisjoint(with: [.list, .set, .dictionary])
    }
    @usableFromInline package var description: String { "column 0x" + String(rawValue, radix: 16) }
}

/// The key of an object within its table (content 1.3).
@frozen @usableFromInline
package struct ObjectKey: Hashable, Comparable, Sendable, CustomStringConvertible {
    @usableFromInline package let rawValue: Int64
    @inlinable package init(_ rawValue: Int64) { self.rawValue = rawValue }

    package static let null = ObjectKey(-1)
    @inlinable package var isNull: Bool { rawValue == -1 }
    /// Whether this is the key of a tombstone: of an object that is linked to but doesn't exist here.
    @inlinable package var isUnresolved: Bool { rawValue < -1 }
    /// Converts between the key of a live object and that of its tombstone.
    package var unresolved: ObjectKey { ObjectKey(-2 - rawValue) }
    @inlinable package static func < (a: ObjectKey, b: ObjectKey) -> Bool { a.rawValue < b.rawValue }
    @usableFromInline package var description: String { "object \(rawValue)" }

    /// The sequence number from which the key was derived (content 1.3).
    package func number(hasPrimaryKey: Bool) -> UInt64 {
        let key = UInt64(bitPattern: rawValue)
        return hasPrimaryKey ? key : key & 0xFF | (key >> 16 & 0xFF_FFFF) << 8
    }

    /// Returns the key of the `number`th object of a table without a primary key. The low byte is unchanged, and the
    /// other bits are shifted left by eight. The bits between them are for a file identifier, which is 0 in local files
    /// (content 1.3, `squeeze`).
    package static func squeezed(_ number: UInt64) -> ObjectKey {
        ObjectKey(Int64(number & 0xFF | (number >> 8 & 0xFF_FFFF) << 16))
    }
}

/// A link with the key of its table, as stored in Mixed values (content 1.4).
@frozen @usableFromInline
package struct ObjectLink: Hashable, Comparable, Sendable {
    @usableFromInline package let table: TableKey
    @usableFromInline package let object: ObjectKey
    @inlinable package init(table: TableKey, object: ObjectKey) {
        self.table = table
        self.object = object
    }
    @inlinable package static func < (a: ObjectLink, b: ObjectLink) -> Bool {
        a.table == b.table ? a.object < b.object : a.table < b.table
    }
}

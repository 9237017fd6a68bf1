// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// A path bound to the columns of the tables that it passes through.
struct ResolvedPath: Sendable {
    let origin: TableKey
    var hops: [Hop]
    var end: End
    let written: PropertyPath
    var property: String
    /// The type of the values at the end; `.link` for objects.
    var type: ColumnType
    var target: TableKey?
    var aspect = Aspect.value
    /// Whether the path is the rest of one in which objects without a target contribute no values.
    var inheritsSkip = false

    /// The compared aspect of a mixed value.
    enum Aspect: Sendable {
        case value
        case type
        /// The number of its elements or bytes; null for a value without either.
        case size
        case keys
    }

    struct Hop: Sendable {
        enum Kind: Sendable, Equatable {
            case link
            /// A list, set or dictionary of links.
            case elements
            case backlinks
            /// One element of a list of links, or the link of a key in a dictionary.
            case element(PathSubscript)

            var isToOne: Bool {
                switch self {
                case .link, .element: true
                case .elements, .backlinks: false
                }
            }
        }
        let kind: Kind
        let column: ColumnKey
        let target: TableKey
    }

    /// The value that is read from the object after the hops.
    enum End: Sendable {
        case column(ColumnKey)
        case object
        /// Each element of a collection of values.
        case elements(ColumnKey)
        case keys(ColumnKey)
        case count(ColumnKey)
        case backlinkCount(ColumnKey)
        /// The number of links to the object.
        case incomingLinks
        /// The length of a string or data in bytes.
        case byteCount(ColumnKey)
        /// The target of subscripts of a Mixed property, or of a dictionary whose key is the first subscript.
        case subscripted(ColumnKey, [PathSubscript])
        case aggregate(AggregateOperation, ColumnKey)
        /// An aggregate over a property of the objects after one more hop.
        case linkedAggregate(AggregateOperation, Hop, ColumnKey)
    }

    /// Whether the path can lead from one object to several values, so that comparisons need ANY.
    var isToMany: Bool {
        if case .elements = end { return true }
        return hasToManyHop
    }

    /// Whether an object after a null link has no values at all, rather than the value null.
    var skipsNull: Bool {
        if case .keys = end { return true }
        return isToMany || inheritsSkip
    }

    /// Whether a quantifier is meaningful: there may be several values, or a number of them.
    var takesQuantifier: Bool {
        switch end {
        case .subscripted(_, let steps) where steps.contains(.any): true
        default: skipsNull || isAggregate || aspect == .keys || aspect == .size
        }
    }

    var hasToManyHop: Bool { hops.contains { !$0.kind.isToOne } }

    var isAggregate: Bool {
        switch end {
        case .count, .backlinkCount, .incomingLinks, .aggregate, .linkedAggregate: true
        default: false
        }
    }
}

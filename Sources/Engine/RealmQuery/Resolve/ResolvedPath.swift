// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// A path bound to the columns of the tables it leads through.
struct ResolvedPath: Sendable {
    /// The table of the path's start.
    let origin: TableKey
    var hops: [Hop]
    var end: End
    /// As the predicate has it.
    let written: PropertyPath
    /// The name of its last property, for messages.
    var property: String
    /// The type of the values at its end; `.link` for objects.
    var type: ColumnType
    /// The table of the objects at the path's end.
    var target: TableKey?
    /// The compared aspect of the value.
    var aspect = Aspect.value
    /// Whether it is the rest of a path along which objects without target contribute nothing.
    var inheritsSkip = false

    /// For messages and explanations.
    var text: String { written.description }

    /// The compared aspect of a mixed value.
    enum Aspect: Sendable {
        case value
        /// The name of its type.
        case type
        /// The number of its elements or bytes; null for a value that has neither.
        case size
        /// Each of its keys.
        case keys
    }

    /// A step from an object to others.
    struct Hop: Sendable {
        enum Kind: Sendable, Equatable {
            case link
            /// A list, set or dictionary of links.
            case elements
            case backlinks
            /// One place in a list of links, or the link of a key in a dictionary.
            case element(PathSubscript)

            /// Whether it leads to one object at most.
            var isToOne: Bool {
                switch self {
                case .link, .element: true
                case .elements, .backlinks: false
                }
            }
        }
        let kind: Kind
        /// In the table where the hop starts.
        let column: ColumnKey
        /// The table that the hop leads to.
        let target: TableKey
    }

    /// The part read of the object at the end of the hops.
    enum End: Sendable {
        /// A property with one value.
        case column(ColumnKey)
        /// The object itself.
        case object
        /// Each element of a collection of values.
        case elements(ColumnKey)
        /// Each key of a dictionary.
        case keys(ColumnKey)
        /// The number of elements of a collection.
        case count(ColumnKey)
        case backlinkCount(ColumnKey)
        /// The number of links that lead to the object.
        case incomingLinks
        /// The length of a string or data in bytes.
        case byteCount(ColumnKey)
        /// The target of subscripts: of a Mixed property, or of a dictionary by one of its keys.
        case subscripted(ColumnKey, [PathSubscript])
        /// An aggregate over the elements of a collection of values.
        case aggregate(AggregateOperation, ColumnKey)
        /// An aggregate over a property of the objects that one more hop leads to.
        case linkedAggregate(AggregateOperation, Hop, ColumnKey)
    }

    /// Whether it can lead from one object to several values, so that comparisons need ANY.
    var isToMany: Bool {
        if case .elements = end { return true }
        return hasToManyHop
    }

    /// Whether an object behind a null link has no values at all, rather than the value null.
    var skipsNull: Bool {
        if case .keys = end { return true }
        return isToMany || inheritsSkip
    }

    /// Whether a quantifier says something about it: there may be several values, or a number of them.
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

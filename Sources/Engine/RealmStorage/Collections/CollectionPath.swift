// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Names a collection: that of a column, the one in a Mixed property, or one nested in these to any depth
/// (content 7.7).
///
/// Every instruction on lists and dictionaries takes one, and every read. Without steps it is the column's own
/// collection, or the one in the Mixed property; each step leads into an element that is a collection itself.
@usableFromInline
package struct CollectionPath: Hashable, Sendable {
    /// The way from a collection to one of its elements.
    package enum Step: Hashable, Sendable {
        /// Element of a list.
        case index(Int)
        /// Value of a dictionary.
        case key(String)
        /// The element with this collection key, wherever it has moved (content 6.14).
        case nested(Int64)

        package static func == (a: Step, b: Step) -> Bool {
            switch (a, b) {
            case (.index(let a), .index(let b)): a == b
            case (.key(let a), .key(let b)): a.isIdentical(to: b)
            case (.nested(let a), .nested(let b)): a == b
            case (.index, _), (.key, _), (.nested, _): false
            }
        }

        package func hash(into hasher: inout Hasher) {
            switch self {
            case .index(let index): hasher.combine(index)
            case .key(let key): hasher.combine(ByteText(key))
            case .nested(let key): hasher.combine(key)
            }
        }
    }

    package var table: TableKey
    package var object: ObjectKey
    package var column: ColumnKey
    /// For a Mixed property: the collection key that it must hold; 0 accepts any collection.
    package var rootKey: Int64 = 0
    package var steps: [Step]

    package init(_ column: ColumnKey, of object: ObjectKey, in table: TableKey, steps: [Step] = []) {
        self.table = table
        self.object = object
        self.column = column
        self.steps = steps
    }

    package func appending(_ step: Step) -> CollectionPath {
        var path = self
        path.steps.append(step)
        return path
    }

    /// The collection that holds this one; nil if that is the column.
    package var parent: CollectionPath? {
        guard !steps.isEmpty else { return nil }
        var path = self
        path.steps.removeLast()
        return path
    }

    /// The nesting level of the collection: 1 for the outermost, at most 100.
    package var level: Int { steps.count + 1 }
}

/// The collections that a Mixed value can be.
package enum NestedKind: Sendable {
    case list
    case dictionary
}

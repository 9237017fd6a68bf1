// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Identifies a collection: that of a column, the one in a Mixed property, or one nested in these at any depth
/// (content 7.7).
///
/// All reads and instructions that use lists or dictionaries have one. Without steps it identifies the collection of
/// the column or of the Mixed property. Each step selects an element that is a collection.
@usableFromInline
package struct CollectionPath: Hashable, Sendable {
    package enum Step: Hashable, Sendable {
        case index(Int)
        case key(String)
        /// The collection key of an element, which is independent of its position (content 6.14).
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
    /// The required collection key of a Mixed property; 0 allows any collection.
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

    package var parent: CollectionPath? {
        guard !steps.isEmpty else { return nil }
        var path = self
        path.steps.removeLast()
        return path
    }

    /// The nesting level of the collection: 1 for the outermost, at most 100.
    package var level: Int { steps.count + 1 }
}

package enum NestedKind: Sendable {
    case list
    case dictionary
}

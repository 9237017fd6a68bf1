// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

package struct SortKey: Sendable, Equatable {
    package var path: PropertyPath
    package var ascending: Bool
    /// The order of texts; nil for the order of their bytes.
    package var collation: TextCollation?

    package init(_ path: PropertyPath, ascending: Bool = true, collation: TextCollation? = nil) {
        self.path = path
        self.ascending = ascending
        self.collation = collation
    }
}

/// A path of to-one links to a property with one value, which sorting and `Distinct` compare.
struct ScalarPath: Sendable {
    let hops: [ResolvedPath.Hop]
    let origin: TableKey
    let column: ColumnKey
    /// The subscripts after a Mixed property, or after a dictionary whose key is the first one.
    private(set) var subscripts: [PathSubscript] = []
    let text: String

    /// `verb` is "sort", "distinct" or "group", for messages.
    init(
        _ path: PropertyPath, verb: String, from table: Table, in source: any TableSource, names: PropertyNames
    ) throws {
        var table = table
        var hops: [ResolvedPath.Hop] = []
        origin = table.key
        text = path.description
        let fail = { (message: String) in
            PredicateError(
                .exception, "Cannot \(verb) on key path '\(path.steps.isEmpty ? "" : "\(path)")': \(message)")
        }
        guard !path.steps.isEmpty else { throw fail("missing property name.") }
        guard path.steps.count <= QueryLimits.steps else {
            throw fail("at most \(QueryLimits.steps) steps are supported.")
        }
        for (index, step) in path.steps.enumerated() {
            guard case .property(let name) = step else { throw ScalarPath.operatorError(path, verb) }
            guard !name.isEmpty else { throw fail("missing property name.") }
            let property = "property '\(table.displayName).\(name)'"
            let isLast = index == path.steps.count - 1
            switch names.lookUp(table.displayName, name) {
            case nil: throw fail(property + " does not exist.")
            case .backlinks: throw fail(property + " is of unsupported type 'linking objects'.")
            case .column(let stored):
                guard let column = table.column(named: stored) else { throw fail(property + " does not exist.") }
                let type = TypeNames.name(column)
                let subscripts = ScalarPath.subscripts(path.steps[(index + 1)...])
                if !subscripts.isEmpty, ScalarPath.takes(subscripts, column) {
                    guard index + subscripts.count == path.steps.count - 1 else {
                        throw fail(property + " of type '\(type)' may only be the final property in the key path.")
                    }
                    self.hops = hops
                    self.column = column.key
                    self.subscripts = subscripts
                    return
                }
                if column.key.isCollection { throw fail(property + " is of unsupported type '\(type)'.") }
                guard column.type == .link else {
                    guard isLast else {
                        throw fail(property + " of type '\(type)' may only be the final property in the key path.")
                    }
                    self.hops = hops
                    self.column = column.key
                    return
                }
                if isLast {
                    throw fail(property + " of type 'object' cannot be the final property in the key path.")
                }
                let target = table.target(of: column)
                hops.append(ResolvedPath.Hop(kind: .link, column: column.key, target: target))
                table = try source.require(target)
            }
        }
        throw fail("missing property name.")
    }

    private static func subscripts(_ steps: ArraySlice<PathStep>) -> [PathSubscript] {
        var subscripts: [PathSubscript] = []
        for step in steps {
            guard case .subscript(let subscripted) = step else { break }
            subscripts.append(subscripted)
        }
        return subscripts
    }

    private static func takes(_ subscripts: [PathSubscript], _ column: Column) -> Bool {
        guard !subscripts.contains(.any) else { return false }
        guard column.key.isDictionary else { return column.type == .mixed && !column.key.isCollection }
        guard case .key = subscripts[0], column.type != .link else { return false }
        return subscripts.count == 1 || column.type == .mixed
    }

    var isPlain: Bool { hops.isEmpty && subscripts.isEmpty }

    /// Only texts can be collated.
    func verifyText(for collation: TextCollation) throws {
        let type = column.type ?? .mixed
        guard type != .string else { return }
        throw PredicateError(
            .exception,
            """
            Cannot sort on key path '\(text)' in \(collation.name) order: the property is of type \
            '\(TypeNames.name(type))', not 'string'.
            """)
    }

    private static func operatorError(_ path: PropertyPath, _ verb: String) -> PredicateError {
        let noun = verb == "sort" ? "key path" : "keypath"
        return PredicateError(
            .exception, "Cannot \(verb) on \(noun) '\(path)': KVC collection operators are not supported.")
    }
}

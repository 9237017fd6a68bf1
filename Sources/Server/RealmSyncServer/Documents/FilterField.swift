// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import RealmAccounts
    import RealmQuery
    import RealmStorage

    /// A field of a filter or a sort order, such as `address.city`, as a path of the query engine.
    struct FilterField {
        enum Kind {
            /// No document has the field.
            case missing
            /// A property with one value, or the elements of a collection.
            case value(Column)
            /// The links of a property; documents contain the primary key of the target.
            case link(Column, key: Column)
            /// Embedded objects.
            case object(Column, TableKey)
            /// A key of a dictionary, or inside a mixed value.
            case key(ColumnType)
        }

        let name: String
        private(set) var path = PropertyPath([])
        private(set) var kind = Kind.missing
        /// Whether the path leads through a list of embedded objects.
        private(set) var isToMany = false
        /// The path to the embedded object or the collection that contains the value; without steps for the document.
        private(set) var owner = PropertyPath([])
        /// Whether the last step is a key of a dictionary property.
        private(set) var isDictionaryKey = false

        /// - Throws: `ServiceRefusal` if the query engine has no path to the field.
        init(_ name: String, of table: Table, in source: any TableSource, fields: FieldSelection = .all) throws {
            self.name = name
            let names = name.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
            guard names.count <= FilterField.maximumStepCount else { throw refusal("has too many parts") }
            guard names.allSatisfy({ !$0.isEmpty }) else { throw refusal("isn't the name of a field") }
            let key = table.primaryKey.flatMap { table.column($0) }?.name
            guard names[0] == key || fields.contains(names[0]) else { return }
            var (rest, table) = (names[...], table)
            while let step = rest.popFirst() {
                guard let column = table.publicColumns.first(where: { $0.name.isIdentical(to: step) }) else { return }
                owner = path
                path.steps.append(.property(step))
                if column.type == .link {
                    guard let target = try source.table(table.oppositeTables[column.leafIndex]) else { return }
                    if target.isEmbedded, !rest.isEmpty {
                        guard !column.key.isDictionary else {
                            throw refusal("leads through a dictionary of embedded objects")
                        }
                        try refuseIndex(rest.first, of: column)
                        isToMany = isToMany || column.key.isCollection
                        table = target
                        continue
                    }
                    if target.isEmbedded {
                        kind = .object(column, target.key)
                    } else if rest.isEmpty, let key = target.primaryKey.flatMap({ target.column($0) }) {
                        kind = .link(column, key: key)
                    }
                    return
                }
                if rest.isEmpty {
                    kind = .value(column)
                } else if column.key.isDictionary || column.type == .mixed && !column.key.isCollection {
                    try appendKeys(rest, of: column)
                } else {
                    try refuseIndex(rest.first, of: column)
                }
                return
            }
        }

        private static let maximumStepCount = 50

        private mutating func appendKeys(_ keys: ArraySlice<String>, of column: Column) throws {
            // Only a mixed value contains further keys.
            if column.type != .mixed, keys.count > 1 { return }
            for key in keys {
                guard Int(key) == nil || column.key.isDictionary && keys.count == 1 else {
                    throw refusal("contains an index, which filters don't support")
                }
                owner = path
                path.steps.append(.subscript(.key(key)))
            }
            isDictionaryKey = column.key.isDictionary && keys.count == 1
            kind = .key(column.type)
        }

        private func refuseIndex(_ step: String?, of column: Column) throws {
            guard let step, column.key.isList, Int(step) != nil else { return }
            throw refusal("contains an index, which filters don't support")
        }

        private func refusal(_ reason: String) -> ServiceRefusal {
            ServiceRefusal(.invalid, "the field '\(name)' \(reason)")
        }

        /// The path to the primary key of a link's target, or to the value itself.
        var comparedPath: PropertyPath {
            guard case .link(_, let key) = kind else { return path }
            return PropertyPath(path.steps + [.property(key.name)])
        }

        /// The type of the compared values; `nil` for embedded objects and a missing field.
        var type: ColumnType? {
            switch kind {
            case .missing, .object: nil
            case .value(let column): column.type
            case .link(_, let key): key.type
            case .key(let type): type
            }
        }

        var column: Column? {
            switch kind {
            case .value(let column), .link(let column, _), .object(let column, _): column
            case .missing, .key: nil
            }
        }
    }
#endif

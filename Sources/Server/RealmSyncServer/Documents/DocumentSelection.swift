// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import RealmAccounts
    import RealmQuery
    import RealmStorage
    import RealmSyncCore

    /// The documents of a class that satisfy a filter, in an order.
    struct DocumentSelection: Sendable {
        var filter: [ExtendedJSON.Member] = []
        var sort: [ExtendedJSON.Member] = []
        var skip = 0
        /// `nil` for all.
        var limit: Int?

        /// - Throws: `ServiceRefusal` if the filter or the sort order isn't supported.
        func keys(in source: any TableSource, _ table: Table, _ rights: ClassRights) throws -> [ObjectKey] {
            let query = try query(in: source, table, rights)
            let end = limit.map { skip.addingReportingOverflow($0) }.map { $1 ? .max : $0 } ?? .max
            let order = try order(in: source, table, rights)
            let keys: [ObjectKey]
            do {
                if let order, end < .max {
                    keys = try order.first(end, of: query, in: source)
                } else {
                    let found = try query.objects(in: source, first: end)
                    keys = try order?.sort(found, in: source) ?? found
                }
            } catch let error as PredicateError {
                throw ServiceRefusal(.invalid, error.message)
            }
            return skip > 0 ? Array(keys.dropFirst(skip)) : keys
        }

        func count(in source: any TableSource, _ table: Table, _ rights: ClassRights) throws -> Int {
            let query = try query(in: source, table, rights)
            if limit == nil, skip == 0 { return try query.count(in: source) }
            return try keys(in: source, table, rights).count
        }

        func query(in source: any TableSource, _ table: Table, _ rights: ClassRights) throws -> Query {
            let predicate = try FilterTranslator(source, fields: rights.readableFields).predicate(filter, of: table)
            return try rights.read.query(and: predicate, table, in: source)
        }

        func order(
            in source: any TableSource, _ table: Table, _ rights: ClassRights
        ) throws -> SortOrder? {
            let keys = try sort.compactMap { member -> SortKey? in
                let field = try FilterField(member.name, of: table, in: source, fields: rights.readableFields)
                let ascending = try DocumentSelection.isAscending(member)
                switch field.kind {
                case .missing: return nil
                case .value(let column), .link(let column, _):
                    guard !column.key.isCollection, !field.isToMany else { break }
                    return SortKey(field.comparedPath, ascending: ascending)
                case .object, .key: break
                }
                throw ServiceRefusal(.invalid, "documents can't be sorted by the field '\(member.name)'")
            }
            guard !keys.isEmpty else { return nil }
            do { return try SortOrder(keys, on: table.key, in: source) } catch let error as PredicateError {
                throw ServiceRefusal(.invalid, error.message)
            }
        }

        private static func isAscending(_ member: ExtendedJSON.Member) throws -> Bool {
            switch member.value.number {
            case 1: return true
            case -1: return false
            default: throw ServiceRefusal(.invalid, "the sort direction of '\(member.name)' must be 1 or -1")
            }
        }
    }

    extension DocumentFilter {
        /// Returns the query for the documents that satisfy both this filter and the predicate.
        func query(and predicate: Predicate, _ table: Table, in source: any TableSource) throws -> Query {
            do {
                return try Query.compile(try self.predicate(and: predicate), on: table.key, in: source)
            } catch let error as PredicateError {
                throw ServiceRefusal(.invalid, error.message)
            }
        }

        private func predicate(and predicate: Predicate) throws -> Predicate {
            switch self {
            case .none: .constant(false)
            case .all: predicate
            case .matching(let text): .all([try Predicate(parsing: text.string, dialect: .query), predicate])
            }
        }
    }

    extension ExtendedJSON {
        /// The number if it's an integer, in any type.
        var number: Int64? {
            switch self {
            case .int32(let number): Int64(number)
            case .int64(let number): number
            case .double(let number): Int64(exactly: number)
            default: nil
            }
        }

        var members: [Member]? { if case .document(let members) = self { members } else { nil } }
    }
#endif

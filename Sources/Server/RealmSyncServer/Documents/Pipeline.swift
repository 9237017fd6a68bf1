// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import RealmAccounts
    import RealmQuery
    import RealmStorage
    import RealmSyncCore

    /// A pipeline of the stages `$match`, `$sort`, `$skip`, `$limit`, `$project`, and `$count`.
    struct Pipeline: Sendable {
        private enum Stage: Sendable {
            case match([ExtendedJSON.Member])
            case sort([ExtendedJSON.Member])
            case skip(Int)
            case limit(Int)
        }

        private var stages: [Stage] = []
        private(set) var projection: Projection?
        /// The field that receives the number of documents.
        private(set) var countName: String?

        private static let maximumStageCount = 100

        /// - Throws: `ServiceRefusal` that names the first unsupported stage.
        init(_ elements: [ExtendedJSON]) throws {
            guard elements.count <= Pipeline.maximumStageCount else {
                throw ServiceRefusal(.invalid, "a pipeline has more than \(Pipeline.maximumStageCount) stages")
            }
            for element in elements {
                guard case .document(let members) = element, members.count == 1 else {
                    throw ServiceRefusal(.invalid, "each stage of a pipeline is a document with one member")
                }
                try add(members[0])
            }
        }

        private mutating func add(_ member: ExtendedJSON.Member) throws {
            let (name, value) = (member.name, member.value)
            guard countName == nil else { throw ServiceRefusal(.invalid, "'\(name)' after '$count' isn't supported") }
            switch (name, value) {
            case ("$match", .document(let filter)):
                try refuseAfterProjection(name)
                stages.append(.match(filter))
            case ("$sort", .document(let order)):
                try refuseAfterProjection(name)
                stages.append(.sort(order))
            case ("$skip", _): stages.append(.skip(try count(member, minimum: 0)))
            case ("$limit", _): stages.append(.limit(try count(member, minimum: 1)))
            case ("$project", .document(let fields)):
                try refuseAfterProjection(name)
                projection = try Projection(fields)
            case ("$count", .string(let name)) where !name.isEmpty && !name.hasPrefix("$") && !name.contains("."):
                countName = name
            case ("$match", _), ("$sort", _), ("$project", _), ("$count", _):
                throw ServiceRefusal(.invalid, "the stage '\(name)' has an invalid value")
            default: throw ServiceRefusal(.invalid, "the stage '\(name)' isn't supported")
            }
        }

        private func refuseAfterProjection(_ name: String) throws {
            if projection != nil {
                throw ServiceRefusal(.invalid, "'\(name)' after '$project' isn't supported: put it before")
            }
        }

        private func count(_ member: ExtendedJSON.Member, minimum: Int64) throws -> Int {
            guard let number = member.value.number, number >= minimum else {
                throw ServiceRefusal(.invalid, "'\(member.name)' needs an integer from \(minimum)")
            }
            return Int(clamping: number)
        }

        /// The filter of the first stage; empty if that isn't `$match`.
        var firstFilter: [ExtendedJSON.Member] {
            get { if case .match(let filter)? = stages.first { filter } else { [] } }
            set { if case .match? = stages.first { stages[0] = .match(newValue) } }
        }

        /// Runs the stages before the projection. Leading stages become one query.
        func keys(in source: any TableSource, _ table: Table, _ rights: ClassRights) throws -> [ObjectKey] {
            var selection = DocumentSelection()
            var rest = stages[...]
            while let stage = rest.first {
                switch stage {
                case .match(let filter) where selection.sort.isEmpty && selection.skip == 0 && selection.limit == nil:
                    // A filter with a field twice has both conditions.
                    selection.filter += filter
                case .sort(let order) where selection.sort.isEmpty && selection.skip == 0 && selection.limit == nil:
                    selection.sort = order
                case .skip(let count) where selection.limit == nil && selection.skip == 0: selection.skip = count
                case .limit(let count) where selection.limit == nil: selection.limit = count
                default: return try finished(try selection.keys(in: source, table, rights), rest, source, table, rights)
                }
                rest = rest.dropFirst()
            }
            return try selection.keys(in: source, table, rights)
        }

        private func finished(
            _ found: [ObjectKey], _ stages: ArraySlice<Stage>, _ source: any TableSource, _ table: Table,
            _ rights: ClassRights
        ) throws -> [ObjectKey] {
            var keys = found
            for stage in stages {
                switch stage {
                case .match(let filter):
                    keys = try DocumentSelection(filter: filter).query(in: source, table, rights).filter(
                        keys, in: source)
                case .sort(let order):
                    keys =
                        try DocumentSelection(sort: order).order(in: source, table, rights)?.sort(keys, in: source)
                        ?? keys
                case .skip(let count): keys = Array(keys.dropFirst(count))
                case .limit(let count): keys = Array(keys.prefix(count))
                }
            }
            return keys
        }
    }
#endif

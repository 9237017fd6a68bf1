// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import RealmAccounts
    import RealmStorage
    import RealmSyncCore

    /// The fields of documents that a client receives.
    struct Projection: Sendable {
        private struct Fields: Sendable {
            var whole: Set<ByteText> = []
            var parts: [ByteText: Fields] = [:]

            mutating func add(_ path: ArraySlice<Substring>) {
                guard let first = path.first else { return }
                let name = ByteText(String(first))
                if path.count == 1 { whole.insert(name) } else { parts[name, default: Fields()].add(path.dropFirst()) }
            }
        }

        private var fields = Fields()
        private var includes = false
        private var hidesKey = false

        private static let maximumStepCount = 50

        /// - Throws: `ServiceRefusal` if a member isn't an inclusion or exclusion, or both occur.
        init(_ members: [ExtendedJSON.Member]) throws {
            var mode: Bool?
            for member in members {
                let isIncluded: Bool
                switch member.value {
                case .bool(let value): isIncluded = value
                case _ where member.value.number != nil: isIncluded = member.value.number != 0
                default:
                    throw ServiceRefusal(
                        .invalid, "the projection of '\(member.name)' must be 0 or 1; expressions aren't supported")
                }
                if member.name == "_id" {
                    hidesKey = !isIncluded
                    if isIncluded { fields.add(["_id"]) }
                    continue
                }
                guard mode ?? isIncluded == isIncluded else {
                    throw ServiceRefusal(.invalid, "a projection can't both include and exclude fields")
                }
                mode = isIncluded
                let path = member.name.split(separator: ".", omittingEmptySubsequences: false)
                guard path.count <= Projection.maximumStepCount, path.allSatisfy({ !$0.isEmpty && $0.first != "$" })
                else {
                    throw ServiceRefusal(.invalid, "the projection of '\(member.name)' isn't supported")
                }
                fields.add(path[...])
            }
            includes = mode ?? members.contains { $0.name == "_id" && !hidesKey }
            if includes, !hidesKey { fields.add(["_id"]) }
            if !includes { fields.whole.remove("_id") }
        }

        func document(_ members: [ExtendedJSON.Member]) -> [ExtendedJSON.Member] {
            let members = hidesKey ? members.filter { $0.name != "_id" } : members
            return projected(members, fields)
        }

        private func projected(_ members: [ExtendedJSON.Member], _ fields: Fields) -> [ExtendedJSON.Member] {
            members.compactMap { member in
                let name = ByteText(member.name)
                if fields.whole.contains(name) { return includes ? member : nil }
                guard let inner = fields.parts[name] else { return includes ? nil : member }
                return projected(member.value, inner).map { ExtendedJSON.Member(member.name, $0) }
            }
        }

        private func projected(_ value: ExtendedJSON, _ fields: Fields) -> ExtendedJSON? {
            switch value {
            case .document(let members): .document(projected(members, fields))
            case .array(let elements): .array(elements.compactMap { projected($0, fields) })
            default: includes ? nil : value
            }
        }
    }
#endif

// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmSyncCore

/// The queries of one set of subscriptions, by class (§5.2). Messages limit the size of its text.
struct QueryDocument {
    private(set) var queries: [Text: Text] = [:]

    /// - Throws: `SessionError` with `badQuery`.
    init(_ text: String) throws(SessionError) {
        guard let members = (try? JSON(parsing: text))?.members else {
            throw SessionError(.badQuery, "the queries aren't a JSON object")
        }
        for member in members {
            guard let query = member.value.text else {
                throw SessionError(.badQuery, "the query for '\(member.name.prefix(60))' isn't a text")
            }
            guard queries.updateValue(Text(query), forKey: Text(member.name)) == nil else {
                throw SessionError(.badQuery, "two queries for '\(member.name.prefix(60))'")
            }
        }
    }
}

extension QueryDocument {
    /// The parts of the queries that a user can read. Classes without any such object are missing.
    ///
    /// - Parameter isStated: Whether the queries were accepted before. Then a query on properties that the user can't
    ///   read any more isn't an error, and its class is missing.
    /// - Throws: `SessionError` with `badQuery` and the reason for the developer.
    func restricted(
        to rights: UserRights, in state: PartitionObjects, _ queryable: QueryableFields, isStated: Bool
    ) throws(SessionError) -> [SubscriptionQuery] {
        let schema = AppSchema(state)
        var restricted: [SubscriptionQuery] = []
        for (name, text) in queries.sorted(by: { $0.key < $1.key }) {
            do throws(SubscriptionError) {
                let query = try SubscriptionQuery(name, parsing: text.string)
                guard rights[name].read != .none else {
                    // An invalid query would otherwise fail when the user gets rights.
                    if !isStated { try query.check(in: schema, queryable: queryable) }
                    continue
                }
                let readable = rights[name].readableFields
                if isStated, query.fields.contains(where: { !readable.contains($0) }) { continue }
                try query.check(in: schema, queryable: queryable, readable: readable)
                guard let query = try query.restricted(to: rights[name].read) else { continue }
                guard query.text.string.utf8.count <= SubscriptionQuery.maximumLength else {
                    throw SubscriptionError(name, "it is too long together with the rules")
                }
                restricted.append(query)
            } catch {
                throw SessionError(.badQuery, error.description)
            }
        }
        return restricted
    }
}

extension FileView {
    init(
        start: UInt64, queryVersion: UInt64, queries: [Text: UInt64], _ rights: UserRights
    ) {
        self.init(start: start, queryVersion: queryVersion, queries: queries)
        for name in queries.keys where rights[name].readableFields != .all {
            fields[name] = rights[name].readableFields
        }
    }
}

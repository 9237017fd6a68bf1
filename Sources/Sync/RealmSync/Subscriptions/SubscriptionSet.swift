// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmSyncCore

/// A query whose objects a client file contains.
package struct Subscription: Equatable, Sendable {
    package var id: ObjectIdBytes
    package var createdAt: Timestamp
    package var updatedAt: Timestamp
    package var name: String?
    /// The name of the class, without the table's prefix.
    package var objectClass: String
    package var query: String

    package init(
        id: ObjectIdBytes, createdAt: Timestamp, updatedAt: Timestamp, name: String? = nil, objectClass: String,
        query: String
    ) {
        self.id = id
        self.createdAt = createdAt
        self.updatedAt = updatedAt
        self.name = name
        self.objectClass = objectClass
        self.query = query
    }
}

/// All subscriptions of a client file as of one change of them (§5.1).
package struct SubscriptionSet: Equatable, Sendable {
    /// The raw values are stored in the file.
    package enum State: Int64, Hashable, Sendable {
        case pending = 1
        /// A part of the bootstrap was received.
        case bootstrapping = 2
        case complete = 3
        case error = 4
        /// The bootstrap was applied; the next mark completes the set.
        case awaitingMark = 6

        /// Whether the data of the set is in the file.
        package var isActive: Bool { self == .complete || self == .awaitingMark }
        package var isPending: Bool { self == .pending || self == .bootstrapping }
    }

    package var version: UInt64
    package var state: State
    /// The newest version of the file when the set was committed.
    package var snapshotVersion: UInt64
    /// The server's reason for rejecting the set; nil if it wasn't rejected.
    package var error: String?
    package var subscriptions: [Subscription]

    /// The query of the server's messages (§5.2).
    package var query: VersionedQuery {
        VersionedQuery(version: version, text: SubscriptionSet.document(of: subscriptions))
    }

    /// Returns the JSON of the queries by class. Queries of a class are alternatives, in the order of their text.
    package static func document(of subscriptions: [Subscription]) -> String {
        var queries: [Text: Set<Text>] = [:]
        for subscription in subscriptions {
            queries[Text(subscription.objectClass), default: []].insert(Text(subscription.query))
        }
        let members = queries.sorted { $0.key < $1.key }.map { name, queries in
            JSON.Member(
                name.string, .string(queries.sorted().map { "(\($0.string))" }.joined(separator: " OR ")))
        }
        return JSON.object(members).description
    }
}

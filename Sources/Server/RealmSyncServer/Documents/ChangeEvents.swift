// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import RealmAccounts
    import RealmQuery
    import RealmStorage
    import RealmSync
    import RealmSyncCore

    /// The change events of a class, for `watch`. An event contains the document in its newest version.
    struct ChangeEvents: Sendable {
        private let filter: [ExtendedJSON.Member]
        private let database: String
        private let className: String
        private let partitionKey: String?
        /// `nil` for all documents.
        private let keys: Set<ExtendedJSON>?

        /// - Parameter filter: The condition on the documents, with the partition key.
        init(_ request: DocumentRequest, _ filter: [ExtendedJSON.Member], partitionKey: String?) throws {
            (database, className) = (request.database, request.collection)
            (self.filter, self.partitionKey) = (filter, partitionKey)
            keys = try request.array("ids").map(Set.init)
        }

        /// Returns the condition on the documents. A filter selects its partition with or without the prefix.
        ///
        /// - Throws: `ServiceRefusal` if the filter has conditions on other members than `fullDocument`.
        static func filter(of request: DocumentRequest, _ partitionKey: String) throws -> [ExtendedJSON.Member] {
            try onDocument(try request.document("filter"), partitionKey)
        }

        /// Removes the prefix of the names.
        private static func onDocument(
            _ filter: [ExtendedJSON.Member], _ partitionKey: String
        ) throws -> [ExtendedJSON.Member] {
            let prefix = "fullDocument."
            return try filter.map { member in
                if member.name == partitionKey { return member }
                if member.name.hasPrefix(prefix) {
                    return ExtendedJSON.Member(String(member.name.dropFirst(prefix.count)), member.value)
                }
                guard member.name.hasPrefix("$"), case .array(let elements) = member.value else {
                    throw ServiceRefusal(
                        .invalid, "events can't be filtered by '\(member.name)', only by fields of 'fullDocument'")
                }
                let inner = try elements.map { element -> ExtendedJSON in
                    .document(try onDocument(element.members ?? [], partitionKey))
                }
                return ExtendedJSON.Member(member.name, .array(inner))
            }
        }

        private struct Touch {
            var isCreated = false
            var isErased = false
            var fields: [Text] = []
        }

        struct Event: Sendable {
            /// The position of the object among those that the version changes.
            let index: Int
            let text: String
        }

        /// Returns the events of a version as JSON.
        func events(_ step: DocumentChanges.Step, _ snapshot: Snapshot, _ rights: UserRights) throws -> [Event] {
            guard let version = step.version else { return [] }
            var touches: [PrimaryKey: Touch] = [:]
            var order: [PrimaryKey] = []
            for instruction in try Changeset(decoding: try step.kept.bytes).instructions {
                guard let object = instruction.object, object.table == Text(className) else { continue }
                if touches[object.key] == nil { order.append(object.key) }
                switch instruction {
                case .createObject: touches[object.key, default: Touch()].isCreated = true
                case .eraseObject: touches[object.key] = Touch(isErased: true)
                case .change(let place, _):
                    if touches[object.key]?.fields.last != place.column {
                        touches[object.key, default: Touch()].fields.append(place.column)
                    }
                default: break
                }
            }
            let scope = try DocumentScope(
                snapshot, className: className, rights: rights[ByteText(className)], partitionKey: partitionKey)
            guard let scope else { return [] }
            let query = try query(scope)
            return try order.enumerated().compactMap { index, key in
                guard let touch = touches[key] else { return nil }
                return try event(key, touch, version, scope, query).map { Event(index: index, text: $0.description) }
            }
        }

        /// `nil` for all documents.
        private func query(_ scope: DocumentScope) throws -> Query? {
            let filter = scope.withoutPartition(filter)
            guard !filter.isEmpty || scope.rights.read != .all else { return nil }
            return try DocumentSelection(filter: filter).query(in: scope.source, scope.table, scope.rights)
        }

        /// Returns `nil` if the event isn't requested or the user may not read the document.
        private func event(
            _ key: PrimaryKey, _ touch: Touch, _ version: SaltedVersion, _ scope: DocumentScope, _ query: Query?
        ) throws -> ExtendedJSON? {
            let id = ExtendedJSON(key)
            if let keys, !keys.contains(id) { return nil }
            let isVisible = touch.fields.contains { scope.rights.readableFields.contains($0) }
            guard isVisible || touch.isCreated || touch.isErased else { return nil }
            var document: ExtendedJSON?
            if !touch.isErased || touch.isCreated, let stored = SyncNames.storedKey(key),
                let object = try scope.table.object(primaryKey: stored)
            {
                guard try query?.contains(object, in: scope.source) != false else { return nil }
                document = try scope.json(object, nil)
            } else if query != nil {
                return nil
            }
            let type =
                switch (touch.isErased, touch.isCreated) {
                case (true, false): "delete"
                case (true, true): "replace"
                case (false, true): "insert"
                case (false, false): "update"
                }
            var members = [
                ExtendedJSON.Member(
                    "_id", .document([ExtendedJSON.Member("_data", .string(String(version.version, radix: 16)))])),
                ExtendedJSON.Member("operationType", .string(type)),
                ExtendedJSON.Member(
                    "ns",
                    .document([
                        ExtendedJSON.Member("db", .string(database)), ExtendedJSON.Member("coll", .string(className)),
                    ])),
                ExtendedJSON.Member("documentKey", .document([ExtendedJSON.Member("_id", id)])),
            ]
            if type != "delete" { members.append(ExtendedJSON.Member("fullDocument", document ?? .null)) }
            if type == "update" { members.append(description(touch, document)) }
            return .document(members)
        }

        private func description(_ touch: Touch, _ document: ExtendedJSON?) -> ExtendedJSON.Member {
            let names = Set(touch.fields)
            let fields = document?.members?.filter { names.contains(Text($0.name)) } ?? []
            return ExtendedJSON.Member(
                "updateDescription",
                .document([
                    ExtendedJSON.Member("updatedFields", .document(fields)),
                    ExtendedJSON.Member("removedFields", .array([])),
                ]))
        }
    }
#endif

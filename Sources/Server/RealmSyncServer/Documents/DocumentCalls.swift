// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import RealmAccounts
    import RealmStorage
    import RealmSyncCore

    /// The calls of `user.mongoClient` (§1.10): queries and changes of the documents of an app's partitions.
    ///
    /// The name of a collection is that of a class. The database can have any name. A call concerns one partition: the
    /// one that the partition key in its filter or its documents selects (§6.3).
    struct DocumentCalls: DocumentService {
        let name: String
        let access: EngineDocuments
        let gate: PermissionGate
        let partitionKey: String
        let rights = UserRights.unrestricted

        func call(_ call: ServiceCall) async throws -> String {
            let context = Context(call: call, request: try DocumentRequest(call.arguments))
            switch call.name {
            case "find": return try await find(context)
            case "findOne": return try await findOne(context)
            case "count": return try await count(context)
            case "aggregate": return try await aggregate(context)
            case "insertOne": return try await insertOne(context)
            case "insertMany": return try await insertMany(context)
            case "deleteOne": return try await delete(context, limit: 1)
            case "deleteMany": return try await delete(context, limit: nil)
            case "updateOne": return try await update(context, limit: 1)
            case "updateMany": return try await update(context, limit: nil)
            case "findOneAndUpdate", "findOneAndReplace": return try await findAndUpdate(context)
            case "findOneAndDelete": return try await findAndDelete(context)
            case "watch": throw ServiceRefusal(.invalid, "'watch' needs a stream: request it with GET")
            default: throw unknown(call.name)
            }
        }

        func stream(_ call: ServiceCall) async throws -> AsyncThrowingStream<String, any Error> {
            guard call.name == "watch" else { throw unknown(call.name) }
            let request = try DocumentRequest(call.arguments)
            let events = try ChangeEvents(request, rights[ByteText(request.collection)], partitionKey: partitionKey)
            let place = try await place(Context(call: call, request: request), events.filter, needs: .read)
            return access.watch(place) { try events.texts($0, $1) }
        }

        private func unknown(_ name: String) -> ServiceRefusal {
            ServiceRefusal(.unknownCommand, "the service has no command '\(name.prefix(100))'")
        }

        // MARK: Places and rights

        private struct Context: Sendable {
            let call: ServiceCall
            let request: DocumentRequest
            var className: String { request.collection }
        }

        /// Returns the partition that a filter selects.
        ///
        /// - Throws: `ServiceRefusal` if it selects none, or the user doesn't have the access.
        private func place(
            _ context: Context, _ filter: [ExtendedJSON.Member], needs access: PartitionAccess
        ) async throws -> DocumentPlace {
            guard var value = filter.last(where: { $0.name == partitionKey })?.value else {
                throw ServiceRefusal(
                    .missing, "the filter has to select a partition by its field '\(partitionKey)'")
            }
            if case .document(let members) = value, members.count == 1, members[0].name == "$eq" {
                value = members[0].value
            }
            return try await place(context, value, needs: access)
        }

        private func place(
            _ context: Context, _ value: ExtendedJSON, needs access: PartitionAccess
        ) async throws -> DocumentPlace {
            guard let name = PartitionName(path: value.description) else {
                throw ServiceRefusal(
                    .invalid, "the field '\(partitionKey)' has to be a string, an integer, an ObjectId, a UUID or null")
            }
            let call = context.call
            let request = PartitionRequest(
                app: call.app, user: call.user, customData: call.customData, kind: name.kind,
                partition: name.text.string)
            switch await gate.decide(request) {
            case .success(.write): break
            case .success(.read) where access == .read: break
            case .success: throw ServiceRefusal(.notPermitted, "the user may not \(access.rawValue) this partition")
            case .failure(let error): throw ServiceRefusal(.unavailable, error.message)
            }
            return DocumentPlace(app: ByteText(call.app), partition: name)
        }

        private func rights(_ context: Context) -> ClassRights { rights[ByteText(context.className)] }

        /// Removes the partition key unless it's a property of the class.
        private func withoutKey(_ members: [ExtendedJSON.Member], _ table: Table) -> [ExtendedJSON.Member] {
            table.column(named: partitionKey) == nil ? members.filter { $0.name != partitionKey } : members
        }

        private func read(
            _ context: Context, _ filter: [ExtendedJSON.Member], absent: String,
            _ body: @escaping @Sendable (DocumentScope) throws -> String
        ) async throws -> String {
            let place = try await place(context, filter, needs: .read)
            let rights = rights(context)
            return try await access.read(place) { snapshot in
                try DocumentScope(snapshot, className: context.className, rights).map(body) ?? absent
            }
        }

        private func change(
            _ context: Context, _ place: DocumentPlace, absent: String?,
            _ body: @escaping @Sendable (inout DocumentSession) throws -> ExtendedJSON
        ) async throws -> String {
            let rights = rights(context)
            return try await access.change(place) { snapshot in
                guard let scope = try DocumentScope(snapshot, className: context.className, rights) else {
                    if let absent { return (nil, absent) }
                    throw ServiceRefusal(
                        .invalid,
                        "the partition has no class '\(context.className)': let a client synchronise it first")
                }
                var session = try DocumentSession(scope, className: context.className)
                let result = try body(&session).description
                return (try session.changeset(), result)
            }
        }

        // MARK: Reads

        private func find(_ context: Context) async throws -> String {
            let request = context.request
            let filter = try request.document("query", "filter")
            let selection = DocumentSelection(sort: try request.document("sort"), limit: try request.limit())
            let projection = try request.projection()
            return try await read(context, filter, absent: "[]") { scope in
                var selection = selection
                selection.filter = withoutKey(filter, scope.table)
                return try scope.text(try scope.keys(selection), projection)
            }
        }

        private func findOne(_ context: Context) async throws -> String {
            let filter = try context.request.document("query", "filter")
            let selection = DocumentSelection(sort: try context.request.document("sort"), limit: 1)
            let projection = try context.request.projection()
            return try await read(context, filter, absent: "null") { scope in
                var selection = selection
                selection.filter = withoutKey(filter, scope.table)
                guard let key = try scope.keys(selection).first else { return "null" }
                return try scope.json(key, projection).description
            }
        }

        private func count(_ context: Context) async throws -> String {
            let filter = try context.request.document("query", "filter")
            let limit = try context.request.limit()
            return try await read(context, filter, absent: ExtendedJSON.int64(0).description) { scope in
                let selection = DocumentSelection(filter: withoutKey(filter, scope.table), limit: limit)
                let count = try selection.count(in: scope.source, scope.table, scope.rights)
                return ExtendedJSON.int64(Int64(count)).description
            }
        }

        private func aggregate(_ context: Context) async throws -> String {
            guard let elements = try context.request.array("pipeline") else {
                throw ServiceRefusal(.missing, "'pipeline' is missing or of another type")
            }
            let pipeline = try Pipeline(elements)
            return try await read(context, pipeline.firstFilter, absent: "[]") { scope in
                var pipeline = pipeline
                pipeline.firstFilter = withoutKey(pipeline.firstFilter, scope.table)
                let keys = try pipeline.keys(in: scope.source, scope.table, scope.rights)
                guard let name = pipeline.countName else { return try scope.text(keys, pipeline.projection) }
                guard !keys.isEmpty else { return "[]" }
                let count = ExtendedJSON.Member(name, .int64(Int64(keys.count)))
                return ExtendedJSON.array([.document([count])]).description
            }
        }

        // MARK: Changes

        private func insertOne(_ context: Context) async throws -> String {
            let document = try context.request.requiredDocument("document")
            let place = try await place(context, partition(of: document), needs: .write)
            return try await change(context, place, absent: nil) { session in
                let key = try session.insert(withoutKey(document, session.scope.table))
                return .document([ExtendedJSON.Member("insertedId", key)])
            }
        }

        private func insertMany(_ context: Context) async throws -> String {
            let documents = try (context.request.array("documents") ?? []).map { element in
                guard case .document(let members) = element else {
                    throw ServiceRefusal(.invalid, "'documents' has to be an array of documents")
                }
                return members
            }
            guard let first = documents.first.map(partition) else {
                throw ServiceRefusal(.missing, "'documents' is missing or empty")
            }
            guard documents.allSatisfy({ partition(of: $0) == first }) else {
                throw ServiceRefusal(.invalid, "the documents are of different partitions: insert them separately")
            }
            let place = try await place(context, first, needs: .write)
            return try await change(context, place, absent: nil) { session in
                let keys = try documents.map { try session.insert(withoutKey($0, session.scope.table)) }
                return .document([ExtendedJSON.Member("insertedIds", .array(keys))])
            }
        }

        /// Documents without the partition key belong to the partition of null (§6.3).
        private func partition(of document: [ExtendedJSON.Member]) -> ExtendedJSON {
            document.last { $0.name == partitionKey }?.value ?? .null
        }

        private func delete(_ context: Context, limit: Int?) async throws -> String {
            let filter = try context.request.document("query", "filter")
            let place = try await place(context, filter, needs: .write)
            return try await change(context, place, absent: DocumentCalls.counts([("deletedCount", 0)]).description) {
                session in
                let selection = DocumentSelection(filter: withoutKey(filter, session.scope.table), limit: limit)
                let keys = try session.scope.keys(selection)
                try session.erase(keys)
                return DocumentCalls.counts([("deletedCount", keys.count)])
            }
        }

        private static func counts(_ counts: [(String, Int)]) -> ExtendedJSON {
            .document(counts.map { ExtendedJSON.Member($0.0, .int32(Int32(clamping: $0.1))) })
        }

        private func update(_ context: Context, limit: Int?) async throws -> String {
            let filter = try context.request.document("query", "filter")
            let (update, isUpsert) = try self.update(context)
            guard limit == 1 || update.replacement == nil else {
                throw ServiceRefusal(.invalid, "'updateMany' needs update operators, not a replacement")
            }
            let place = try await place(context, filter, needs: .write)
            let none = DocumentCalls.counts([("matchedCount", 0), ("modifiedCount", 0)])
            return try await change(context, place, absent: isUpsert ? nil : none.description) { session in
                let filter = withoutKey(filter, session.scope.table)
                let keys = try session.scope.keys(DocumentSelection(filter: filter, limit: limit))
                if keys.isEmpty, isUpsert {
                    let (key, _) = try session.upsert(filter, update)
                    return .document((none.members ?? []) + [ExtendedJSON.Member("upsertedId", key)])
                }
                let changed = try session.update(keys, update).changed
                return DocumentCalls.counts([("matchedCount", keys.count), ("modifiedCount", changed)])
            }
        }

        private func update(_ context: Context) throws -> (DocumentUpdate, isUpsert: Bool) {
            var members = try context.request.requiredDocument("update")
            // The partition of a document can't be changed; a replacement may repeat it.
            if members.first?.name.hasPrefix("$") != true { members.removeAll { $0.name == partitionKey } }
            return (try DocumentUpdate(members), try context.request.flag("upsert"))
        }

        private func findAndUpdate(_ context: Context) async throws -> String {
            let filter = try context.request.document("filter", "query")
            let sort = try context.request.document("sort")
            let (update, isUpsert) = try self.update(context)
            guard (update.replacement != nil) == (context.call.name == "findOneAndReplace") else {
                throw ServiceRefusal(
                    .invalid,
                    update.replacement == nil
                        ? "'findOneAndReplace' needs a replacement, not update operators"
                        : "'findOneAndUpdate' needs update operators, not a replacement")
            }
            let projection = try context.request.projection()
            let returnsNew = try context.request.flag("returnNewDocument")
            let place = try await place(context, filter, needs: .write)
            return try await change(context, place, absent: isUpsert ? nil : "null") { session in
                let filter = withoutKey(filter, session.scope.table)
                let selection = DocumentSelection(filter: filter, sort: sort, limit: 1)
                guard let key = try session.scope.keys(selection).first else {
                    guard isUpsert else { return .null }
                    let document = try session.upsert(filter, update).document
                    return returnsNew ? session.visible(document, projection) : .null
                }
                let old = try session.scope.json(key, projection)
                let new = try session.update([key], update).documents.first
                return returnsNew ? new.map { session.visible($0, projection) } ?? .null : old
            }
        }

        private func findAndDelete(_ context: Context) async throws -> String {
            let filter = try context.request.document("filter", "query")
            let sort = try context.request.document("sort")
            let projection = try context.request.projection()
            let place = try await place(context, filter, needs: .write)
            return try await change(context, place, absent: "null") { session in
                let filter = withoutKey(filter, session.scope.table)
                let selection = DocumentSelection(filter: filter, sort: sort, limit: 1)
                guard let key = try session.scope.keys(selection).first else { return .null }
                let old = try session.scope.json(key, projection)
                try session.erase([key])
                return old
            }
        }
    }

    extension DocumentSession {
        /// The part of a new document that the user may read.
        func visible(_ document: [ExtendedJSON.Member], _ projection: Projection?) -> ExtendedJSON {
            let members = document.filter { scope.rights.readableFields.contains($0.name) }
            return .document(projection?.document(members) ?? members)
        }
    }
#endif

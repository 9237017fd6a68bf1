// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import RealmAccounts
    import RealmStorage
    import RealmSyncCore

    /// The calls of `user.mongoClient` (§1.10): queries and changes of the documents of an app.
    ///
    /// The name of a collection is that of a class. The database can have any name. In an app with partitions, a call
    /// concerns the partition that the partition key in its filter or its documents selects (§6.3).
    package struct DocumentCalls: DocumentService {
        package let name: String
        let access: EngineDocuments
        let gate: PermissionGate
        let partitionKey: String

        package init(name: String, access: EngineDocuments, gate: PermissionGate, partitionKey: String) {
            (self.name, self.access, self.gate, self.partitionKey) = (name, access, gate, partitionKey)
        }

        package func call(_ call: ServiceCall) async throws -> String {
            try await ServerSpan.documents.run { try await result(of: call) }
        }

        private func result(of call: ServiceCall) async throws -> String {
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

        package func stream(_ call: ServiceCall) async throws -> AsyncThrowingStream<String, any Error> {
            guard call.name == "watch" else { throw unknown(call.name) }
            let request = try DocumentRequest(call.arguments)
            let filter = try ChangeEvents.filter(of: request, partitionKey)
            let target = try await target(Context(call: call, request: request), filter, needs: .read)
            let events = try ChangeEvents(request, filter, partitionKey: target.partitionKey)
            return access.watch(target, by: call.grant, after: try position(request)) { try events.events($0, $1, $2) }
        }

        /// Returns the position of an earlier stream that the request continues.
        private func position(_ request: DocumentRequest) throws -> WatchPosition? {
            guard let members = try request.optionalDocument(["resumeAfter"]) else { return nil }
            guard case .string(let text)? = members.first(where: { $0.name == "_data" })?.value,
                let position = WatchPosition(text)
            else { throw ServiceRefusal(.invalid, "'resumeAfter' isn't from the end of an earlier stream") }
            return position
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

        /// Returns the documents that a filter selects, with the rights of the user.
        ///
        /// - Throws: `ServiceRefusal` if it selects no partition, or the user doesn't have the access.
        private func target(
            _ context: Context, _ filter: [ExtendedJSON.Member], needs access: PartitionAccess
        ) async throws -> DocumentTarget {
            try await target(context, needs: access) {
                guard let value = filter.last(where: { $0.name == partitionKey })?.value else {
                    throw ServiceRefusal(
                        .missing, "the filter has to select a partition by its field '\(partitionKey)'")
                }
                if case .document(let members) = value, members.count == 1, members[0].name == "$eq" {
                    return members[0].value
                }
                return value
            }
        }

        /// - Parameter partition: Returns the partition value. Not called in an app with flexible sync.
        private func target(
            _ context: Context, needs access: PartitionAccess, partition: () throws -> ExtendedJSON
        ) async throws -> DocumentTarget {
            let grant = context.call.grant
            guard try await self.access.mode(of: grant.app) == .partition else {
                switch await gate.rights(of: grant) {
                case .success(let rights):
                    return DocumentTarget(
                        place: DocumentPlace(app: ByteText(grant.app), name: nil), rights: rights, partitionKey: nil)
                case .failure(let error): throw ServiceRefusal(.unavailable, error.message)
                }
            }
            guard let name = PartitionName(path: try partition().description) else {
                throw ServiceRefusal(
                    .invalid, "the field '\(partitionKey)' has to be a string, an integer, an ObjectId, a UUID or null")
            }
            switch await gate.decide(PartitionRequest(grant, name)) {
            case .success(.write): break
            case .success(.read) where access == .read: break
            case .success: throw ServiceRefusal(.notPermitted, "the user may not \(access.rawValue) this partition")
            case .failure(let error): throw ServiceRefusal(.unavailable, error.message)
            }
            return DocumentTarget(
                place: DocumentPlace(app: ByteText(grant.app), name: name), rights: .unrestricted,
                partitionKey: partitionKey)
        }

        private func read(
            _ context: Context, _ filter: [ExtendedJSON.Member], absent: String,
            _ body: @escaping @Sendable (DocumentScope) throws -> String
        ) async throws -> String {
            let target = try await target(context, filter, needs: .read)
            return try await access.read(target.place) { snapshot in
                try DocumentScope(snapshot, className: context.className, target).map(body) ?? absent
            }
        }

        private func change(
            _ context: Context, _ target: DocumentTarget, absent: String?,
            _ body: @escaping @Sendable (inout DocumentSession) throws -> ExtendedJSON
        ) async throws -> String {
            try await access.change(target.place, by: target.rights) { snapshot in
                guard let scope = try DocumentScope(snapshot, className: context.className, target) else {
                    if let absent { return (nil, absent) }
                    throw ServiceRefusal(
                        .invalid,
                        "\(target.isFlexible ? "the app" : "the partition") has no class '\(context.className)': "
                            + "let a client synchronise it first")
                }
                var session = try DocumentSession(scope, className: context.className)
                let result = try body(&session).description
                return (session.changeset, result)
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
                selection.filter = scope.withoutPartition(filter)
                return try scope.text(try scope.keys(selection), projection)
            }
        }

        private func findOne(_ context: Context) async throws -> String {
            let filter = try context.request.document("query", "filter")
            let selection = DocumentSelection(sort: try context.request.document("sort"), limit: 1)
            let projection = try context.request.projection()
            return try await read(context, filter, absent: "null") { scope in
                var selection = selection
                selection.filter = scope.withoutPartition(filter)
                guard let key = try scope.keys(selection).first else { return "null" }
                return try scope.json(key, projection).description
            }
        }

        private func count(_ context: Context) async throws -> String {
            let filter = try context.request.document("query", "filter")
            let limit = try context.request.limit()
            return try await read(context, filter, absent: ExtendedJSON.int64(0).description) { scope in
                let selection = DocumentSelection(filter: scope.withoutPartition(filter), limit: limit)
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
                pipeline.firstFilter = scope.withoutPartition(pipeline.firstFilter)
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
            let target = try await target(context, needs: .write) { partition(of: document) }
            return try await change(context, target, absent: nil) { session in
                let key = try session.insert(session.scope.withoutPartition(document))
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
            guard !documents.isEmpty else { throw ServiceRefusal(.missing, "'documents' is missing or empty") }
            let target = try await target(context, needs: .write) {
                let first = partition(of: documents[0])
                guard documents.allSatisfy({ partition(of: $0) == first }) else {
                    throw ServiceRefusal(
                        .invalid, "the documents are of different partitions: insert them separately")
                }
                return first
            }
            return try await change(context, target, absent: nil) { session in
                let keys = try documents.map { try session.insert(session.scope.withoutPartition($0)) }
                return .document([ExtendedJSON.Member("insertedIds", .array(keys))])
            }
        }

        /// Documents without the partition key belong to the partition of null (§6.3).
        private func partition(of document: [ExtendedJSON.Member]) -> ExtendedJSON {
            document.last { $0.name == partitionKey }?.value ?? .null
        }

        private func delete(_ context: Context, limit: Int?) async throws -> String {
            let filter = try context.request.document("query", "filter")
            let target = try await target(context, filter, needs: .write)
            return try await change(context, target, absent: DocumentCalls.counts([("deletedCount", 0)]).description) {
                session in
                let selection = DocumentSelection(filter: session.scope.withoutPartition(filter), limit: limit)
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
            let target = try await target(context, filter, needs: .write)
            let (update, isUpsert) = try self.update(context, target)
            guard limit == 1 || update.replacement == nil else {
                throw ServiceRefusal(.invalid, "'updateMany' needs update operators, not a replacement")
            }
            let none = DocumentCalls.counts([("matchedCount", 0), ("modifiedCount", 0)])
            return try await change(context, target, absent: isUpsert ? nil : none.description) { session in
                let filter = session.scope.withoutPartition(filter)
                let keys = try session.scope.keys(DocumentSelection(filter: filter, limit: limit))
                if keys.isEmpty, isUpsert {
                    let (key, _) = try session.upsert(filter, update)
                    return .document((none.members ?? []) + [ExtendedJSON.Member("upsertedId", key)])
                }
                let changed = try session.update(keys, update).changed
                return DocumentCalls.counts([("matchedCount", keys.count), ("modifiedCount", changed)])
            }
        }

        private func update(
            _ context: Context, _ target: DocumentTarget
        ) throws -> (DocumentUpdate, isUpsert: Bool) {
            var members = try context.request.requiredDocument("update")
            // The partition of a document can't be changed; a replacement may repeat it.
            if !target.isFlexible, members.first?.name.hasPrefix("$") != true {
                members.removeAll { $0.name == partitionKey }
            }
            return (try DocumentUpdate(members), try context.request.flag("upsert"))
        }

        private func findAndUpdate(_ context: Context) async throws -> String {
            let filter = try context.request.document("filter", "query")
            let sort = try context.request.document("sort")
            let target = try await target(context, filter, needs: .write)
            let (update, isUpsert) = try self.update(context, target)
            guard (update.replacement != nil) == (context.call.name == "findOneAndReplace") else {
                throw ServiceRefusal(
                    .invalid,
                    update.replacement == nil
                        ? "'findOneAndReplace' needs a replacement, not update operators"
                        : "'findOneAndUpdate' needs update operators, not a replacement")
            }
            let projection = try context.request.projection()
            let returnsNew = try context.request.flag("returnNewDocument")
            return try await change(context, target, absent: isUpsert ? nil : "null") { session in
                let filter = session.scope.withoutPartition(filter)
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
            let target = try await target(context, filter, needs: .write)
            return try await change(context, target, absent: "null") { session in
                let filter = session.scope.withoutPartition(filter)
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

// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import RealmAccounts
    import RealmStorage
    import RealmSync
    import RealmSyncCore
    import RealmSystem

    /// The documents that a user accesses.
    struct DocumentTarget: Sendable {
        let place: DocumentPlace
        let rights: UserRights
        /// The field that selects the partition. `nil` in an app with flexible sync.
        let partitionKey: String?

        var isFlexible: Bool { place.name == nil }
    }

    /// The documents of a class in one version, as a user may read them.
    struct DocumentScope {
        let source: Snapshot
        let table: Table
        let rights: ClassRights
        private let partitionKey: String?
        private let encoder: DocumentEncoder

        /// In bytes of JSON.
        private static let largestResult = 16 << 20

        /// Returns `nil` if the class doesn't exist.
        init?(_ source: Snapshot?, className: String, _ target: DocumentTarget) throws {
            try self.init(
                source, className: className, rights: target.rights[ByteText(className)],
                partitionKey: target.partitionKey)
        }

        init?(_ source: Snapshot?, className: String, rights: ClassRights, partitionKey: String?) throws {
            guard let source, let table = try source.table(named: FileFormat.classPrefix + className) else {
                return nil
            }
            switch table.kind {
            case .topLevel: break
            case .embedded:
                throw ServiceRefusal(.invalid, "the objects of '\(className)' are embedded in other documents")
            case .asymmetric:
                throw ServiceRefusal(.invalid, "the objects of '\(className)' are ingested: read them at /ingest")
            }
            (self.source, self.table, self.rights, self.partitionKey) = (source, table, rights, partitionKey)
            encoder = DocumentEncoder(source, fields: rights.readableFields)
        }

        /// Removes the partition key unless it's a property of the class.
        func withoutPartition(_ members: [ExtendedJSON.Member]) -> [ExtendedJSON.Member] {
            guard let partitionKey, table.column(named: partitionKey) == nil else { return members }
            return members.filter { $0.name != partitionKey }
        }

        func keys(_ selection: DocumentSelection) throws -> [ObjectKey] {
            try selection.keys(in: source, table, rights)
        }

        func json(_ key: ObjectKey, _ projection: Projection?) throws -> ExtendedJSON {
            guard let document = try encoder.document(key, of: table) else { return .null }
            return .document(projection?.document(document) ?? document)
        }

        /// Returns an array as JSON.
        func text(_ keys: [ObjectKey], _ projection: Projection?) throws -> String {
            var text = "["
            for key in keys {
                if text.utf8.count > 1 { text += "," }
                text += try json(key, projection).description
                guard text.utf8.count < DocumentScope.largestResult else {
                    throw ServiceRefusal(
                        .tooLarge, "the result is larger than 16 MiB: request fewer documents, or fewer of their fields"
                    )
                }
            }
            return text + "]"
        }
    }

    /// Changes of the documents of a class, which become one changeset.
    struct DocumentSession {
        let scope: DocumentScope
        private let name: Text
        private let whole: DocumentEncoder
        private var editor: DocumentEditor
        private var inserted: Set<ObjectReference> = []

        init(_ scope: DocumentScope, className: String) throws {
            (self.scope, name) = (scope, Text(className))
            whole = DocumentEncoder(scope.source)
            editor = DocumentEditor(try AppSchema(of: scope.source))
        }

        /// `nil` if nothing was changed. The user's rights to the changes aren't checked yet.
        var changeset: Changeset? { editor.changeset }

        // MARK: Objects

        /// Returns the `_id`.
        mutating func insert(_ document: [ExtendedJSON.Member]) throws -> ExtendedJSON {
            let (table, inserted) = (scope.table, inserted)
            let (object, key) = try editor.insert(try withKey(document), of: name) { object in
                guard let stored = SyncNames.storedKey(object.key) else { return false }
                return try inserted.contains(object) || table.object(primaryKey: stored) != nil
            }
            self.inserted.insert(object)
            return key
        }

        /// Adds an `_id` if the document doesn't have one.
        private func withKey(_ document: [ExtendedJSON.Member]) throws -> [ExtendedJSON.Member] {
            guard let column = scope.table.primaryKey.flatMap({ scope.table.column($0) }),
                !document.contains(where: { $0.name == column.name })
            else { return document }
            let key: ExtendedJSON
            switch column.type {
            case .objectId:
                let seconds = UInt64(UInt32(truncatingIfNeeded: CurrentProcess.time / 1_000_000_000))
                key = .objectId(
                    ObjectIdBytes(
                        high: seconds << 32 | UInt64(UInt32.random(in: 0...UInt32.max)),
                        low: UInt32.random(in: 0...UInt32.max)))
            case .uuid:
                // Version 4 of RFC 9562.
                let high = UInt64.random(in: 0...UInt64.max) & ~0xF000 | 0x4000
                key = .uuid(UUIDBytes(high: high, low: UInt64.random(in: 0...UInt64.max) & ~(3 << 62) | 1 << 63))
            default: throw ServiceRefusal(.invalid, "the document has no '\(column.name)'")
            }
            return [ExtendedJSON.Member(column.name, key)] + document
        }

        mutating func erase(_ keys: [ObjectKey]) throws {
            for key in keys {
                if let object = try scope.source.reference(to: key, in: scope.table) { editor.erase(object) }
            }
        }

        /// Returns the documents after the update, and the number of those that differ from before.
        mutating func update(
            _ keys: [ObjectKey], _ update: DocumentUpdate
        ) throws -> (documents: [[ExtendedJSON.Member]], changed: Int) {
            try requireWritable(update)
            var (documents, changed): ([[ExtendedJSON.Member]], Int) = ([], 0)
            for key in keys {
                guard let object = try scope.source.reference(to: key, in: scope.table),
                    let old = try whole.document(key, of: scope.table)
                else { continue }
                let id = ExtendedJSON(object.key)
                if let new = update.newKey, new != id, new.number == nil || new.number != id.number {
                    throw ServiceRefusal(.invalid, "the _id of a document can't be changed")
                }
                let outcome = retaining(old, in: try update.apply(to: old))
                try editor.change(object, from: old, to: outcome)
                if outcome.document != old { changed += 1 }
                if keys.count == 1 { documents.append(outcome.document) }
            }
            return (documents, changed)
        }

        /// An update that has no effect would reveal the value of a field that the user can't read.
        private func requireWritable(_ update: DocumentUpdate) throws {
            guard scope.rights.writableFields != .all else { return }
            let key = scope.table.primaryKey.flatMap { scope.table.column($0) }.map { ByteText($0.name) }
            for field in update.fields.sorted() where field != key && !scope.rights.writableFields.contains(field) {
                throw ServiceRefusal(
                    .notPermitted, "the user can't change the property '\(field.short)' of '\(name)'")
            }
        }

        /// A replacement retains the fields that the user can neither read nor write.
        private func retaining(
            _ old: [ExtendedJSON.Member], in outcome: DocumentUpdate.Outcome
        ) -> DocumentUpdate.Outcome {
            let (readable, writable) = (scope.rights.readableFields, scope.rights.writableFields)
            guard readable != .all, writable != .all else { return outcome }
            var outcome = outcome
            outcome.document += old.filter { member in
                !readable.contains(member.name) && !writable.contains(member.name)
                    && !outcome.document.contains { $0.name == member.name }
            }
            return outcome
        }

        /// Inserts the document that an update with `upsert` creates. Returns its `_id` and the document.
        mutating func upsert(
            _ filter: [ExtendedJSON.Member], _ update: DocumentUpdate
        ) throws -> (key: ExtendedJSON, document: [ExtendedJSON.Member]) {
            let fixed = filter.compactMap { member -> ExtendedJSON.Member? in
                guard !member.name.hasPrefix("$") else { return nil }
                switch member.value {
                case .document(let members) where members.first?.name == "$eq" && members.count == 1:
                    return ExtendedJSON.Member(member.name, members[0].value)
                case .document(let members) where members.first?.name.hasPrefix("$") == true: return nil
                case .regularExpression: return nil
                default: return member
                }
            }
            var document = try DocumentUpdate([ExtendedJSON.Member("$set", .document(fixed))]).apply(to: []).document
            if update.replacement != nil { document.removeAll { $0.name != "_id" } }
            document = try update.apply(to: document, isInsert: true).document
            if let key = update.newKey, !document.contains(where: { $0.name == "_id" }) {
                document.append(ExtendedJSON.Member("_id", key))
            }
            let complete = try withKey(document)
            return (try insert(complete), complete)
        }
    }
#endif

// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import RealmAccounts
    import RealmStorage
    import RealmSync
    import RealmSyncCore
    import RealmSystem

    /// The documents of a class in one version of a partition, as a user may read them.
    struct DocumentScope {
        let source: Snapshot
        let table: Table
        let rights: ClassRights
        private let encoder: DocumentEncoder

        /// In bytes of JSON.
        private static let largestResult = 16 << 20

        /// Returns `nil` if the class doesn't exist.
        init?(_ source: Snapshot?, className: String, _ rights: ClassRights) throws {
            guard let source, let table = try source.table(named: FileFormat.classPrefix + className) else {
                return nil
            }
            guard !table.isEmbedded else {
                throw ServiceRefusal(.invalid, "the objects of '\(className)' are embedded in other documents")
            }
            (self.source, self.table, self.rights) = (source, table, rights)
            encoder = DocumentEncoder(source, fields: rights.readableFields)
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

        /// - Throws: `ServiceRefusal` if the user may not write one of the changed fields.
        func changeset() throws -> Changeset? {
            guard let changeset = editor.changeset, scope.rights.writableFields != .all else { return editor.changeset }
            for case .change(let place, _) in changeset.instructions
            where !scope.rights.writableFields.contains(place.column.string) {
                throw refusal("change the field '\(place.column)'")
            }
            return changeset
        }

        private func refusal(_ action: String) -> ServiceRefusal {
            ServiceRefusal(.notPermitted, "the user may not \(action) of the documents of '\(name)'")
        }

        // MARK: Objects

        /// Returns the `_id`.
        mutating func insert(_ document: [ExtendedJSON.Member]) throws -> ExtendedJSON {
            guard scope.rights.canInsert else { throw refusal("insert one") }
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
            guard !keys.isEmpty else { return }
            guard scope.rights.canDelete else { throw refusal("delete one") }
            try requireWritable(keys)
            for key in keys {
                if let object = try scope.source.reference(to: key, in: scope.table) { editor.erase(object) }
            }
        }

        /// Returns the documents after the update, and the number of those that differ from before.
        mutating func update(
            _ keys: [ObjectKey], _ update: DocumentUpdate
        ) throws -> (documents: [[ExtendedJSON.Member]], changed: Int) {
            try requireWritable(keys)
            var (documents, changed): ([[ExtendedJSON.Member]], Int) = ([], 0)
            for key in keys {
                guard let object = try scope.source.reference(to: key, in: scope.table),
                    let old = try whole.document(key, of: scope.table)
                else { continue }
                let id = ExtendedJSON(object.key)
                if let new = update.newKey, new != id, new.number == nil || new.number != id.number {
                    throw ServiceRefusal(.invalid, "the _id of a document can't be changed")
                }
                let outcome = try update.apply(to: old)
                try editor.change(object, from: old, to: outcome)
                if outcome.document != old { changed += 1 }
                if keys.count == 1 { documents.append(outcome.document) }
            }
            return (documents, changed)
        }

        private func requireWritable(_ keys: [ObjectKey]) throws {
            guard scope.rights.write != .all else { return }
            let query = try scope.rights.write.query(and: .constant(true), scope.table, in: scope.source)
            guard try query.filter(keys, in: scope.source).count == keys.count else { throw refusal("change one") }
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

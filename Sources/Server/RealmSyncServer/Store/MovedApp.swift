// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import RealmQuery
    import RealmStorage
    import RealmSyncCore

    /// The record that an app was moved from partitions to flexible sync, or back (§5.8). Its clients follow.
    struct MovedApp: Hashable {
        /// The property with the partition value of each object.
        let field: Text
        let isFlexible: Bool

        /// - Parameters:
        ///   - contents: The contents of its file.
        ///   - title: The location for errors.
        /// - Throws: `StoreError` if the file is damaged.
        init(_ contents: [UInt8], title: String) throws {
            guard let json = try? JSON(parsing: contents), let field = json["field"]?.text,
                let mode = json["mode"]?.text, ["flexible", "partitions"].contains(mode)
            else {
                throw StoreError(
                    folder: title, "'migration.json' doesn't name a field and a mode",
                    remedy: "Restore the file from a backup.")
            }
            self.init(field: Text(field), isFlexible: mode == "flexible")
        }

        init(field: Text, isFlexible: Bool) { (self.field, self.isFlexible) = (field, isFlexible) }

        /// The contents of its file.
        var encoded: [UInt8] {
            let json: JSON = [
                "field": .string(field.string), "mode": .string(isFlexible ? "flexible" : "partitions"),
            ]
            return Array(json.description.utf8)
        }

        /// Returns the query with the objects of a partition.
        func query(_ partition: PartitionName) -> String? {
            partition.value.map { "\(field) == \($0.storedValue.literal)" }
        }

        /// Returns the error that moves a client to the mode of its app, or `nil` if the client isn't to be moved.
        ///
        /// - Parameter path: The text of the client's `bind`.
        func error(for path: String, of mode: SyncMode) -> SessionError? {
            switch (mode, isFlexible) {
            case (.partition, true):
                guard let query = PartitionName(path: path).flatMap(query) else { return nil }
                return SessionError(migratingTo: query)
            case (.flexible, false):
                guard FlexibleBind(path: path)?.migratedPartition != nil else { return nil }
                return SessionError(.revertToPBS, "the app has partitions again")
            default: return nil
            }
        }
    }

    extension PartitionName {
        /// Returns `nil` if the text isn't the title of a partition in the header of its files.
        init?(title: String) {
            guard let colon = title.utf8.firstIndex(of: UInt8(ascii: ":")),
                let kind = PartitionRequest.Kind(rawValue: String(title[..<colon]))
            else { return nil }
            (self.kind, text) = (kind, ByteText(String(title[title.utf8.index(after: colon)...])))
        }

        /// - Parameter value: The value of a property.
        init?(_ value: SyncValue) {
            let partition: PartitionValue
            switch value {
            case .null: partition = .null
            case .int(let number): partition = .int64(number)
            case .string(let text): partition = .string(text)
            case .objectId(let id): partition = .objectId(id)
            case .uuid(let uuid): partition = .uuid(uuid)
            default: return nil
            }
            self.init(path: partition.path)
        }

        var value: PartitionValue? {
            switch kind {
            case .null: .null
            case .string: .string(text)
            case .int: Int64(text.string).map { .int64($0) }
            case .objectId: PartitionValue(path: #"{"$oid":"\#(text)"}"#)
            case .uuid: PartitionValue(path: #"{"$uuid":"\#(text)"}"#)
            }
        }

        /// The type of the property with the value; `nil` for null.
        var type: ValueType? {
            switch kind {
            case .null: nil
            case .string: .string
            case .int: .int
            case .objectId: .objectId
            case .uuid: .uuid
            }
        }
    }

    extension PartitionValue {
        var storedValue: StoredValue {
            switch self {
            case .null: .null
            case .string(let text): .string(text.string)
            case .int32(let number): .int(Int64(number))
            case .int64(let number): .int(number)
            case .objectId(let id): .objectId(id)
            case .uuid(let uuid): .uuid(uuid)
            }
        }
    }
#endif

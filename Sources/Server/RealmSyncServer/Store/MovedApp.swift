// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
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
            partition.literal.map { "\(field) == \($0)" }
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
#endif

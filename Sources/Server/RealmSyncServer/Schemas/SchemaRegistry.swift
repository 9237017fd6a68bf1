// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import RealmAccounts
    import RealmSyncCore

    /// The schema of an app with its versions, and the changes that clients can make to it.
    ///
    /// A value without input and output: `SharedSchema` stores the additions.
    package struct SchemaRegistry: Sendable, Hashable {
        /// The classes and properties of all versions.
        private(set) var schema = AppSchema()
        /// The known versions, the current one last. Without any, each version is accepted.
        private(set) var versions: [UInt64]
        /// Whether clients can add classes and properties. Otherwise the schema is that of the file.
        package let learns: Bool

        /// Creates the registry of an app.
        ///
        /// - Parameter files: The known versions. Without a file, the schema is learned from clients.
        /// - Throws: `ConfigurationError` if a class or a property differs between versions. All clients share the
        ///   documents, so it can have only one type.
        package init(_ files: [SchemaFile], isDevelopment: Bool) throws {
            let sorted = files.sorted { $0.version < $1.version }
            versions = sorted.map(\.version)
            learns = isDevelopment || files.isEmpty
            for (file, next) in zip(sorted, sorted.dropFirst()) where file.version == next.version {
                throw ConfigurationError("there are two schemas of version \(file.version)")
            }
            for file in sorted {
                for instruction in file.schema.instructions { try insert(instruction, of: file.version) }
            }
        }

        private mutating func insert(_ instruction: Instruction, of version: UInt64) throws {
            switch instruction {
            case .addTable(let table):
                guard let known = schema.tables[table.name], known != table else { return schema.insert(table) }
                throw ConfigurationError(
                    "schema version \(version): the class '\(table.name)' is \(table.kind.text), and "
                        + "\(known.kind.text) in an earlier version")
            case .addColumn(let column):
                guard let known = schema.property(column.column.name, of: column.column.table),
                    !known.isSame(as: column)
                else { return schema.insert(column) }
                throw ConfigurationError(
                    "schema version \(version): the property '\(column.column.table).\(column.column.name)' is "
                        + "\(column.typeText), and \(known.typeText) in an earlier version")
            default: break
            }
        }

        // MARK: Changes

        /// Checks the instructions of a client's change, and adds its new classes and properties to the schema.
        ///
        /// - Returns: Whether the schema has changed.
        /// - Throws: `SessionError` 225 for a change that isn't additive, or that a fixed schema doesn't have. The
        ///   schema is then unchanged.
        package mutating func integrate(_ instructions: [Instruction]) throws(SessionError) -> Bool {
            var changed = schema
            var hasDefinitions = false
            for instruction in instructions {
                if try integrate(instruction, &changed) { hasDefinitions = true }
            }
            guard learns, hasDefinitions, changed != schema else { return false }
            schema = changed
            return true
        }

        /// Returns whether the instruction defines a class or a property.
        private func integrate(_ instruction: Instruction, _ schema: inout AppSchema) throws(SessionError) -> Bool {
            switch instruction {
            case .addTable(let table):
                try add(table, &schema)
                return true
            case .addColumn(let column):
                try add(column, &schema)
                return true
            case .eraseTable(let name):
                throw refusal("removing the class '\(name.short)' would break the clients that have it")
            case .eraseColumn(let column):
                throw refusal(
                    "removing the property '\(column.table.short).\(column.name.short)' would break the clients that "
                        + "have it")
            case .createObject(let object), .eraseObject(let object):
                try requireClass(object.table, schema)
                return false
            case .change(let place, _):
                try requireClass(place.object.table, schema)
                guard learns || schema.property(place.column, of: place.object.table) != nil else {
                    throw refusal(
                        "the property '\(place.object.table.short).\(place.column.short)' isn't in the schema of the "
                            + "app")
                }
                return false
            }
        }

        /// An app that had other classes before can still contain them, but clients can't write their objects.
        private func requireClass(_ name: Text, _ schema: AppSchema) throws(SessionError) {
            guard learns || schema.tables[name] != nil else {
                throw refusal("the class '\(name.short)' isn't in the schema of the app")
            }
        }

        private func add(_ table: TableDefinition, _ schema: inout AppSchema) throws(SessionError) {
            if let reason = table.refusal { throw refusal(reason) }
            guard let known = schema.tables[table.name] else {
                guard learns else { throw refusal("the class '\(table.name)' isn't in the schema of the app") }
                try requireKey(table)
                return schema.insert(table)
            }
            guard known == table else {
                throw refusal(
                    "the class '\(table.name)' is \(known.kind.text) in the schema of the app, and \(table.kind.text) "
                        + "at the client")
            }
        }

        private func requireKey(_ table: TableDefinition) throws(SessionError) {
            switch table.kind {
            case .embedded: return
            case .topLevel(let key), .asymmetric(let key):
                guard key.name == "_id" else {
                    throw refusal("the primary key of '\(table.name)' is '\(key.name)'; it must be '_id'")
                }
            }
        }

        private func add(_ column: ColumnDefinition, _ schema: inout AppSchema) throws(SessionError) {
            if let reason = column.refusal { throw refusal(reason) }
            let name = "'\(column.column.table.short).\(column.column.name.short)'"
            guard schema.tables[column.column.table] != nil else {
                throw refusal("the class of the property \(name) isn't in the schema of the app")
            }
            if let target = column.target, schema.tables[target] == nil {
                throw refusal("the property \(name) links to '\(target.short)', which isn't in the schema of the app")
            }
            guard let known = schema.property(column.column.name, of: column.column.table) else {
                guard learns else { throw refusal("the property \(name) isn't in the schema of the app") }
                return schema.insert(column)
            }
            guard known.isSame(as: column) else {
                throw refusal(
                    "the property \(name) is \(known.typeText) in the schema of the app, and \(column.typeText) at "
                        + "the client")
            }
        }

        private func refusal(_ reason: String) -> SessionError {
            SessionError(.badSchemaChange, "Invalid schema change: \(reason)")
        }

        // MARK: Versions

        /// The response to a `bind` with a schema version (spec §5.9).
        package enum Admission: Hashable, Sendable {
            case accepted
            /// The file has the objects of another version, and must download them again: error 236.
            case migrates(previous: UInt64)
            /// Error 235.
            case refused(SessionError)
        }

        /// Returns the response to a client file.
        ///
        /// - Parameter previous: The version of the file's previous sessions; `nil` for a new file.
        package func admission(version: UInt64, previous: UInt64?) -> Admission {
            guard !versions.isEmpty else { return .accepted }
            guard versions.contains(version) else {
                let known = versions.count == 1 ? "\(versions[0])" : "\(versions[0]) to \(versions[versions.count - 1])"
                return .refused(
                    SessionError(.badSchemaVersion, "the schema version \(version) is unknown; the app has \(known)"))
            }
            guard let previous, previous != version else { return .accepted }
            return .migrates(previous: previous)
        }
    }

    extension TableDefinition.Kind {
        fileprivate var text: String {
            switch self {
            case .embedded: "embedded"
            case .topLevel(let key): "a class with the primary key \(key.text)"
            case .asymmetric(let key): "asymmetric with the primary key \(key.text)"
            }
        }
    }

    extension PrimaryKeyColumn {
        fileprivate var text: String { "'\(name)' (\(isNullable ? "optional " : "")\(type))" }
    }

    extension ColumnDefinition {
        fileprivate var typeText: String {
            let element = type == .null ? "mixed" : type == .link ? "link to '\(target ?? "")'" : "\(type)"
            let optional = isNullable && type != .null && type != .link ? "optional " : ""
            return optional + (collection == .single ? element : "\(collection) of \(element)")
        }
    }
#endif

// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import NIOConcurrencyHelpers
    import RealmAccounts
    import RealmSyncCore
    import RealmSystem

    /// The schema of an app, which its partitions share. Can be used from any thread.
    ///
    /// In development mode, the file `schema.json` of the app contains the schema, in the folder of the app or in the
    /// database that nodes share. An addition is durable there before the changes that need it are integrated, so that
    /// two partitions can't add different definitions.
    final class SharedSchema: SchemaGate {
        /// Also guards the writes of the file.
        private let registry: NIOLockedValueBox<SchemaRegistry>
        private let place: Place

        /// The place of the learned schema of an app.
        struct Place: Sendable {
            static let name = "schema.json"

            let title: String
            /// Returns `nil` if the app has learned no schema.
            let contents: @Sendable () throws -> [UInt8]?
            /// Replaces the contents by those that a function returns. They are durable afterwards.
            let update: @Sendable ((([UInt8]?) throws -> [UInt8])) throws -> Void

            /// - Parameter folder: The folder of the app.
            static func folder(_ folder: String) -> Place {
                let path = "\(folder)/\(name)"
                return Place(title: path) {
                    try DiskFile.opened(path)?.contents()
                } update: { change in
                    try DiskFile.replace(path, with: try change(try DiskFile.opened(path)?.contents()))
                }
            }
        }

        /// - Parameter files: The versions of the schema.
        /// - Throws: `ConfigurationError` if the stored schema is damaged or contradicts the settings, `SystemError`,
        ///   or the error of the database.
        init(_ files: [SchemaFile], isDevelopment: Bool, _ place: Place) throws {
            self.place = place
            var registry = try SchemaRegistry(files, isDevelopment: isDevelopment)
            if isDevelopment { try registry.integrate(stored: try place.contents(), place) }
            self.registry = NIOLockedValueBox(registry)
        }

        /// Adds the classes and properties of an import to the stored schema of an app in development mode. Has no
        /// effect for other apps.
        ///
        /// - Throws: `ServerFailure` if the schema has other definitions, `ConfigurationError` if it's damaged.
        static func admit(_ instructions: [Instruction], _ place: Place) throws {
            guard try place.contents() != nil else { return }
            let schema = try SharedSchema([], isDevelopment: true, place)
            do { try schema.admit(instructions) } catch {
                throw ServerFailure(description: "The import contradicts the schema of the app: \(error.message).")
            }
        }

        var current: AppSchema { registry.withLockedValue { $0.schema } }

        func admit(version: UInt64) throws(SessionError) {
            if case .refused(let error) = admission(version: version, previous: nil) { throw error }
        }

        func migrates(from version: UInt64, to newVersion: UInt64) -> Bool {
            admission(version: newVersion, previous: version) == .migrates(previous: version)
        }

        private func admission(version: UInt64, previous: UInt64?) -> SchemaRegistry.Admission {
            registry.withLockedValue { $0.admission(version: version, previous: previous) }
        }

        /// - Throws: `SessionError` 225 for a change that the schema doesn't allow, 201 if an addition can't be stored.
        func admit(_ instructions: [Instruction]) throws(SessionError) {
            let result: Result<Void, SessionError> = registry.withLockedValue { registry in
                var changed = registry
                do throws(SessionError) {
                    guard try changed.integrate(instructions) else { return .success(()) }
                    changed = try store(instructions, in: registry)
                } catch {
                    return .failure(error)
                }
                registry = changed
                return .success(())
            }
            try result.get()
        }

        /// Adds classes and properties to the stored schema. Returns the registry with them, and with those that other
        /// nodes have added.
        private func store(
            _ instructions: [Instruction], in registry: SchemaRegistry
        ) throws(SessionError) -> SchemaRegistry {
            var changed = registry
            do {
                try place.update { stored in
                    changed = registry
                    try changed.integrate(stored: stored, place)
                    _ = try changed.integrate(instructions)
                    return Array(try changed.storableText().utf8)
                }
            } catch let error as SessionError {
                throw error
            } catch {
                throw SessionError(.other, "the schema of the app can't be stored now")
            }
            return changed
        }
    }

    extension SchemaRegistry {
        /// - Throws: `ConfigurationError` if the stored schema is damaged, or has other definitions.
        fileprivate mutating func integrate(stored contents: [UInt8]?, _ place: SharedSchema.Place) throws {
            guard let contents else { return }
            do {
                let file = try SchemaFile(json: String(decoding: contents, as: UTF8.self))
                _ = try integrate(file.schema.instructions)
            } catch {
                throw ConfigurationError(
                    """
                    '\(place.title)' is damaged, or contradicts the schema file of the app: \(error). Correct the \
                    schema file, or remove '\(place.title)' if no client has data of it.
                    """)
            }
        }

        /// - Throws: `SessionError` 225 if the text doesn't describe the schema completely.
        fileprivate func storableText() throws(SessionError) -> String {
            let text = SchemaFile(schema).json
            do {
                if try SchemaFile(json: text).schema == schema { return text }
            } catch {
                throw SessionError(.badSchemaChange, "Invalid schema change: \(error)")
            }
            throw SessionError(.badSchemaChange, "Invalid schema change: JSON schemas can't describe it")
        }
    }
#endif

// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import NIOConcurrencyHelpers
    import RealmAccounts
    import RealmSyncCore
    import RealmSystem

    /// The schema of an app, which its partitions share. Can be used from any thread.
    ///
    /// In development mode, the file `schema.json` in the folder of the app contains the schema. An addition is durable
    /// there before the changes that need it are integrated, so that two partitions can't add different definitions.
    final class SharedSchema: SchemaGate {
        /// Also guards the writes of the file.
        private let registry: NIOLockedValueBox<SchemaRegistry>
        private let path: String

        /// - Parameters:
        ///   - files: The versions of the schema.
        ///   - folder: The folder of the app.
        /// - Throws: `ConfigurationError` if the stored schema is damaged or contradicts the settings, `SystemError`.
        init(_ files: [SchemaFile], isDevelopment: Bool, folder: String) throws {
            path = folder + "/schema.json"
            var registry = try SchemaRegistry(files, isDevelopment: isDevelopment)
            if isDevelopment, Folder.holds(path) {
                do { _ = try registry.integrate(try SharedSchema.stored(path).schema.instructions) } catch {
                    throw ConfigurationError(
                        """
                        '\(path)' is damaged, or contradicts the schema file of the app: \(error). Correct the schema \
                        file, or remove '\(path)' if no client has data of it.
                        """)
                }
            }
            self.registry = NIOLockedValueBox(registry)
        }

        /// Adds the classes and properties of an import to the stored schema of an app in development mode. Has no
        /// effect for other apps.
        ///
        /// - Throws: `ServerFailure` if the schema has other definitions, `ConfigurationError` if it's damaged.
        static func admit(_ instructions: [Instruction], ofApp folder: String) throws {
            guard Folder.holds(folder + "/schema.json") else { return }
            let schema = try SharedSchema([], isDevelopment: true, folder: folder)
            do { try schema.admit(instructions) } catch {
                throw ServerFailure(description: "The import contradicts the schema of the app: \(error.message).")
            }
        }

        private static func stored(_ path: String) throws -> SchemaFile {
            let file = try DiskFile.open(path, readOnly: true)
            return try SchemaFile(json: String(decoding: try file.bytes(try file.size(), at: 0), as: UTF8.self))
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
                    try store(changed)
                } catch {
                    return .failure(error)
                }
                registry = changed
                return .success(())
            }
            try result.get()
        }

        private func store(_ registry: SchemaRegistry) throws(SessionError) {
            let text = try registry.storableText()
            do { try DiskFile.replace(path, with: Array(text.utf8)) } catch {
                throw SessionError(.other, "the schema of the app can't be stored now")
            }
        }
    }

    extension SchemaRegistry {
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

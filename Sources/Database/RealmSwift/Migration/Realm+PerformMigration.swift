// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

extension Realm {
    /// Migrates the file of a configuration without opening a Realm; does nothing to one that is in order.
    ///
    /// - Precondition: The file is not open in this process.
    /// - Throws: `Realm.Error` as opening would.
    public static func performMigration(for configuration: Configuration = .defaultConfiguration) throws {
        do {
            try RealmRegistry.migrate(configuration)
        } catch {
            throw Realm.Error(error)
        }
    }
}

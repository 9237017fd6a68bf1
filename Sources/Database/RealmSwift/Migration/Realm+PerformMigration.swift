// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

extension Realm {
    /// Migrates the file of a configuration without opening a Realm; does nothing if no migration is necessary.
    ///
    /// - Precondition: The file isn't open in this process.
    /// - Throws: `Realm.Error`, as when opening a Realm.
    public static func performMigration(for configuration: Configuration = .defaultConfiguration) throws {
        do {
            try RealmRegistry.migrate(configuration)
        } catch {
            throw Realm.Error(error)
        }
    }
}

// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

extension Realm.Configuration {
    /// The rules by which the file's tables are adapted to the models. An addition to Realm's API.
    ///
    /// ```swift
    /// configuration.schemaRules.mode = .additive
    /// ```
    public struct SchemaRules: Sendable {
        /// The handling of differences between the file's tables and the models.
        public enum Mode: Sendable {
            /// Realm's rules: new classes and indexes are added automatically. Adding, removing or changing a property
            /// requires a greater `schemaVersion`, with which the file is migrated to match the models.
            case automatic
            /// Rules for files that other programs also use: additions of the models are added to the file, and tables
            /// and columns that the models lack stay unchanged. The schema version is never lowered. A property of
            /// another type is an error.
            case additive
        }

        /// The handling of differences between the file's tables and the models.
        public var mode = Mode.automatic

        /// A Boolean value that indicates whether a Realm without subscriptions allows classes derived from
        /// `AsymmetricObject`. Their objects are stored in the file, hidden, until they can be uploaded. If false, such
        /// classes are rejected, and omitted from the default schema. Realms with subscriptions always allow them.
        public var keepsAsymmetricObjects = false

        /// A block that is called with the progress of `Migration.enumerateObjects`, and of the upgrade of a file from
        /// before format 10, which rewrites all objects.
        public var migrationProgress: (@Sendable (MigrationProgress) -> Void)?

        /// Creates the default rules.
        public init() {}
    }
}

// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// The effects of opening a file, determined without changing it. Created by `Realm.Configuration.rehearseMigration()`,
/// an addition to Realm's API.
///
/// ```swift
/// print(try configuration.rehearseMigration())
/// // Migration from version 1 to 2
/// // Person: 1200 objects
/// //   Property 'Person.nick' has been removed. 340 values are lost.
/// ```
public struct MigrationRehearsal: Sendable, Hashable {
    /// One difference between the file and the models.
    public struct Change: Sendable, Hashable {
        /// A description of the difference.
        public let text: String
        /// The column that differs; nil if the difference concerns the whole class.
        public let property: String?
        /// The number of objects whose values are created, converted or discarded.
        public let objectsConcerned: Int
        /// The number of values that are lost unless the block copies them elsewhere. Null, zero and empty values
        /// aren't counted.
        public let valuesLost: Int
    }

    /// The effects on one class.
    public struct ClassReport: Sendable, Hashable {
        /// The name of the class in the models, or of the table if the models no longer have the class.
        public let name: String
        /// The number of objects of the class in the file, before the migration.
        public let objectsBefore: Int
        /// The number of objects after the migration; nil if the migration fails.
        public let objectsAfter: Int?
        /// The differences between the table and the class.
        public let changes: [Change]
    }

    /// The schema version of the file; nil if it has none.
    public let storedVersion: UInt64?
    /// The schema version of the configuration.
    public let wantedVersion: UInt64
    /// A Boolean value that indicates whether the configuration has a greater schema version than the file, so that a
    /// migration runs.
    public let migrates: Bool
    /// A Boolean value that indicates whether all data is deleted, because `deleteRealmIfMigrationNeeded` is set.
    public let deletesAllData: Bool
    /// The classes that change, by name.
    public let classes: [ClassReport]
    /// The problems that make opening fail, such as differences that require a greater schema version, duplicate
    /// primary keys, and embedded objects without a parent.
    public let problems: [String]

    /// A Boolean value that indicates whether the file can be opened with this configuration.
    public var succeeds: Bool { problems.isEmpty }

    /// The number of values that are lost unless the block copies them elsewhere. Null, zero and empty values aren't
    /// counted.
    public var valuesLost: Int { classes.flatMap(\.changes).reduce(0) { $0 + $1.valuesLost } }
}

extension MigrationRehearsal: CustomStringConvertible {
    public var description: String {
        ([headline] + classes.flatMap(Self.lines) + problems.map { "Problem: \($0)" }).joined(separator: "\n")
    }

    private var headline: String {
        let stored = storedVersion.map { "\($0)" } ?? "none"
        if deletesAllData { return "All data are deleted (schema version \(stored), wanted \(wantedVersion))" }
        if migrates { return "Migration from version \(stored) to \(wantedVersion)" }
        return classes.isEmpty
            ? "Nothing changes (schema version \(stored))"
            : "Changes without a migration (schema version \(stored), wanted \(wantedVersion))"
    }

    private static func lines(_ report: ClassReport) -> [String] {
        var count = words(report.objectsBefore, "object")
        if let after = report.objectsAfter, after != report.objectsBefore { count += ", then \(after)" }
        let changes = report.changes.map { change in
            let lost =
                switch change.valuesLost {
                case 0: ""
                case 1: " 1 value is lost."
                default: " \(change.valuesLost) values are lost."
                }
            let concerned = change.objectsConcerned == 0 ? "" : " Concerns \(words(change.objectsConcerned, "object"))."
            return "  \(change.text)\(concerned)\(lost)"
        }
        return ["\(report.name): \(count)"] + changes
    }

    private static func words(_ count: Int, _ word: String) -> String { "\(count) \(word)\(count == 1 ? "" : "s")" }
}

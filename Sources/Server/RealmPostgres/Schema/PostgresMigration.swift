// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// A step in the definition of the tables. A published step never changes; another definition is a new step.
package struct PostgresMigration: Sendable {
    /// The statements, separated by semicolons, without those of the transaction.
    package let script: String

    package init(_ script: String) { self.script = script }
}

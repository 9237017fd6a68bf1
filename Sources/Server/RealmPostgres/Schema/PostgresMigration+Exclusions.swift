// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

extension PostgresMigration {
    /// The number of commands that have used the stores alone. A server that wasn't connected meanwhile notices it.
    static let exclusions = PostgresMigration(
        """
        CREATE TABLE regnum.exclusions (number int8 NOT NULL);
        INSERT INTO regnum.exclusions VALUES (0);
        """)
}

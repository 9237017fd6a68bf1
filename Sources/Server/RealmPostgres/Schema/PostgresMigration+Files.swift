// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

extension PostgresMigration {
    /// The table of small files that belong to an app or one of its stores, such as the cursor of an import.
    static let files = PostgresMigration(
        """
        CREATE TABLE regnum.files (
            app bytea NOT NULL,
            path bytea NOT NULL,
            content bytea NOT NULL
        );
        CREATE UNIQUE INDEX files_by_path ON regnum.files (sha256(app), sha256(path));
        """)
}

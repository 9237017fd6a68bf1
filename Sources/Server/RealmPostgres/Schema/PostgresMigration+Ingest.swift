// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

extension PostgresMigration {
    /// The table of ingested objects, and the progress of their readers. The commits of a store change its row anyway,
    /// so the row also contains the last number. The progress has rows of its own: its changes must not wait for the
    /// append lock. No foreign key, which PostgreSQL would check for each object.
    static let ingest = PostgresMigration(
        """
        ALTER TABLE regnum.stores
            ADD COLUMN ingested int8 NOT NULL DEFAULT 0,
            ADD COLUMN ingested_bytes int8 NOT NULL DEFAULT 0;
        CREATE TABLE regnum.ingested (
            store int8 NOT NULL,
            sequence int8 NOT NULL,
            bytes_through int8 NOT NULL,
            time int8 NOT NULL,
            class bytea NOT NULL,
            file int8 NOT NULL,
            user_id bytea NOT NULL,
            document bytea NOT NULL,
            PRIMARY KEY (store, sequence)
        );
        CREATE TABLE regnum.ingest_progress (
            store int8 PRIMARY KEY REFERENCES regnum.stores (id) ON DELETE CASCADE,
            removed int8 NOT NULL DEFAULT 0,
            delivered int8,
            node int8,
            lease timestamptz
        ) WITH (fillfactor = 50);
        """)
}

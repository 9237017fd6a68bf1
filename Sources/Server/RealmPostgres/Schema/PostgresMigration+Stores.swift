// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

extension PostgresMigration {
    /// The tables of partitions and apps. Names are bytes, and are found by their hash, because an index entry has at
    /// most 2,700 bytes. With free space in the pages of `stores`, the update of each commit leaves the indexes
    /// unchanged. Frames aren't compressed, because they are rarely read. A value has less than 1 GiB, so a large frame
    /// has several parts, each with its random id.
    static let stores = PostgresMigration(
        """
        CREATE TABLE regnum.stores (
            id int8 GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
            app bytea NOT NULL,
            name bytea NOT NULL,
            last_frame int8 NOT NULL DEFAULT 0,
            snapshot int8 NOT NULL DEFAULT 0,
            frame_bytes int8 NOT NULL DEFAULT 0,
            snapshot_bytes int8 NOT NULL DEFAULT 0
        ) WITH (fillfactor = 50);
        CREATE UNIQUE INDEX stores_by_name ON regnum.stores (sha256(app), sha256(name));
        CREATE TABLE regnum.frames (
            store int8 NOT NULL REFERENCES regnum.stores (id) ON DELETE CASCADE,
            number int8 NOT NULL,
            part int8 NOT NULL,
            id int8 NOT NULL,
            bytes bytea NOT NULL,
            PRIMARY KEY (store, number, part)
        );
        ALTER TABLE regnum.frames ALTER COLUMN bytes SET STORAGE EXTERNAL;
        CREATE TABLE regnum.snapshots (
            store int8 NOT NULL REFERENCES regnum.stores (id) ON DELETE CASCADE,
            through int8 NOT NULL,
            part int8 NOT NULL,
            bytes bytea NOT NULL,
            PRIMARY KEY (store, through, part)
        );
        """)
}

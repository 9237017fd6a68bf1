// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

extension PostgresMigration {
    /// The tables with copies of the stores' documents, which can be removed at any time.
    static let documents = PostgresMigration(
        #"""
        CREATE TABLE regnum.documents (
            store int8 NOT NULL,
            class text COLLATE "C" NOT NULL,
            key text COLLATE "C" NOT NULL,
            document jsonb NOT NULL
        );
        -- An ordered index has no room for a long key. The cast reads backslashes as escapes.
        CREATE UNIQUE INDEX documents_key
            ON regnum.documents (store, class, sha256(replace(key, '\', '\\')::bytea));
        CREATE TABLE regnum.document_positions (
            store int8 PRIMARY KEY,
            version int8 NOT NULL,
            salt int8 NOT NULL
        );
        """#)
}

// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

extension PostgresMigration {
    /// The tables of accounts. Names are found by their hash, because an index entry has at most 2,700 bytes.
    static let accounts = PostgresMigration(
        """
        CREATE TABLE regnum.accounts (
            position int8 GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
            app text COLLATE "C" NOT NULL,
            user_id text COLLATE "C" NOT NULL,
            document text NOT NULL,
            UNIQUE (app, user_id)
        );
        CREATE INDEX accounts_by_position ON regnum.accounts (app, position);
        CREATE TABLE regnum.login_names (
            name bytea NOT NULL,
            account int8 NOT NULL REFERENCES regnum.accounts (position) ON DELETE CASCADE
        );
        CREATE UNIQUE INDEX login_names_by_name ON regnum.login_names (sha256(name));
        CREATE INDEX login_names_by_account ON regnum.login_names (account);
        CREATE TABLE regnum.account_events (
            id int8 GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
            node text NOT NULL,
            time int8 NOT NULL,
            app text NOT NULL,
            user_id text NOT NULL,
            session text,
            is_revocation bool NOT NULL
        );
        CREATE TABLE regnum.secrets (
            name text COLLATE "C" PRIMARY KEY,
            value bytea NOT NULL
        );
        """)
}

// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSystem

/// The address of a database, and the limits of the connections to it.
package struct PostgresSettings: Sendable {
    /// `postgresql://user:password@host:port/database?sslmode=verify-full`, or `host=… dbname=…`. Its parameters
    /// precede `connectTimeout` and `unacknowledgedTimeout`.
    package let url: String
    /// The limit for opening a connection, in seconds.
    package var connectTimeout = 10
    /// The milliseconds after which unacknowledged data closes a connection.
    package var unacknowledgedTimeout = 15_000
    /// The milliseconds that a call waits for PostgreSQL's response. Then the connection is closed. The timeouts of
    /// `parameters` are shorter, because a connection remains open after them.
    package var responseTimeout = 90_000
    /// The milliseconds that a commit waits for PostgreSQL's response. It's shorter than `statement_timeout`, after
    /// which PostgreSQL confirms a commit although a synchronous standby lacks it.
    package var commitTimeout = 45_000
    /// The parameters that are set in each session, after those of the URL.
    package var parameters: [(name: String, value: String)] = [
        ("statement_timeout", "60000"), ("lock_timeout", "20000"),
        ("idle_in_transaction_session_timeout", "10000"), ("standard_conforming_strings", "on"),
    ]

    /// - Throws: `PostgresError` if the library isn't installed or the URL isn't valid.
    package init(_ url: String) throws {
        self.url = url
        var options: [String: String] = [:]
        try PostgresSettings.forEachOption(of: url) { options[$0] = $1 }
        let host = options["host"] ?? options["hostaddr"] ?? "localhost"
        name = "\(host):\(options["port"] ?? "5432")/\(options["dbname"] ?? options["user"] ?? "")"
    }

    /// The host, port, and database, for logs.
    package let name: String

    /// Whether PostgreSQL's library can be loaded.
    package static var isLibraryInstalled: Bool { LibPQ.isInstalled }

    /// Passes the parameters of a URL. The error doesn't have the library's message, which can contain a password.
    private static func forEachOption(of url: String, _ body: (String, String) -> Void) throws {
        let library = try LibPQ.load()
        guard let options = unsafe library.parseOptions(url, nil) else {
            throw PostgresError(
                .unavailable, "the address of PostgreSQL isn't valid",
                remedy: "use postgresql://USER:PASSWORD@HOST:PORT/DATABASE, with reserved characters as %XX")
        }
        defer { unsafe library.freeOptions(options) }
        var option = unsafe options.assumingMemoryBound(to: LibPQ.Option.self)
        while let keyword = unsafe option.pointee.keyword {
            if let value = unsafe option.pointee.value { unsafe body(String(cString: keyword), String(cString: value)) }
            unsafe option += 1
        }
    }

    /// The parameters of the library, of which a later one replaces an earlier one.
    var options: [(name: String, value: String)] {
        [
            ("connect_timeout", "\(connectTimeout)"), ("tcp_user_timeout", "\(unacknowledgedTimeout)"),
            ("keepalives_idle", "15"), ("keepalives_interval", "5"), ("keepalives_count", "3"),
            ("fallback_application_name", "realm-server"), ("dbname", url), ("client_encoding", "UTF8"),
        ]
    }
}

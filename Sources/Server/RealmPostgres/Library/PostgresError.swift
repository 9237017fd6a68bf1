// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// An error of PostgreSQL, of its library, or of the connection to it. It contains no data and no passwords.
package struct PostgresError: Error, Sendable, CustomStringConvertible {
    /// The cause of an error, by which a caller decides whether to try again.
    package enum Kind: Sendable, Hashable {
        /// The library is missing, the settings are wrong, or the database doesn't accept the connection.
        case unavailable
        /// The connection is closed. If that happened during a commit, the error is `commitUnknown`.
        case connectionLost
        /// The connection was lost during a commit. The changes are durable or have no effect: read them to find out.
        case commitUnknown
        /// Another transaction held a lock for longer than `lock_timeout`, or a statement took longer than
        /// `statement_timeout`.
        case timeout
        /// All connections of a pool are used. PostgreSQL itself can be idle.
        case exhausted
        /// A concurrent transaction prevented this one, which can be repeated.
        case serialization
        /// A row with the same unique key exists.
        case uniqueViolation
        /// The tables are newer than this program, or incomplete.
        case schema
        case other
    }

    package let kind: Kind
    /// The code of five characters, if PostgreSQL has sent the error.
    package let sqlState: String?
    /// The problem and its location.
    package let message: String
    /// An instruction for the operator, if there is one.
    package let remedy: String?

    package init(_ kind: Kind, sqlState: String? = nil, _ message: String, remedy: String? = nil) {
        (self.kind, self.sqlState, self.message, self.remedy) = (kind, sqlState, message, remedy)
    }

    /// Classifies an error by its SQLSTATE.
    ///
    /// - Parameter text: PostgreSQL's primary message.
    init(sqlState: String, _ text: String) {
        let (kind, remedy) = PostgresError.meaning(of: sqlState)
        if PostgresError.canQuoteData(sqlState) {
            self.init(
                kind, sqlState: sqlState, "PostgreSQL: an error whose text can quote data",
                remedy: remedy ?? "read the text in the log of PostgreSQL")
        } else {
            self.init(kind, sqlState: sqlState, "PostgreSQL: \(text)", remedy: remedy)
        }
    }

    /// The classes of errors about connections, transactions, definitions, and resources. The texts of others can quote
    /// values, such as `invalid input syntax for type json`, or are those of triggers.
    private static let classesWithoutData: Set<Substring> = [
        "08", "0A", "23", "25", "28", "2D", "3B", "3D", "3F", "40", "42", "53", "54", "55", "57", "58", "XX",
    ]

    /// A syntax error quotes the statement, which can contain constants of a query.
    private static func canQuoteData(_ sqlState: String) -> Bool {
        !classesWithoutData.contains(sqlState.prefix(2)) || sqlState == "42601"
    }

    package var description: String {
        let state = sqlState.map { " (SQLSTATE \($0))" } ?? ""
        return "\(message)\(state)\(remedy.map { "; " + $0 } ?? "")"
    }

    /// Whether the connection can't be used any more.
    package var isConnectionLost: Bool { [.unavailable, .connectionLost, .commitUnknown].contains(kind) }

    private static func meaning(of sqlState: String) -> (Kind, remedy: String?) {
        switch sqlState {
        case "55P03": (.timeout, "another transaction holds the lock: try again")
        case "57014": (.timeout, "the database is slow or blocked: try again")
        case "40001", "40P01": (.serialization, "repeat the transaction")
        case "23505": (.uniqueViolation, nil)
        case "25P03": (.connectionLost, "the transaction was idle for longer than the server allows: repeat it")
        case "57P01", "57P02", "57P03", "57P05": (.connectionLost, "the database stops or starts: try again")
        case "25006": (.connectionLost, "the database is a read-only standby: connect to the primary")
        case "42501": (.other, "grant the right to the role with which the server connects")
        case "42P01", "42703", "3F000": (.schema, "start the server with a role that may create its tables")
        case "53100": (.other, "the disk of the database is full: free space on it")
        case "53300": (.unavailable, "increase max_connections, or start fewer servers")
        case "28P01", "28000": (.unavailable, "check the user and the password of the URL")
        case "3D000": (.unavailable, "create the database, for example with 'createdb NAME'")
        case _ where sqlState.hasPrefix("08"): (.connectionLost, "try again when the database can be reached")
        default: (.other, nil)
        }
    }
}

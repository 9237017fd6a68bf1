// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmQuery

/// An error in a text in Realm Query Language: invalid syntax, a missing argument, an unknown property, or an operator
/// that a property's type doesn't support. An addition to Realm's API.
public struct RealmQueryError: Error, Sendable, Hashable, CustomStringConvertible {
    /// A description of the problem.
    public let message: String
    /// The position of a syntax error in the text, in characters from 0; nil if the syntax is valid.
    public let position: Int?

    init(_ error: PredicateError) {
        message = error.message
        position = error.position
    }

    /// The message.
    public var description: String { message }
}

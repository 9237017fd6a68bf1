// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmQuery
import RealmRuntime

/// A parsed text in Realm Query Language, with its arguments.
///
/// Validate a text where it is entered, and use it later, as often as needed, with any collection:
///
/// ```swift
/// let text = try RealmQueryText(validating: "age > $0 SORT(name ASC)", 3)
/// let dogs = try realm.objects(Dog.self).query(text)
/// ```
///
/// The value can be used on any thread. An addition to Realm's API.
public struct RealmQueryText: Sendable, Equatable, CustomStringConvertible {
    /// The text, with its placeholders.
    public let text: String
    let statement: QueryStatement

    /// Parses a text; see `RealmCollection.query(_:_:)` for the language. The names of properties are checked when the
    /// text is used, because they depend on the class.
    ///
    /// - Parameters:
    ///   - text: The text, with `$0`, `$1`, … or `%@` for the arguments.
    ///   - args: The values of the placeholders. Objects can't be arguments here, because they belong to one Realm:
    ///     pass them to `query(_:_:)`.
    /// - Throws: `RealmQueryError` if the text isn't valid, or if an argument is missing.
    public init(validating text: String, _ args: Any?...) throws(RealmQueryError) {
        let arguments = args.map { argument in
            predicateArgument(argument) { _ in
                throwRealmException("An object can't be an argument of a RealmQueryText: pass it to query(_:_:).")
            }
        }
        self.text = text
        do {
            statement = try QueryStatement(parsing: text, arguments: arguments)
        } catch {
            throw RealmQueryError(error)
        }
    }

    /// The text, with its placeholders.
    public var description: String { text }
}

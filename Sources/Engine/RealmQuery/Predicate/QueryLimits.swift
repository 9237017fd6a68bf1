// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Limits of the nesting of a query. Its processing recurses once for each level, so that without these limits a text,
/// or a loop that builds a query, could overflow the stack. The *length* of a query is unlimited.
package enum QueryLimits {
    /// Parentheses, braces and NOTs inside each other: a thread of the system has room for twice as many.
    package static let depth = 64
    /// SUBQUERYs inside each other.
    static let subqueries = 20
    /// Arithmetic operators in one condition.
    static let operators = 100
    /// Steps of a key path.
    static let steps = 200
    /// Collections among the steps of a key path.
    static let collections = 50
}

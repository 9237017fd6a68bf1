// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Limits of the nesting of a query. Its processing recurses once for each level, so without these limits a text, or a
/// loop that builds a query, could overflow the stack. The *length* of a query is unlimited.
package enum QueryLimits {
    /// Nested parentheses, braces and NOTs. A system thread has stack space for twice as many.
    package static let depth = 64
    static let subqueries = 20
    static let operators = 100
    static let steps = 200
    static let collections = 50
}

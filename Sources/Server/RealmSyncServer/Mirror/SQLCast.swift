// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if PostgreSQL
    import RealmStorage

    /// Casts of texts in SQL that are NULL instead of an error if a text doesn't have the form of the type.
    enum SQLCast {
        /// The digits are limited, because an ordered index has no room for a long number.
        private static let digits = "[0-9]{1,40}([.][0-9]{1,40})?"

        private static func matches(_ text: String, _ pattern: String) -> String {
            "\(text) COLLATE \"C\" ~ '^\(pattern)$'"
        }

        static func integer(_ text: String) -> String {
            "(CASE WHEN \(matches(text, "-?[0-9]{1,19}")) THEN"
                + " CASE WHEN \(text)::numeric BETWEEN \(Int64.min) AND \(Int64.max) THEN \(text)::bigint END END)"
        }

        /// A number between zero and the smallest one, or beyond the largest one, would be an error.
        static func double(_ text: String) -> String {
            "(CASE WHEN \(text) IN ('NaN', 'Infinity', '-Infinity') THEN \(text)::float8"
                + " WHEN \(matches(text, "-?\(digits)(e[+-]?[0-9]{1,3})?")) THEN"
                + " CASE WHEN \(text)::numeric = 0 OR abs(\(text)::numeric) BETWEEN 4e-324 AND 1.7976931348623157e308"
                + " THEN \(text)::float8 END END)"
        }

        /// `numeric` has no infinity before PostgreSQL 14. A number that no decimal reaches takes its place.
        static func decimal(_ text: String) -> String {
            "(CASE \(text) WHEN 'NaN' THEN 'NaN'::numeric WHEN 'Infinity' THEN '\(infinity)'::numeric"
                + " WHEN '-Infinity' THEN '-\(infinity)'::numeric ELSE"
                + " CASE WHEN \(matches(text, "[+-]?\(digits)(E[+-]?[0-9]{1,4})?")) THEN \(text)::numeric END END)"
        }

        private static let infinity = "1e7000"

        /// The text of a constant for comparisons with `decimal`.
        static func text(_ value: DecimalBits) -> String {
            value.isInfinite ? (value.isNegative ? "-" : "") + infinity : value.description
        }

        static func bytes(_ base64: String) -> String {
            "(CASE WHEN \(matches(base64, "[A-Za-z0-9+/]*={0,2}")) THEN"
                + " CASE WHEN length(\(base64)) % 4 = 0 THEN decode(\(base64), 'base64') END END)"
        }

        static func uuid(_ base64: String) -> String {
            "(CASE WHEN \(matches(base64, "[A-Za-z0-9+/]{22}==")) THEN decode(\(base64), 'base64') END)"
        }

        static func objectId(_ text: String) -> String {
            "(CASE WHEN \(matches(text, "[0-9a-f]{24}")) THEN \(text) END COLLATE \"C\")"
        }
    }
#endif

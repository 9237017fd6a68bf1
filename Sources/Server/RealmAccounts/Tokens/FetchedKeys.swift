// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    /// The keys of a token issuer, as returned by `AppHooks.fetchKeys`.
    public struct FetchedKeys: Sendable, Hashable, ExpressibleByStringLiteral {
        /// A set of keys (JWKS), as JSON.
        public var text: String
        /// The lifetime of the keys in seconds; nil for an hour. It is limited to the range from a minute to a day.
        public var lifetime: Int64?

        /// Creates keys with a lifetime.
        public init(_ text: String, lifetime: Int64? = nil) { (self.text, self.lifetime) = (text, lifetime) }

        /// Creates keys with a lifetime of an hour.
        public init(stringLiteral text: String) { self.init(text) }
    }
#endif

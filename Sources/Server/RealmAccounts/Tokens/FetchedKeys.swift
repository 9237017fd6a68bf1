// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    /// The keys of an issuer of tokens, as `AppHooks.fetchKeys` has got them.
    public struct FetchedKeys: Sendable, Hashable, ExpressibleByStringLiteral {
        /// A set of keys (JWKS), as JSON.
        public var text: String
        /// The seconds for which they may be used without asking again; nil for an hour. It counts as a minute at least
        /// and a day at most.
        public var lifetime: Int64?

        /// Keys, and how long they may be used.
        public init(_ text: String, lifetime: Int64? = nil) { (self.text, self.lifetime) = (text, lifetime) }

        /// Keys to be used for an hour.
        public init(stringLiteral text: String) { self.init(text) }
    }
#endif

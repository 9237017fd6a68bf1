// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    /// The keys of a token issuer, returned by the hook `fetchKeys`.
    public struct FetchedKeys: Sendable, Hashable, ExpressibleByStringLiteral {
        /// A JSON Web Key Set.
        public var text: String
        /// The time after which the keys are fetched again, in whole seconds. It's clamped to the range from a minute
        /// to a day; `nil` is an hour.
        public var lifetime: Duration?

        /// Creates keys with a lifetime.
        public init(_ text: String, lifetime: Duration? = nil) { (self.text, self.lifetime) = (text, lifetime) }

        /// Creates keys with a lifetime of an hour.
        public init(stringLiteral text: String) { self.init(text) }
    }
#endif

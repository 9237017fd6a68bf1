// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

extension URL {
    /// Writes and reads addresses as fields show them.
    public struct FormatStyle: ParseableFormatStyle, Hashable, Sendable {
        /// Reads what `URL(string:)` accepts and what has no space in it and something before its scheme's colon.
        public struct Strategy: ParseStrategy, Hashable, Sendable {
            /// Reads an address.
            public func parse(_ value: String) throws -> URL {
                let isUsable = !value.contains(" ") && !value.hasPrefix(":") && !value.hasPrefix("/")
                guard isUsable, let url = URL(string: value) else {
                    throw CocoaError(
                        .formatting,
                        userInfo: [
                            NSLocalizedDescriptionKey: "“\(value)” is not an address of the web; check its letters."
                        ])
                }
                return url
            }
        }

        /// Makes the style.
        public init() {}
        /// What reads.
        public var parseStrategy: Strategy { Strategy() }
        /// Writes an address.
        public func format(_ value: URL) -> String { value.absoluteString }
    }
}

extension FormatStyle where Self == URL.FormatStyle {
    /// Writes and reads addresses.
    public static var url: URL.FormatStyle { URL.FormatStyle() }
}

extension ParseableFormatStyle where Self == URL.FormatStyle {
    /// Writes and reads addresses.
    public static var url: URL.FormatStyle { URL.FormatStyle() }
}

// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

extension URL {
    /// A format style that formats URLs for fields and parses the user's input.
    public struct FormatStyle: ParseableFormatStyle, Hashable, Sendable {
        /// A parse strategy that accepts the strings that `URL(string:)` accepts, except strings that contain a space
        /// or start with a colon or slash.
        public struct Strategy: ParseStrategy, Hashable, Sendable {
            /// Returns the URL of a string.
            ///
            /// - Throws: `CocoaError` if the strategy doesn't accept the string.
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

        /// Creates a format style.
        public init() {}
        /// The strategy that parses the user's input.
        public var parseStrategy: Strategy { Strategy() }
        /// Returns the absolute string of a URL.
        public func format(_ value: URL) -> String { value.absoluteString }
    }
}

extension FormatStyle where Self == URL.FormatStyle {
    /// The format style of URLs.
    public static var url: URL.FormatStyle { URL.FormatStyle() }
}

extension ParseableFormatStyle where Self == URL.FormatStyle {
    /// The format style of URLs.
    public static var url: URL.FormatStyle { URL.FormatStyle() }
}

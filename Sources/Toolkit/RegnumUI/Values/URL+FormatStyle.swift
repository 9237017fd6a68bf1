// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

extension URL {
    /// A format style that formats and parses URLs as shown in fields.
    public struct FormatStyle: ParseableFormatStyle, Hashable, Sendable {
        /// A parse strategy that accepts the same strings as `URL(string:)`, except those that contain spaces or lack a
        /// scheme.
        public struct Strategy: ParseStrategy, Hashable, Sendable {
            /// Parses a URL.
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
        /// The parse strategy.
        public var parseStrategy: Strategy { Strategy() }
        /// Formats a URL.
        public func format(_ value: URL) -> String { value.absoluteString }
    }
}

extension FormatStyle where Self == URL.FormatStyle {
    /// A format style for URLs.
    public static var url: URL.FormatStyle { URL.FormatStyle() }
}

extension ParseableFormatStyle where Self == URL.FormatStyle {
    /// A format style for URLs.
    public static var url: URL.FormatStyle { URL.FormatStyle() }
}

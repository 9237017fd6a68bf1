// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server || Browser
    package struct HTTPRequest: Sendable {
        package var method: String
        /// Percent-encoded, without the query.
        package var path: String
        /// Percent-encoded, without the question mark.
        package var query: String
        package var headers: [(name: String, value: String)]
        package var body: [UInt8]
        /// The IP address of the client, without the port: the unit of rate limits.
        package var peer: String
        package var port: Int
        package var isEncrypted: Bool

        package init(
            method: String, path: String, query: String = "", headers: [(name: String, value: String)] = [],
            body: [UInt8] = [], peer: String, port: Int = 0, isEncrypted: Bool = false
        ) {
            (self.method, self.path, self.query, self.headers) = (method, path, query, headers)
            (self.body, self.peer, self.port, self.isEncrypted) = (body, peer, port, isEncrypted)
        }

        /// `name` is in lowercase.
        package func values(_ name: String) -> [String] {
            headers.lazy.filter { $0.name.lowercased() == name }.map(\.value)
        }

        /// `name` is in lowercase. Returns `nil` if the header is missing or repeated.
        package func onlyValue(_ name: String) -> String? {
            let values = values(name)
            return values.count == 1 ? values[0] : nil
        }

        /// `name` is in lowercase. The values are comma-separated lists.
        package func elements(_ name: String) -> [Substring] {
            values(name).flatMap { $0.split(separator: ",") }.map(trimmed)
        }

        /// The first of multiple items with a name counts; malformed items are omitted.
        package var queryItems: [String: String] {
            let pairs = query.split(separator: "&").compactMap { item -> (String, String)? in
                let sides = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                guard let name = percentDecoded(sides[0]), let value = percentDecoded(sides.count > 1 ? sides[1] : "")
                else { return nil }
                return (name, value)
            }
            return Dictionary(pairs) { first, _ in first }
        }
    }

    package func trimmed(_ text: Substring) -> Substring {
        var text = text.drop { $0 == " " || $0 == "\t" }
        while let last = text.last, last == " " || last == "\t" { text.removeLast() }
        return text
    }

    /// Returns `nil` if a percent escape is malformed or the decoded bytes aren't UTF-8.
    package func percentDecoded(_ text: some StringProtocol) -> String? {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard rest.count >= 2, let decoded = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16),
                rest.first != UInt8(ascii: "+"), rest.first != UInt8(ascii: "-")
            else { return nil }
            bytes.append(decoded)
            rest = rest.dropFirst(2)
        }
        let decoded = String(decoding: bytes, as: UTF8.self)
        return decoded.utf8.elementsEqual(bytes) ? decoded : nil
    }
#endif

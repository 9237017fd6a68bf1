// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    /// The HTTP request with which a client connects or calls the server. Rules can depend on it.
    package struct ClientRequest: Sendable, Hashable {
        package struct Header: Sendable, Hashable {
            /// In lowercase.
            package let name: String
            package let value: String
        }

        /// The IP address of the client, which trusted proxies report.
        package let address: String
        /// In the order of the request, without credentials and the headers of the connection itself. At most
        /// `maximumSize`, because sessions keep them.
        package let headers: [Header]

        /// In bytes.
        private static let maximumSize = 8 << 10

        package init(address: String, headers: [(name: String, value: String)]) {
            self.address = address
            var size = 0
            self.headers = headers.map { Header(name: $0.name.lowercased(), value: $0.value) }.filter { header in
                if ClientRequest.omitted.contains(header.name) || header.name.hasPrefix("sec-") { return false }
                size += header.name.utf8.count + header.value.utf8.count
                return size <= ClientRequest.maximumSize
            }
        }

        private static let omitted = ["authorization", "cookie", "connection", "content-length", "host", "upgrade"]
    }
#endif

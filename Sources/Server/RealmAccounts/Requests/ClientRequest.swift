// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import RealmStorage

    /// The HTTP request with which a client connects or calls the server. Rules can depend on it.
    package struct ClientRequest: Sendable, Equatable {
        package struct Header: Sendable, Equatable {
            /// In lowercase.
            package let name: ByteText
            package let value: ByteText
        }

        /// The IP address of the client, which trusted proxies report.
        package let address: ByteText
        /// In the order of the request, without credentials and the headers of the connection itself. At most
        /// `maximumSize`, because sessions keep them.
        package let headers: [Header]

        /// In bytes.
        private static let maximumSize = 8 << 10

        package init(address: String, headers: [(name: String, value: String)]) {
            self.address = ByteText(address)
            var size = 0
            self.headers = headers.compactMap { header in
                let name = header.name.lowercased()
                if ClientRequest.omitted.contains(name) || name.hasPrefix("sec-") { return nil }
                size += name.utf8.count + header.value.utf8.count
                return size > ClientRequest.maximumSize
                    ? nil : Header(name: ByteText(name), value: ByteText(header.value))
            }
        }

        private static let omitted = ["authorization", "cookie", "connection", "content-length", "host", "upgrade"]
    }
#endif

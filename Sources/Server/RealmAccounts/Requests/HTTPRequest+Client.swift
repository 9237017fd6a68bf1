// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import HTTPServing

    extension HTTPRequest {
        /// Returns the address of the client: that of the peer, or the one that trusted proxies report in
        /// `X-Forwarded-For` or `Forwarded` (RFC 7239).
        ///
        /// Each proxy appends the address of its peer. So the last address that isn't a trusted proxy's counts; the
        /// client may have sent any address before it. A proxy that appends to one header forwards the other one as
        /// sent by the client. If both are present and differ, the address of the proxy itself is returned.
        func client(behind proxies: [AddressRange]) -> String {
            func isProxy(_ address: String) -> Bool { proxies.contains { $0.contains(address) } }
            guard isProxy(peer) else { return peer }
            let reported = [elements("x-forwarded-for"), elements("forwarded").map(HTTPRequest.forwardedFor)]
                .filter { !$0.isEmpty }
            let clients = reported.map { addresses in
                var client = peer
                for text in addresses.reversed() {
                    guard let address = HTTPRequest.address(text) else { break }
                    client = address
                    if !isProxy(address) { break }
                }
                return client
            }
            guard let first = clients.first, clients.allSatisfy({ $0 == first }) else { return peer }
            return first
        }

        /// Returns an empty text if the element doesn't contain `for`.
        private static func forwardedFor(_ element: Substring) -> Substring {
            for pair in element.split(separator: ";") {
                let pair = trimmed(pair)
                if pair.lowercased().hasPrefix("for=") { return pair.dropFirst(4) }
            }
            return ""
        }

        /// The text may contain quotation marks, brackets, and a port.
        private static func address(_ text: Substring) -> String? {
            var text = trimmed(text)
            if text.first == "\"", text.last == "\"", text.count > 1 { text = text.dropFirst().dropLast() }
            if text.first == "[" {
                guard let end = text.firstIndex(of: "]") else { return nil }
                text = text[text.index(after: text.startIndex)..<end]
            } else if text.contains("."), text.count(where: { $0 == ":" }) == 1 {
                text = text.prefix { $0 != ":" }
            }
            let address = text.lowercased()
            return AddressRange.isAddress(address) ? address : nil
        }
    }
#endif

// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import Foundation

    /// A range of IP addresses: one address, or all addresses with a common prefix.
    public struct AddressRange: Sendable, Hashable {
        /// The 16 bytes of an IPv6 address. An IPv4 address is mapped to IPv6 (`::ffff:10.0.0.1`), as in a dual-stack
        /// socket.
        private let bytes: [UInt8]
        private let bitCount: Int

        /// Creates a range from a text such as `10.0.0.1`, `10.0.0.0/8`, or `2001:db8::/32`. Returns `nil` if the text
        /// is malformed.
        public init?(_ text: String) {
            let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
            guard let bytes = AddressRange.bytes(of: parts[0]) else { return nil }
            self.bytes = bytes
            guard parts.count > 1 else {
                bitCount = 128
                return
            }
            let bitsBefore = parts[0].contains(":") ? 0 : 96
            guard let count = AddressRange.number(parts[1]), count <= 128 - bitsBefore else { return nil }
            bitCount = bitsBefore + count
        }

        func contains(_ address: String) -> Bool {
            guard let other = AddressRange.bytes(of: address[...]) else { return false }
            let (whole, rest) = (bitCount / 8, bitCount % 8)
            guard bytes[..<whole] == other[..<whole] else { return false }
            return rest == 0 || (bytes[whole] ^ other[whole]) >> UInt8(8 - rest) == 0
        }

        static func isAddress(_ text: String) -> Bool { bytes(of: text[...]) != nil }

        private static func bytes(of text: Substring) -> [UInt8]? {
            let (isIPv6, address) = (text.contains(":"), String(text.prefix { $0 != "%" }))
            guard !address.utf8.contains(0), isIPv6 || address.utf8.count == text.utf8.count else { return nil }
            var bytes = [UInt8](repeating: 0, count: isIPv6 ? 16 : 4)
            guard inet_pton(isIPv6 ? AF_INET6 : AF_INET, address, &bytes) == 1 else { return nil }
            return isIPv6 ? bytes : [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF] + bytes
        }

        private static func number(_ text: Substring) -> Int? {
            let isDecimal = text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
            return isDecimal && (1...3).contains(text.utf8.count) ? Int(text) : nil
        }
    }
#endif

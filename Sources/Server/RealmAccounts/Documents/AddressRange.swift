// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    /// A range of IP addresses: one address, or all addresses with a common prefix.
    public struct AddressRange: Sendable, Hashable {
        /// The 16 bytes of an IPv6 address. An IPv4 address is mapped to IPv6 (`::ffff:10.0.0.1`), as in a dual-stack
        /// socket.
        private let bytes: [UInt8]
        private let bitCount: Int

        /// Creates a range from a text such as `10.0.0.1`, `10.0.0.0/8` or `2001:db8::/32`; `nil` if the text is
        /// malformed.
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

        /// Whether a text is an address of this range.
        func contains(_ address: String) -> Bool {
            guard let other = AddressRange.bytes(of: address[...]) else { return false }
            let (whole, rest) = (bitCount / 8, bitCount % 8)
            guard bytes[..<whole] == other[..<whole] else { return false }
            return rest == 0 || (bytes[whole] ^ other[whole]) >> UInt8(8 - rest) == 0
        }

        /// Whether a text is an address.
        static func isAddress(_ text: String) -> Bool { bytes(of: text[...]) != nil }

        // MARK: Texts

        private static func bytes(of text: Substring) -> [UInt8]? {
            guard text.utf8.count <= 100 else { return nil }
            guard text.contains(":") else {
                return fourBytes(of: text).map { [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF] + $0 }
            }
            let address = text.prefix { $0 != "%" }
            let halves = address.split(separator: "::", maxSplits: 1, omittingEmptySubsequences: false)
            let parts = halves.enumerated().map { index, half in
                half.isEmpty ? [] : groups(of: half, isEnd: index == halves.count - 1)
            }
            guard let front = parts[0] else { return nil }
            if halves.count == 1 { return front.count == 16 ? front : nil }
            guard let back = parts[1], front.count + back.count <= 14 else { return nil }
            return front + [UInt8](repeating: 0, count: 16 - front.count - back.count) + back
        }

        /// Returns the bytes of groups separated by colons. The last group of an address may be an IPv4 address.
        private static func groups(of text: Substring, isEnd: Bool) -> [UInt8]? {
            var bytes: [UInt8] = []
            let groups = text.split(separator: ":", omittingEmptySubsequences: false)
            for (index, group) in groups.enumerated() {
                if isEnd, index == groups.count - 1, let last = fourBytes(of: group) {
                    bytes += last
                } else if (1...4).contains(group.utf8.count), group.utf8.allSatisfy(isHexadecimalDigit),
                    let value = UInt16(group, radix: 16)
                {
                    bytes += [UInt8(value >> 8), UInt8(truncatingIfNeeded: value)]
                } else {
                    return nil
                }
            }
            return bytes
        }

        private static func fourBytes(of text: Substring) -> [UInt8]? {
            let parts = text.split(separator: ".", omittingEmptySubsequences: false)
            guard parts.count == 4 else { return nil }
            var bytes: [UInt8] = []
            for part in parts {
                guard let number = number(part), let byte = UInt8(exactly: number) else { return nil }
                bytes.append(byte)
            }
            return bytes
        }

        /// Parses a number of one to three digits.
        private static func number(_ text: Substring) -> Int? {
            let isDecimal = text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
            return isDecimal && (1...3).contains(text.utf8.count) ? Int(text) : nil
        }

        private static func isHexadecimalDigit(_ byte: UInt8) -> Bool {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
                UInt8(ascii: "A")...UInt8(ascii: "F"):
                true
            default: false
            }
        }
    }
#endif

// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

extension String {
    /// Creates a string from UTF-8; `nil` if the bytes are malformed.
    ///
    /// `String(validating:as:)` needs macOS 15 and iOS 18. A repaired string always differs from its bytes, because the
    /// replacement character has an encoding that is well-formed.
    package init?(validatedUTF8 bytes: some Collection<UInt8>) {
        self.init(decoding: bytes, as: UTF8.self)
        guard utf8.elementsEqual(bytes) else { return nil }
    }
}

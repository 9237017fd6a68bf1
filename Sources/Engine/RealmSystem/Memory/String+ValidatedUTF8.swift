// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

extension String {
    /// Returns nil if the bytes aren't valid UTF-8.
    ///
    /// `String(validating:as:)` needs macOS 15 and iOS 18. A repaired string always differs from its bytes, because the
    /// replacement character has a well-formed encoding.
    package init?(validatedUTF8 bytes: some Collection<UInt8>) {
        self.init(decoding: bytes, as: UTF8.self)
        guard utf8.elementsEqual(bytes) else { return nil }
    }
}

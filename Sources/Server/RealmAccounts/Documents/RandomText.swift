// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import Crypto
    import RealmStorage
    import RealmSyncCore

    enum RandomText {
        /// 256 bits, in base64url.
        static func secret() -> String {
            Base64.text(bytes(32)).replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
        }

        /// In the form of an ObjectId: the seconds of its creation and 64 random bits.
        static func identity(at second: Int64) -> String {
            let time = UInt32(truncatingIfNeeded: second)
            return Hexadecimal.text((0..<4).map { UInt8(truncatingIfNeeded: time >> (24 - 8 * $0)) } + bytes(8))
        }

        static func bytes(_ count: Int) -> [UInt8] {
            var generator = SystemRandomNumberGenerator()
            return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
        }

        /// The secret has too many bits for a brute-force search.
        static func digest(_ secret: String) -> String {
            Hexadecimal.text(Array(SHA256.hash(data: Array(secret.utf8))))
        }
    }
#endif

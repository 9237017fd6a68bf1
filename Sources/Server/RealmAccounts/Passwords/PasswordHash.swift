// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import Crypto
    import Foundation
    import HTTPServing
    import RealmStorage
    import RealmSyncCore
    import _CryptoExtras

    /// Encoded as `scrypt$N$r$p$salt$hash`.
    struct PasswordHash: Sendable, Equatable {
        let cost: AccountsConfiguration.PasswordCost
        let salt: [UInt8]
        let hash: [UInt8]

        static let saltByteCount = 16
        static let hashByteCount = 32
        /// In bytes. Protects against damaged or hostile hashes.
        private static let maxMemory = 1 << 30

        /// Needs much time and memory, so call it through `PasswordHasher`.
        init(_ password: String, _ cost: AccountsConfiguration.PasswordCost) throws {
            self.cost = cost
            salt = RandomText.bytes(PasswordHash.saltByteCount)
            hash = try PasswordHash.derive(password, salt, cost)
        }

        /// A hash that no password fits. Its verification costs as much as that of another hash, its creation nothing.
        init(unmatched cost: AccountsConfiguration.PasswordCost) {
            self.cost = cost
            salt = RandomText.bytes(PasswordHash.saltByteCount)
            hash = RandomText.bytes(PasswordHash.hashByteCount)
        }

        init?(_ text: String) {
            let parts = text.split(separator: "$", omittingEmptySubsequences: false)
            guard parts.count == 6, parts[0] == "scrypt", let rounds = Int(parts[1]), let blockSize = Int(parts[2]),
                let parallelism = Int(parts[3]), let salt = Base64.bytes(parts[4]), let hash = Base64.bytes(parts[5]),
                rounds > 1, rounds & (rounds - 1) == 0, (1...64).contains(blockSize), (1...64).contains(parallelism),
                rounds <= PasswordHash.maxMemory / 128 / blockSize, hash.count == PasswordHash.hashByteCount
            else { return nil }
            var cost = AccountsConfiguration.PasswordCost()
            (cost.rounds, cost.blockSize, cost.parallelism) = (rounds, blockSize, parallelism)
            (self.cost, self.salt, self.hash) = (cost, salt, hash)
        }

        var text: String {
            "scrypt$\(cost.rounds)$\(cost.blockSize)$\(cost.parallelism)$\(Base64.text(salt))$\(Base64.text(hash))"
        }

        func fits(_ password: String) throws -> Bool {
            isSameSecret(try PasswordHash.derive(password, salt, cost), hash)
        }

        func costs(_ other: AccountsConfiguration.PasswordCost) -> Bool {
            (cost.rounds, cost.blockSize, cost.parallelism) == (other.rounds, other.blockSize, other.parallelism)
        }

        private static func derive(
            _ password: String, _ salt: [UInt8], _ cost: AccountsConfiguration.PasswordCost
        ) throws -> [UInt8] {
            // Keyboards compose letters differently.
            let bytes = Array(password.precomposedStringWithCanonicalMapping.utf8)
            let key = try KDF.Scrypt.deriveKey(
                from: bytes, salt: salt, outputByteCount: hashByteCount, rounds: cost.rounds, blockSize: cost.blockSize,
                parallelism: cost.parallelism)
            return key.withUnsafeBytes { Array($0) }
        }
    }
#endif

// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import RealmStorage
    import RealmSystem

    /// Each bucket allows a burst of requests, and then a number of requests per minute. Guarded by its lock.
    final class TokenBuckets: @unchecked Sendable {
        private let lock = Lock()
        private let limit: AccountsConfiguration.RateLimits.Limit
        private var buckets: [ByteText: Bucket] = [:]
        /// The number of buckets at which full ones are removed.
        private var roomUntilCleaning = TokenBuckets.fewest
        private static let fewest = 10_000
        private static let most = 100_000

        private struct Bucket {
            var tokens: Double
            var filled: Int64
        }

        init(_ limit: AccountsConfiguration.RateLimits.Limit) { self.limit = limit }

        var count: Int { lock.locked { buckets.count } }

        /// Returns the number of seconds to wait if the bucket is empty.
        func take(_ name: String, at milliseconds: Int64) -> Int? {
            let name = ByteText(name)
            return lock.locked {
                var bucket = buckets[name] ?? Bucket(tokens: Double(limit.burst), filled: milliseconds)
                fill(&bucket, at: milliseconds)
                guard bucket.tokens >= 1 else {
                    buckets[name] = bucket
                    return secondsUntilToken(bucket)
                }
                bucket.tokens -= 1
                buckets[name] = bucket
                if buckets.count > roomUntilCleaning { clean(at: milliseconds) }
                return nil
            }
        }

        private func fill(_ bucket: inout Bucket, at milliseconds: Int64) {
            // A clock that was set back doesn't add tokens.
            let elapsed = max(0, milliseconds - bucket.filled)
            bucket.tokens = min(Double(limit.burst), bucket.tokens + Double(elapsed) * Double(limit.perMinute) / 60_000)
            bucket.filled = milliseconds
        }

        private func secondsUntilToken(_ bucket: Bucket) -> Int {
            guard limit.perMinute > 0 else { return 3600 }
            return max(1, Int(((1 - bucket.tokens) * 60 / Double(limit.perMinute)).rounded(.up)))
        }

        /// Removes full buckets, which are equal to new ones. If too many others remain, removes all.
        private func clean(at milliseconds: Int64) {
            buckets = buckets.filter { _, bucket in
                var bucket = bucket
                fill(&bucket, at: milliseconds)
                return bucket.tokens < Double(limit.burst)
            }
            if buckets.count > TokenBuckets.most { buckets.removeAll() }
            roomUntilCleaning = max(TokenBuckets.fewest, buckets.count * 2)
        }
    }

    struct RateLimiter: Sendable {
        private let requests: TokenBuckets
        private let credentials: TokenBuckets
        private let accounts: TokenBuckets
        private let clock: AccountClock

        init(_ limits: AccountsConfiguration.RateLimits, _ clock: AccountClock) {
            requests = TokenBuckets(limits.requests)
            credentials = TokenBuckets(limits.credentials)
            accounts = TokenBuckets(limits.account)
            self.clock = clock
        }

        func admitRequest(of peer: String) throws(ServiceError) { try take(requests, PeerAddress.unit(of: peer)) }

        func admitCredentials(of peer: String) throws(ServiceError) {
            try take(credentials, PeerAddress.unit(of: peer))
        }

        func admitAccount(_ name: LoginName) throws(ServiceError) { try take(accounts, name.text) }

        private func take(_ buckets: TokenBuckets, _ name: String) throws(ServiceError) {
            if let seconds = buckets.take(name, at: clock.milliseconds()) { throw .tooManyRequests(after: seconds) }
        }
    }
#endif

// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

package enum DescriptorLimit {
    /// Raises the limit to `count`, or as far as the system allows. Returns the resulting limit.
    package static func raise(to count: Int) -> Int {
        guard var limit = current else { return count }
        let wanted = rlim_t(max(0, count))
        if limit.rlim_cur < wanted {
            let before = limit.rlim_cur
            limit.rlim_cur = min(wanted, limit.rlim_max)
            if !set(limit) { limit.rlim_cur = before }
        }
        return Int(clamping: limit.rlim_cur)
    }

    #if canImport(Glibc)
        private static let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    #else
        private static let resource = RLIMIT_NOFILE
    #endif

    private static var current: rlimit? {
        var limit = rlimit()
        return unsafe getrlimit(resource, &limit) == 0 ? limit : nil
    }

    private static func set(_ limit: rlimit) -> Bool {
        var limit = limit
        #if canImport(Darwin)
            // The system's own limit applies even if the hard limit is infinite.
            limit.rlim_cur = min(limit.rlim_cur, rlim_t(OPEN_MAX))
        #endif
        return unsafe setrlimit(resource, &limit) == 0
    }
}

// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// The maximum size of a file that this process may write.
///
/// A write that exceeds it would end the process by the signal SIGXFSZ, unless the program handles it. A library must
/// not change the program's signals, so it checks the limit before each write; the limit may change.
enum SizeLimit {
    static func verify(_ size: Int, path: String) throws {
        var limit = rlimit()
        #if canImport(Glibc)
            let result = unsafe getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
        #else
            let result = unsafe getrlimit(RLIMIT_FSIZE, &limit)
        #endif
        guard result == 0, limit.rlim_cur < UInt64(Int.max), size > Int(limit.rlim_cur) else { return }
        throw SystemError("write", path: path, number: EFBIG)
    }
}

// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// A queue in which the kernel reports writes to any number of files: inotify, or kqueue on Apple platforms.
///
/// The descriptor is immutable, and the kernel guards the queue.
struct FileEvents: Sendable {
    private let queue: Int32

    #if canImport(Darwin)
        init() throws {
            queue = kqueue()
            guard queue != -1 else { throw SystemError.last("kqueue", path: "") }
        }

        func watch(_ path: String) throws -> Int32 {
            // The kernel watches open files only.
            let file = unsafe Darwin.open(path, O_EVTONLY | O_CLOEXEC)
            guard file != -1 else { throw SystemError.last("open", path: path) }
            var change = unsafe kevent(
                ident: UInt(file), filter: Int16(EVFILT_VNODE), flags: UInt16(EV_ADD | EV_CLEAR),
                fflags: UInt32(NOTE_WRITE | NOTE_EXTEND), data: 0, udata: nil)
            guard unsafe kevent(queue, &change, 1, nil, 0, nil) != -1 else {
                let error = SystemError.last("kevent", path: path)
                Darwin.close(file)
                throw error
            }
            return file
        }

        func unwatch(_ number: Int32) { Darwin.close(number) }

        /// Waits for writes. Returns the numbers of the files; nil if the queue has failed.
        func next() -> [Int32]? {
            var found = unsafe (0..<16).map { _ in unsafe kevent() }
            let count = retrying { Int(unsafe kevent(queue, nil, 0, &found, Int32(found.count), nil)) }
            return count < 0 ? nil : unsafe found.prefix(count).map { unsafe Int32(truncatingIfNeeded: $0.ident) }
        }
    #else
        init() throws {
            queue = inotify_init1(Int32(IN_CLOEXEC))
            guard queue != -1 else { throw SystemError.last("inotify_init1", path: "") }
        }

        /// Watches the file at `path`, even under a later name. Returns the number of its reports: the existing one if
        /// the file is already watched.
        func watch(_ path: String) throws -> Int32 {
            let number = unsafe inotify_add_watch(queue, path, UInt32(IN_MODIFY))
            guard number != -1 else { throw SystemError.last("inotify_add_watch", path: path) }
            return number
        }

        func unwatch(_ number: Int32) { inotify_rm_watch(queue, number) }

        /// Waits for writes. Returns the numbers of the files, -1 if reports were lost; nil if the queue has failed.
        func next() -> [Int32]? {
            var buffer = [UInt8](repeating: 0, count: 4096)
            let count = retrying { unsafe read(queue, &buffer, buffer.count) }
            guard count > 0 else { return nil }
            // An event has the file's number, 8 bytes that are irrelevant here, the length of a name, and the name.
            func number(_ offset: Int) -> UInt32 { (0..<4).reduce(0) { $0 | UInt32(buffer[offset + $1]) << (8 * $1) } }
            var numbers: [Int32] = []
            var offset = 0
            while offset + 16 <= count {
                numbers.append(Int32(bitPattern: number(offset)))
                offset += 16 + Int(number(offset + 12))
            }
            return numbers
        }
    #endif

    /// - Precondition: No thread of this process waits for the queue.
    func close() {
        #if canImport(Darwin)
            Darwin.close(queue)
        #elseif canImport(Musl)
            Musl.close(queue)
        #else
            Glibc.close(queue)
        #endif
    }
}

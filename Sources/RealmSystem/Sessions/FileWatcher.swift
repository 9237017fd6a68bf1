// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Waits until a file is written to or the watcher is stopped. The descriptors are immutable, hence `Sendable`.
final class FileWatcher: Sendable {
    /// Of inotify or kqueue.
    private let events: Int32
    /// Of the watched file, where the kernel wants it open.
    private let file: Int32
    /// A byte comes through this pipe when it is time to stop.
    private let stopReader: Int32
    private let stopWriter: Int32

    /// Watches the file at `path`, whatever name it gets later.
    init(path: String) throws {
        var pipes: [Int32] = [-1, -1]
        guard unsafe pipe(&pipes) == 0 else { throw SystemError.last("pipe", path: path) }
        for end in pipes { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        (stopReader, stopWriter) = (pipes[0], pipes[1])
        do {
            (events, file) = try FileWatcher.watch(path, stop: pipes[0])
        } catch {
            for end in pipes { close(end) }
            throw error
        }
    }

    deinit {
        for descriptor in [events, file, stopReader, stopWriter] where descriptor != -1 { close(descriptor) }
    }

    func stop() {
        var byte: UInt8 = 1
        _ = retrying { unsafe write(stopWriter, &byte, 1) }
    }

    #if canImport(Darwin)
        private static func watch(_ path: String, stop: Int32) throws -> (Int32, Int32) {
            let file = unsafe Darwin.open(path, O_EVTONLY | O_CLOEXEC)
            guard file != -1 else { throw SystemError.last("open", path: path) }
            let queue = kqueue()
            var changes = unsafe [
                kevent(
                    ident: UInt(file), filter: Int16(EVFILT_VNODE), flags: UInt16(EV_ADD | EV_CLEAR),
                    fflags: UInt32(NOTE_WRITE | NOTE_EXTEND), data: 0, udata: nil),
                kevent(
                    ident: UInt(stop), filter: Int16(EVFILT_READ), flags: UInt16(EV_ADD), fflags: 0, data: 0,
                    udata: nil),
            ]
            guard queue != -1, unsafe kevent(queue, &changes, 2, nil, 0, nil) != -1 else {
                let error = SystemError.last("kqueue", path: path)
                close(file)
                if queue != -1 { close(queue) }
                throw error
            }
            return (queue, file)
        }

        /// True if the file was written to, false if it is time to stop.
        func wait() -> Bool {
            var found = unsafe [kevent(), kevent()]
            let count = retrying { Int(unsafe kevent(events, nil, 0, &found, 2, nil)) }
            return unsafe count > 0 && !found.prefix(count).contains { unsafe Int32($0.ident) == stopReader }
        }
    #else
        private static func watch(_ path: String, stop: Int32) throws -> (Int32, Int32) {
            let events = inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK))
            guard events != -1, unsafe inotify_add_watch(events, path, UInt32(IN_MODIFY)) != -1 else {
                let error = SystemError.last("inotify", path: path)
                if events != -1 { close(events) }
                throw error
            }
            return (events, -1)
        }

        /// True if the file was written to, false if it is time to stop.
        func wait() -> Bool {
            var polled = [
                pollfd(fd: stopReader, events: Int16(POLLIN), revents: 0),
                pollfd(fd: events, events: Int16(POLLIN), revents: 0),
            ]
            guard retrying({ Int(unsafe poll(&polled, 2, -1)) }) > 0, polled[0].revents == 0 else { return false }
            // What the events say is known; they only have to be out of the way.
            var buffer = [UInt8](repeating: 0, count: 4096)
            while retrying({ unsafe read(events, &buffer, buffer.count) }) > 0 {}
            return true
        }
    #endif
}

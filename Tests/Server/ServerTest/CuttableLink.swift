// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if PostgreSQL
    import Foundation
    import NIOConcurrencyHelpers
    import RealmTestSupport
    import ServerTestSupport

    /// A TCP proxy in front of a database or a server, which can stop forwarding, like a network that is cut.
    final class CuttableLink: Sendable {
        let port: Int
        private let isCut = NIOLockedValueBox(false)

        /// Can be changed for later connections.
        private let target: NIOLockedValueBox<(host: String, port: Int)>

        init(to port: Int, host: String = "127.0.0.1") throws {
            let target = NIOLockedValueBox((host: host, port: port))
            self.target = target
            self.port = try FreePort.find()
            // A write to a closed connection is an error, and must not end the process.
            signal(SIGPIPE, SIG_IGN)
            let listener = socket(AF_INET, streamSocketType, 0)
            var reuses: Int32 = 1
            setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &reuses, socklen_t(MemoryLayout<Int32>.size))
            guard CuttableLink.withAddress(self.port, { bind(listener, $0, $1) }) == 0, listen(listener, 64) == 0 else {
                throw Failure("the port \(self.port) can't be used")
            }
            Thread.detachNewThread { [isCut] in
                while true {
                    let client = accept(listener, nil, nil)
                    guard client >= 0 else { return }
                    let database = socket(AF_INET, streamSocketType, 0)
                    let (host, port) = target.withLockedValue { $0 }
                    guard CuttableLink.withAddress(port, host: host, { connect(database, $0, $1) }) == 0 else {
                        close(client)
                        close(database)
                        continue
                    }
                    let open = NIOLockedValueBox(2)
                    for (source, sink) in [(client, database), (database, client)] {
                        Thread.detachNewThread {
                            CuttableLink.copy(source, sink, isCut)
                            let isLast = open.withLockedValue { count in
                                count -= 1
                                return count == 0
                            }
                            guard isLast else { return }
                            close(source)
                            close(sink)
                        }
                    }
                }
            }
        }

        func forward(to port: Int) { target.withLockedValue { $0.port = port } }

        func cut(_ isCut: Bool) { self.isCut.withLockedValue { $0 = isCut } }

        private static func copy(_ source: Int32, _ sink: Int32, _ isCut: NIOLockedValueBox<Bool>) {
            var buffer = [UInt8](repeating: 0, count: 1 << 16)
            while true {
                let count = read(source, &buffer, buffer.count)
                while isCut.withLockedValue({ $0 }) { usleep(10_000) }
                var rest = buffer[..<max(0, count)]
                while !rest.isEmpty {
                    let written = rest.withUnsafeBytes { write(sink, $0.baseAddress, $0.count) }
                    guard written > 0 else { break }
                    rest = rest.dropFirst(written)
                }
                guard count > 0, rest.isEmpty else { break }
            }
            // The other direction ends, too.
            shutdown(source, Int32(SHUT_RDWR))
            shutdown(sink, Int32(SHUT_RDWR))
        }

        private static func withAddress(
            _ port: Int, host: String = "127.0.0.1", _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
        ) -> Int32 {
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_addr.s_addr = inet_addr(host)
            address.sin_port = in_port_t(UInt16(port).bigEndian)
            return withUnsafePointer(to: &address) { address in
                address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
                }
            }
        }
    }
#endif

// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import Foundation
    import RealmTestSupport

    package enum FreePort {
        /// Returns a port of the loopback address that nothing listens on.
        package static func find() throws -> Int {
            let listener = socket(AF_INET, streamSocketType, 0)
            defer { close(listener) }
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
            var length = socklen_t(MemoryLayout<sockaddr_in>.size)
            let isBound = withUnsafeMutablePointer(to: &address) { address in
                address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    bind(listener, $0, length) == 0 && getsockname(listener, $0, &length) == 0
                }
            }
            guard isBound else { throw Failure("there is no free port") }
            return Int(UInt16(bigEndian: address.sin_port))
        }
    }
#endif

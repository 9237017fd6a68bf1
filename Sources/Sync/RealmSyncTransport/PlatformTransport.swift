// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSyncCore

/// Returns the transport of this platform, or one that fails if the program was built without one.
///
/// `RealmSwift` calls it by its symbol name and doesn't import this module. Otherwise, code compiled against
/// `RealmSwift` would need all modules of SwiftNIO.
@_silgen_name("regnum_platform_transport")
package func platformTransport() -> any WebSocketTransport {
    #if canImport(Darwin)
        URLSessionWebSocketTransport()
    #elseif Sync
        NIOWebSocketTransport()
    #else
        MissingWebSocketTransport()
    #endif
}

#if !canImport(Darwin) && Sync
    @_silgen_name("regnum_platform_streams")
    package func platformStreams() -> any StreamTransport { NIOStreamTransport() }
#endif

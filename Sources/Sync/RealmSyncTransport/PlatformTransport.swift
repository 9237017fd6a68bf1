// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSyncCore

/// The transport of this platform; one that fails where the program was built without one.
///
/// `RealmSwift` calls it by this name of its symbol and does not import this module: who compiles against `RealmSwift`
/// would have to find all modules of SwiftNIO otherwise.
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

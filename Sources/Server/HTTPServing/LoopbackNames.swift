// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

package enum LoopbackNames {
    /// Whether a server that listens on `host` can be reached only from this machine.
    package static func contains(_ host: String) -> Bool {
        host == "localhost" || host == "::1" || host.hasPrefix("127.")
    }

    /// Whether the `Host` header of a request is a name of this machine, with or without a port. A page of another
    /// origin whose name resolves to this machine sends its own name.
    package static func contains(header: String) -> Bool {
        var name = header[...].lowercased()[...]
        if let colon = name.lastIndex(of: ":"), !name[colon...].contains("]") {
            let port = name[name.index(after: colon)...]
            guard port.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else { return false }
            name = name[..<colon]
        }
        return ["localhost", "127.0.0.1", "[::1]"].contains(String(name))
    }
}

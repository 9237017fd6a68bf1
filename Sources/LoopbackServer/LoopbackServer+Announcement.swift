// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Browser
    import ConnectionGuard
    import Foundation

    /// What a program does with the address of its server.
    extension LoopbackServer {
        /// What a program says that listens on `host`; nil where only this machine reaches it.
        package static func warning(about host: String) -> String? {
            LoopbackNames.contains(host)
                ? nil : "Warning: other machines reach this address, and what goes over the network can be read there."
        }

        /// Opens an address in the browser. Where there is none, the user opens the address that was printed.
        package static func openInBrowser(_ address: String) {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            process.arguments = ["xdg-open", address]
            try? process.run()
        }
    }
#endif

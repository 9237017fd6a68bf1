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

        /// Opens the server's page in the user's browser. Where that fails, the user opens the printed address.
        ///
        /// Every user of the machine can list the arguments of a program, so they hold no key: they name a file that
        /// only this user can read, whose key is good once.
        package func openInBrowser() {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            process.arguments = ["xdg-open", key == nil ? address : (try? ticket.issue(for: self)) ?? place]
            try? process.run()
        }
    }
#endif

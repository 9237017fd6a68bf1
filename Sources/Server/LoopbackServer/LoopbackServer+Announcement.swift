// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Browser
    import Foundation
    import HTTPServing

    /// Announcement of the server's address.
    extension LoopbackServer {
        /// Returns the warning to print if the server listens on `host`; nil if only this machine can reach it.
        package static func warning(about host: String) -> String? {
            LoopbackNames.contains(host)
                ? nil : "Warning: other machines reach this address, and what goes over the network can be read there."
        }

        /// Opens the server's page in the user's browser. If that fails, the user can open the printed address.
        ///
        /// All users of the machine can list the arguments of a program, so they contain no key: they name a file that
        /// only this user can read, whose key can be used once.
        package func openInBrowser() {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            process.arguments = ["xdg-open", key == nil ? address : (try? ticket.issue(for: self)) ?? place]
            try? process.run()
        }
    }
#endif

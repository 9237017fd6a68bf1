// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server || Browser
    import Foundation
    import HTTPServing

    extension LoopbackServer {
        /// `nil` if only this machine can reach the server.
        package static func warning(about host: String) -> String? {
            LoopbackNames.contains(host)
                ? nil : "Warning: other machines reach this address, and what goes over the network can be read there."
        }

        /// If this fails, the user can open the printed address.
        ///
        /// All users of the machine can list the arguments of a process, so the arguments don't contain the key. They
        /// name a file that only this user can read, whose key can be used once.
        package func openInBrowser() {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            process.arguments = ["xdg-open", key == nil ? address : (try? ticket.issue(for: self)) ?? place]
            try? process.run()
        }
    }
#endif

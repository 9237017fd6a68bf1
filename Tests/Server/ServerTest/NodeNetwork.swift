// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if PostgreSQL
    import Foundation
    import RealmTestSupport

    /// A network namespace for each node. Two pairs of virtual Ethernet devices connect it: one to the clients, and
    /// one, which can be cut, to the database.
    ///
    /// A guardian removes the namespaces when this process ends, even if it's killed.
    final class NodeNetwork {
        enum Cut: String, CaseIterable {
            case both = "in both directions"
            case toDatabase = "to the database"
            case fromDatabase = "from the database"
            case slow = "slowed down"
        }

        /// The addresses of all nodes. Each pair of devices has a network of four of them.
        let range: String
        private let prefix: String
        private let guardian = Process()
        private let lifeline = Pipe()

        /// - Throws: `Failure` if the process isn't permitted to create namespaces.
        init(nodes: Int) throws {
            guard geteuid() == 0, (try? FinishedProgram("ip", ["netns"]))?.status == 0 else {
                throw Failure("--namespaces needs root and the command 'ip' (apt-get install iproute2)")
            }
            let number = Int(getpid()) % 0xFFFF
            prefix = "rg\(String(number, radix: 36))"
            range = "10.\(64 + number % 128).\(number / 128 % 256).0/24"
            try startGuardian(nodes)
            do { for node in 0..<nodes { try makeNode(node) } } catch {
                remove()
                throw error
            }
        }

        deinit { remove() }

        private func namespace(_ node: Int) -> String { "\(prefix)n\(node)" }
        private func device(_ node: Int, isDatabase: Bool) -> String { "\(prefix)\(isDatabase ? "d" : "c")\(node)" }

        /// The address of a node, or that of the other end of its pair.
        private func address(_ node: Int, isDatabase: Bool, isNode: Bool) -> String {
            range.replacingOccurrences(of: ".0/24", with: ".\(node * 8 + (isDatabase ? 4 : 0) + (isNode ? 2 : 1))")
        }

        func address(_ node: Int) -> String { address(node, isDatabase: false, isNode: true) }
        func databaseAddress(_ node: Int) -> String { address(node, isDatabase: true, isNode: false) }

        /// The program with its arguments that runs another one in the namespace of a node.
        func command(_ node: Int) -> [String] { ["/usr/bin/env", "ip", "netns", "exec", namespace(node)] }

        // MARK: Namespaces

        private func makeNode(_ node: Int) throws {
            try ip("netns add \(namespace(node))")
            try ip("-n \(namespace(node)) link set lo up")
            for isDatabase in [false, true] {
                let name = device(node, isDatabase: isDatabase)
                try ip("link add \(name) type veth peer name \(name)p netns \(namespace(node))")
                for isNode in [false, true] {
                    let place = isNode ? "-n \(namespace(node)) " : ""
                    let end = isNode ? name + "p" : name
                    let address = address(node, isDatabase: isDatabase, isNode: isNode)
                    try ip("\(place)addr add \(address)/30 dev \(end)")
                    try ip("\(place)link set \(end) up")
                }
            }
        }

        private func ip(_ arguments: String) throws { try run("ip", arguments) }

        private func run(_ program: String, _ arguments: String) throws {
            let finished = try FinishedProgram(
                program, arguments.split(separator: " ").map(String.init), errors: .included)
            guard finished.status == 0 else { throw Failure("\(program) \(arguments): \(finished.output)") }
        }

        private func startGuardian(_ nodes: Int) throws {
            let script = """
                trap '' HUP INT TERM
                cat > /dev/null
                for name in "$@"; do
                    for pid in $(ip netns pids "$name" 2> /dev/null); do kill -KILL "$pid"; done
                    ip netns del "$name"
                done
                """
            guardian.executableURL = URL(fileURLWithPath: "/bin/sh")
            guardian.arguments = ["-c", script, "guardian"] + (0..<nodes).map(namespace)
            guardian.standardInput = lifeline.fileHandleForReading
            guardian.standardOutput = FileHandle.nullDevice
            guardian.standardError = FileHandle.nullDevice
            try guardian.run()
        }

        private func remove() {
            try? lifeline.fileHandleForWriting.close()
            guardian.waitUntilExit()
        }

        // MARK: Cuts

        /// Cuts the connection of a node to its database until `restore`.
        ///
        /// In one direction, frames are sent to an Ethernet address that no device has, so they are lost without an
        /// error.
        func cut(_ node: Int, _ cut: Cut) throws {
            let device = device(node, isDatabase: true)
            let absent = "lladdr 02:00:00:00:00:99 nud permanent"
            switch cut {
            case .both: try ip("link set \(device) down")
            case .toDatabase:
                let database = databaseAddress(node)
                try ip("-n \(namespace(node)) neigh replace \(database) \(absent) dev \(device)p")
            case .fromDatabase:
                let other = address(node, isDatabase: true, isNode: true)
                try ip("neigh replace \(other) \(absent) dev \(device)")
            case .slow:
                do { try run("tc", "qdisc replace dev \(device) root netem delay 150ms 50ms") } catch {
                    // Not every kernel has netem.
                    try run("tc", "qdisc replace dev \(device) root tbf rate 128kbit burst 8kb latency 2s")
                }
            }
        }

        func restore(_ node: Int, _ cut: Cut) throws {
            let device = device(node, isDatabase: true)
            switch cut {
            case .both: try ip("link set \(device) up")
            case .toDatabase: try ip("-n \(namespace(node)) neigh del \(databaseAddress(node)) dev \(device)p")
            case .fromDatabase:
                try ip("neigh del \(address(node, isDatabase: true, isNode: true)) dev \(device)")
            case .slow: try run("tc", "qdisc del dev \(device) root")
            }
        }
    }
#endif

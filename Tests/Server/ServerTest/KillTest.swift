// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import Foundation
    import RealmStorage
    import RealmSyncCore
    import RealmSyncServer
    import RealmTestSupport
    import RealmTools
    import ServerTestSupport

    /// `realm-server` and four clients in processes that are killed repeatedly. In the end all files are equal, no
    /// commit is lost, and every file passes the audits.
    final class KillTest {
        private static let partition = "kill"
        private static let clientCount = 4
        /// The time limit of a client at the end, in seconds.
        private static let patience = 300

        private let seconds: Int
        private let folder: TemporaryFolder
        private let port: Int
        private var random = SeededGenerator(for: "kill")
        private var server: Process?
        private var clients: [Process] = []
        private var tokens: [String] = []
        private var kills = (server: 0, clients: 0)

        init(seconds: Int) throws {
            self.seconds = seconds
            folder = try TemporaryFolder()
            port = try FreePort.find()
        }

        func run() async throws {
            try await startServer()
            for _ in 0..<KillTest.clientCount { tokens.append(try await AccountClient(port: port).logIn()) }
            for number in tokens.indices { clients.append(try startClient(number)) }
            defer { for process in clients + [server].compactMap(\.self) { KillTest.end(process) } }
            let end = ContinuousClock.now + .seconds(seconds)
            while ContinuousClock.now < end {
                try await Task.sleep(for: .milliseconds(Int.random(in: 20...600, using: &random)))
                try await killOne()
            }
            for process in clients { try KillTest.crash(process) }
            try await settle()
            try compare()
        }

        // MARK: Processes

        static func start(_ name: String, _ arguments: [String]) throws -> Process {
            guard let program = BuiltProgram.path(name) else { throw Failure("\(name) was not built") }
            let process = Process()
            process.executableURL = URL(fileURLWithPath: program)
            process.arguments = arguments
            try process.run()
            return process
        }

        static func end(_ process: Process) {
            guard process.isRunning else { return }
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
        }

        private static func crash(_ process: Process) throws {
            guard process.isRunning else {
                throw Failure("a process has ended by itself, with status \(process.terminationStatus)")
            }
            end(process)
        }

        private func killOne() async throws {
            let number = Int.random(in: 0...KillTest.clientCount, using: &random)
            if number < clients.count {
                try KillTest.crash(clients[number])
                clients[number] = try startClient(number)
                kills.clients += 1
            } else if let server {
                try KillTest.crash(server)
                try await startServer()
                kills.server += 1
            }
        }

        private func startServer() async throws {
            server = try KillTest.start(
                "realm-server", ["--data", folder.path + "/data", "--port", "\(port)", "--log-level", "error"])
            guard try await AccountClient(port: port).isServed(while: { server?.isRunning == true }) else {
                throw Failure("the server does not answer")
            }
        }

        private func path(_ number: Int) -> String { "\(folder.path)/client\(number).realm" }
        private func log(_ number: Int) -> String { "\(folder.path)/client\(number).log" }

        private func startClient(_ number: Int, settles: Bool = false) throws -> Process {
            let uri = "/api/client/v2.0/app/app/realm-sync?baas_at=\(tokens[number])"
            return try KillTest.start(
                "regnum-server-test",
                [
                    "client", path(number), log(number), "\(port)", uri, KillTest.partition, "\(random.next() >> 1)",
                    settles ? "\(KillTest.patience)" : "0",
                ])
        }

        // MARK: Final state

        /// Waits until all clients have uploaded their changes, and then downloaded those of the others.
        private func settle() async throws {
            for _ in 0..<2 {
                for number in tokens.indices {
                    let client = try startClient(number, settles: true)
                    client.waitUntilExit()
                    guard client.terminationStatus == 0 else { throw Failure("client \(number) does not settle") }
                }
            }
            guard let server else { return }
            server.terminate()
            server.waitUntilExit()
            guard server.terminationStatus == 0 else {
                throw Failure("the server ends with \(server.terminationStatus)")
            }
        }

        private func compare() throws {
            let export = folder.path + "/server.realm"
            let count = try PartitionExport.write(
                data: .folder(folder.path + "/data"), app: "app", partition: KillTest.partition, to: export)
            try KillTest.tool("check", "--strict", export)
            try KillTest.tool(
                "check", "--strict",
                "\(folder.path)/data/apps/app/partitions/string_\(KillTest.partition)/documents.realm")
            for number in tokens.indices {
                try KillTest.tool("check", "--strict", path(number))
                try PythonChecker.requireClean(path: path(number))
                try KillTest.tool("diff", path(number), export)
            }
            let (made, erased) = try logged()
            let database = try Database.open(export, readOnly: true)
            guard let table = try database.snapshot().table(named: "class_Note") else { throw Failure("no objects") }
            for key in made.subtracting(erased) where try table.object(primaryKey: .int(key)) == nil {
                throw Failure("the object \(key) is lost")
            }
            let bytes = try tokens.indices.map { try Database.open(path($0), readOnly: true).snapshot().version }
            print(
                "\(seconds) s: \(kills.server) kills of the server, \(kills.clients) of clients; \(made.count) objects "
                    + "made, \(erased.count) erased, \(count) in the end; versions of the files: \(bytes). "
                    + "All files are the same and pass the audits; nothing is lost.")
        }

        private static func tool(_ arguments: String...) throws {
            var text = ""
            let status = RealmTool.run(
                arguments, output: { text += String(decoding: $0, as: UTF8.self) }, errors: { text += $0 })
            guard status == 0 else { throw Failure("realm \(arguments.joined(separator: " ")): \(text.prefix(4000))") }
        }

        /// Returns the keys in the logs of the clients, without a line truncated by a kill.
        private func logged() throws -> (made: Set<Int64>, erased: Set<Int64>) {
            var (made, erased) = (Set<Int64>(), Set<Int64>())
            for number in tokens.indices {
                let text = try String(contentsOfFile: log(number), encoding: .utf8)
                for line in text.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
                    guard let key = Int64(line.dropFirst()) else { throw Failure("the log has a line '\(line)'") }
                    if line.hasPrefix("+") { made.insert(key) } else { erased.insert(key) }
                }
            }
            return (made, erased)
        }
    }
#endif

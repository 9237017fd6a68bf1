// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if PostgreSQL
    import Foundation
    import RealmPostgres
    import RealmSystem
    import RealmTestSupport

    /// A private PostgreSQL server in a temporary folder. It stops with this process, even if the process is killed.
    /// Unchecked `Sendable`: `lock` guards the mutable state.
    ///
    /// It isn't synced to the disk, so it survives SIGKILL, but not a power failure.
    package final class PostgresCluster: @unchecked Sendable {
        package let port: Int
        let folder: String
        private let addresses: String
        /// Additional settings, as `name=value`.
        private let settings: [String]
        private let programs: PostgresPrograms
        private let guardian = Process()
        /// The guardian reads its end of file when this process ends.
        private let lifeline = Pipe()
        private let lock = NSLock()
        // Guarded by `lock`.
        private var process: Process?
        private var databaseCount = 0
        private var knownTemplate: Result<String, any Error>?

        /// The reason for which tests are skipped without PostgreSQL.
        package static let absence = "PostgreSQL is absent: apt-get install postgresql"
        package static var isAvailable: Bool { PostgresPrograms.installed != nil }

        /// Reports skipped tests without PostgreSQL.
        package static func isAvailableOrReported() -> Bool {
            if !isAvailable { Skip.report(absence) }
            return isAvailable
        }

        /// The cluster that the tests of a process share. Tests that stop one make their own.
        package static func shared() throws -> PostgresCluster { try sharedCluster.get() }
        private static let sharedCluster = Result { try PostgresCluster() }

        /// - Parameters:
        ///   - network: The addresses, besides the loopback address, that can connect to all of this machine's.
        ///   - archives: Whether the cluster archives its log, for `init(recovering:to:)`.
        package convenience init(network: String? = nil, archives: Bool = false) throws {
            try self.init(network == nil ? "127.0.0.1" : "*") { archives ? PostgresCluster.archiving($0) : [] }
            if archives { try makeArchive() }
            let arguments = ["-D", data, "-U", "regnum", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"]
            try run("initdb", arguments)
            if let network {
                let rules = try String(contentsOfFile: data + "/pg_hba.conf", encoding: .utf8)
                try (rules + "host all all \(network) trust\n").write(
                    toFile: data + "/pg_hba.conf", atomically: false, encoding: .utf8)
            }
            try start()
        }

        /// - Parameter settings: Returns the additional settings of a cluster in a folder.
        init(_ addresses: String, _ settings: (String) -> [String]) throws {
            self.addresses = addresses
            guard let programs = PostgresPrograms.installed else { throw Failure(PostgresCluster.absence) }
            self.programs = programs
            // The path of a socket has at most 107 bytes.
            folder = "/tmp/regnum-pg-\(UUID().uuidString.prefix(13))"
            self.settings = settings(folder)
            port = try FreePort.find()
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
            programs.own(folder)
            try startGuardian()
        }

        deinit { try? lifeline.fileHandleForWriting.close() }

        var data: String { folder + "/data" }

        /// Makes the user of the programs the owner of a file or folder.
        func own(_ path: String) { programs.own(path) }

        /// Runs a program of PostgreSQL to its end.
        func run(_ name: String, _ arguments: [String]) throws {
            let command = programs.command(name, arguments)
            let program = try FinishedProgram(command[0], Array(command.dropFirst()), errors: .included)
            guard program.status == 0 else { throw Failure("\(name): \(program.output)") }
        }

        private func startGuardian() throws {
            let script = """
                trap '' HUP INT TERM
                cat > /dev/null
                pid=$(head -n 1 "$1/data/postmaster.pid" 2> /dev/null) && kill -QUIT "$pid"
                rm -rf "$1"
                """
            guardian.executableURL = URL(fileURLWithPath: "/bin/sh")
            guardian.arguments = ["-c", script, "guardian", folder]
            guardian.standardInput = lifeline.fileHandleForReading
            guardian.standardOutput = FileHandle.nullDevice
            guardian.standardError = FileHandle.nullDevice
            try guardian.run()
        }

        // MARK: The process

        /// Starts the server, and returns when it accepts connections.
        package func start() throws {
            let end = ContinuousClock.now + .seconds(600)
            while true {
                let process = try launch()
                while process.isRunning, ContinuousClock.now < end {
                    if isReady { return }
                    CurrentProcess.pause(microseconds: 20_000)
                }
                // Processes of a killed server still hold its shared memory for a moment.
                guard ContinuousClock.now < end else { throw Failure("PostgreSQL didn't start: \(folder)/log") }
            }
        }

        private func launch() throws -> Process {
            let process = Process()
            let command = programs.command(
                "postgres",
                [
                    "-D", data, "-k", folder, "-h", addresses, "-p", "\(port)", "-c", "fsync=off",
                    "-c", "max_connections=300", "-c", "shared_buffers=64MB", "-c", "log_min_messages=fatal",
                ] + settings.flatMap { ["-c", $0] })
            process.executableURL = URL(fileURLWithPath: command[0])
            process.arguments = Array(command.dropFirst())
            process.currentDirectoryURL = URL(fileURLWithPath: folder)
            process.standardInput = FileHandle.nullDevice
            process.standardOutput = FileHandle.nullDevice
            process.standardError = FileHandle.nullDevice
            try process.run()
            lock.withLock { self.process = process }
            return process
        }

        private var isReady: Bool {
            guard let settings = try? PostgresSettings(url("postgres")) else { return false }
            return (try? PostgresConnection(settings)) != nil
        }

        /// Stops the server in order, which ends its connections.
        package func stop() { end(SIGINT) }

        package func crash() { end(SIGKILL) }

        private func end(_ signal: Int32) {
            guard let process = lock.withLock({ process }), process.isRunning else { return }
            kill(process.processIdentifier, signal)
            process.waitUntilExit()
        }

        /// Suspends or resumes the server's main process, so that no connection can be opened.
        package func pause(_ isPaused: Bool) {
            guard let process = lock.withLock({ process }) else { return }
            kill(process.processIdentifier, isPaused ? SIGSTOP : SIGCONT)
        }

        // MARK: Databases

        /// The address of a database, over the Unix socket or TCP.
        package func url(_ database: String, isLocal: Bool = true) -> String {
            isLocal
                ? "postgresql://regnum@/\(database)?host=\(folder)&port=\(port)"
                : "postgresql://regnum@127.0.0.1:\(port)/\(database)"
        }

        /// Makes an empty database.
        package func makeDatabase() throws -> PostgresDatabase { try makeDatabase(of: "template1") }

        /// Makes a database with the tables of a server, as a copy of a template.
        package func makePreparedDatabase() throws -> PostgresDatabase { try makeDatabase(of: try template.get()) }

        private func makeDatabase(of template: String) throws -> PostgresDatabase {
            let number = lock.withLock {
                databaseCount += 1
                return databaseCount
            }
            let name = "test\(number)"
            try administer("CREATE DATABASE \(name) TEMPLATE \(template)")
            return PostgresDatabase(name: name, cluster: self)
        }

        /// The name of a database with the tables of a server, to which nothing is connected.
        private var template: Result<String, any Error> {
            lock.withLock {
                if let known = knownTemplate { return known }
                let template = Result {
                    try administer("CREATE DATABASE prepared")
                    try PostgresSchema.prepare(try PostgresConnection(try PostgresSettings(url("prepared"))))
                    return "prepared"
                }
                knownTemplate = template
                return template
            }
        }

        /// Makes a database of a dump.
        package func restore(_ dump: String) throws -> PostgresDatabase {
            let database = try makeDatabase()
            try run("pg_restore", ["--exit-on-error", "--dbname=\(database.url)", dump])
            return database
        }

        fileprivate func administer(_ statement: String) throws {
            try PostgresConnection(try PostgresSettings(url("postgres"))).execute(statement)
        }
    }

    /// A database that is removed when this object is deallocated.
    package final class PostgresDatabase: Sendable {
        package let name: String
        package let cluster: PostgresCluster

        fileprivate init(name: String, cluster: PostgresCluster) {
            (self.name, self.cluster) = (name, cluster)
            TestCleanup.keep(self)
        }

        deinit { try? cluster.administer("DROP DATABASE \(name) WITH (FORCE)") }

        package var url: String { cluster.url(name) }

        /// Writes a copy of the database, which servers can use meanwhile, and returns its path.
        package func dump() throws -> String {
            let path = "\(cluster.folder)/\(name).dump"
            try cluster.run("pg_dump", ["--format=custom", "--file=\(path)", url])
            return path
        }

        package func settings() throws -> PostgresSettings { try PostgresSettings(url) }
    }
#endif

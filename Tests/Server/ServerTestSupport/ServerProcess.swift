// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import Foundation
    import RealmTestSupport

    /// A server in a separate process: the program `regnum-server-test`.
    package final class ServerProcess {
        package let port: Int
        package let adminPort: Int
        private let process = Process()
        private let folder: TemporaryFolder

        /// - Parameter network: The command that runs the server in a network of its own, where it listens on all
        ///   addresses.
        /// - Throws: If it doesn't print its port.
        package init(
            folder: TemporaryFolder, expiry: UInt64? = nil, postgres: String? = nil, in network: [String] = []
        ) throws {
            self.folder = folder
            guard let program = BuiltProgram.path("regnum-server-test") else { throw Failure("it was not built") }
            let host = network.isEmpty ? nil : "0.0.0.0"
            let command =
                network + [program, "serve", folder.path]
                + [expiry.map { "\($0)" }, postgres, host].compactMap(\.self)
            process.executableURL = URL(fileURLWithPath: command[0])
            process.arguments = Array(command.dropFirst())
            let output = Pipe()
            process.standardOutput = output
            process.standardError = FileHandle.nullDevice
            try process.run()
            let line = try OutputLines(output.fileHandleForReading).next() ?? ""
            let words = line.split(whereSeparator: \.isWhitespace)
            guard words.count == 3, let port = Int(words[1]), let adminPort = Int(words[2]) else {
                throw Failure("the server did not start: \(line)")
            }
            (self.port, self.adminPort) = (port, adminPort)
        }

        package var isRunning: Bool { process.isRunning }
        package var identifier: Int32 { process.processIdentifier }
        package var residentBytes: Int { Self.residentBytes(of: "\(process.processIdentifier)") }

        /// - Parameter process: A number, or `self`.
        package static func residentBytes(of process: String) -> Int {
            let text = (try? String(contentsOfFile: "/proc/\(process)/statm", encoding: .utf8)) ?? ""
            return (text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) * 4096
        }

        /// Suspends or resumes the process.
        package func pause(_ isPaused: Bool) {
            if process.isRunning { kill(process.processIdentifier, isPaused ? SIGSTOP : SIGCONT) }
        }

        package func crash() {
            guard process.isRunning else { return }
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
        }

        package func terminate() -> Int32 {
            process.terminate()
            process.waitUntilExit()
            return process.terminationStatus
        }
    }
#endif

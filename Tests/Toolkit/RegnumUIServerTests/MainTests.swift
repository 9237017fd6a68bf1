// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import PageTestSupport
import RealmTestSupport
import Testing

/// An app started like a user starts it.
@Suite struct MainTests {
    private static let executable = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
        .appendingPathComponent("RegnumUIPageApp")

    private func start(_ arguments: [String], _ environment: [String: String] = [:]) throws -> (Process, Pipe, Pipe) {
        let process = Process()
        let (output, errors) = (Pipe(), Pipe())
        process.executableURL = Self.executable
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        (process.standardOutput, process.standardError) = (output, errors)
        try process.run()
        return (process, output, errors)
    }

    @Test func itPrintsItsAddressAndEndsOnASignal() async throws {
        try await outside {
            let (process, output, _) = try start(["--port", "0"], ["REGNUM_UI_PORT": "1"])
            defer { process.terminate() }
            let address = try #require(URL(string: try OutputLines(output.fileHandleForReading).next() ?? ""))
            #expect(address.host == "127.0.0.1")
            #expect(address.query?.hasPrefix("key=") == true)
            let client = try RawClient(port: address.port ?? 0)
            let cookie =
                try client.request("/?\(address.query ?? "")").headers["set-cookie"]?.split(separator: ";").first ?? ""
            let page = try client.request("/", ["Cookie": String(cookie)]).text
            #expect(page.contains("It runs"))
            let socket = try RawClient(port: address.port ?? 0)
            _ = try socket.upgrade(["Cookie": String(cookie)])
            let key = page.range(of: #"regnum-page" content=""#).map { page[$0.upperBound...].prefix(32) } ?? ""
            socket.sendText(#"{"t":"hello","v":1,"key":"\#(key)","seen":0}"#)
            var received = ""
            while !received.contains("It runs") { received = try socket.receiveText() }
            process.terminate()
            while !received.contains("bye") { received = try socket.receiveText() }
            #expect(received.contains("stopping"))
            process.waitUntilExit()
            #expect(process.terminationReason == .exit)
            #expect(process.terminationStatus == 0)
        }
    }

    @Test func aPortInUseIsReported() async throws {
        try await outside {
            let (first, output, _) = try start(["--port", "0", "--no-key"])
            defer { first.terminate() }
            let port = URL(string: try OutputLines(output.fileHandleForReading).next() ?? "")?.port ?? 0
            let status = try RawClient(port: port).request("/").status
            #expect(status == 200)
            let (second, _, errors) = try start([], ["REGNUM_UI_PORT": "\(port)"])
            let text = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            second.waitUntilExit()
            #expect(second.terminationStatus == 1)
            #expect(text.contains("cannot be served") && text.contains("--port"))
        }
    }
}

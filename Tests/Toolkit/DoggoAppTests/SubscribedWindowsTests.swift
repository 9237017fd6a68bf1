// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server && Sync
    import Foundation
    import PageTestSupport
    import RealmTestSupport
    import ServerTestSupport
    import TestTraits
    import Testing

    @testable import doggo_app

    private let hasBrowser = Chromium.path != nil

    /// The program `doggo-app` on two devices with subscriptions, each in its own browser window.
    @Suite(.serialized, .timeLimited, .enabled(if: hasBrowser, "Chromium is absent: apt-get install chromium"))
    struct SubscribedWindowsTests {
        /// A process of the app. Its data is in its own folder.
        private final class AppProcess {
            let address: String
            private let folder: TemporaryFolder
            private let process = Process()

            init(_ port: Int) throws {
                folder = try TemporaryFolder()
                guard let program = BuiltProgram.path("doggo-app") else { throw Failure("doggo-app was not built") }
                process.executableURL = URL(fileURLWithPath: program)
                process.arguments = ["--sync", "http://127.0.0.1:\(port)", "--flexible", "--port", "0"]
                process.environment = ProcessInfo.processInfo.environment.merging(
                    ["XDG_DATA_HOME": folder.path]) { _, new in new }
                let output = Pipe()
                process.standardOutput = output
                process.standardError = FileHandle.nullDevice
                try process.run()
                address = try OutputLines(output.fileHandleForReading).next() ?? ""
            }

            func end() {
                process.terminate()
                process.waitUntilExit()
            }
        }

        @Test func aDogOfOneWindowAppearsInTheOther() async throws {
            let server = try await SyncedServer.flexible(Register.appId)
            let apps = [try AppProcess(server.port), try AppProcess(server.port)]
            let browser = try Chromium()
            let (first, second) = (try await browser.open(apps[0].address), try await browser.open(apps[1].address))
            for tab in [first, second] { try await tab.wait(forText: "0 dogs", seconds: 600) }
            try await first.click("[data-testid=addDogButton]")
            for tab in [first, second] { try await tab.wait(forText: "New dog", seconds: 600) }
            try await second.click("a", "New dog")
            try await second.wait(forText: "Owners")
            try await second.click("input[placeholder='New name']")
            try await second.type(" from here")
            try await first.wait(forText: "New dog from here", seconds: 600)
            for tab in [first, second] { try await tab.close() }
            browser.close()
            for app in apps { app.end() }
            try await server.stop()
        }
    }
#endif

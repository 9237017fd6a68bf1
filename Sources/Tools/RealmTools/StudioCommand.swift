// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import ArgumentParser
import RealmStorage
import RealmSystem

/// `realm studio`
struct StudioCommand: FileCommand {
    static let configuration = CommandConfiguration(
        commandName: "studio",
        abstract: "Shows the file in a browser.",
        discussion: """
            Prints an address with a secret, and serves it until an interrupt (Control-C). The page shows objects, \
            queries, the schema, and where the bytes are; with --write it changes objects. The key of an encrypted \
            file is asked for in the page, and stays in this process.
            """)

    @Argument(help: "The database file; without it the page asks for one.") var path: String?
    @OptionGroup var key: KeyOptions
    @Flag(help: "Let the page change the file.") var write = false
    @Option(
        help: .init(
            "The address to listen on. Another than 127.0.0.1 lets other machines in, without encryption.",
            valueName: "address"))
    var host = "127.0.0.1"
    @Option(help: .init("The port; without it, a free one.", valueName: "number")) var port: Int?
    @Flag(help: "Open the address in the browser.") var open = false
    @Flag(help: "Print the address as JSON.") var json = false

    var file: String { path ?? "studio" }

    func validate() throws {
        if let port, !(0...65_535 ~= port) { throw ValidationError("--port must be a number up to 65535.") }
    }

    func execute(output: TextOutput) throws -> Int32 {
        guard let studio = RealmTool.studio else { throw MissingTraitError() }
        let options = StudioOptions(
            path: path, cipher: try key.cipher(), canWrite: write, host: host, port: port ?? 0, opensBrowser: open,
            printsJSON: json)
        return try studio(options, output)
    }
}

/// The options of `realm studio`.
package struct StudioOptions: Sendable {
    /// nil if the user enters it in the page.
    package var path: String?
    package var cipher: (any PageCipher)?
    package var canWrite = false
    package var host = "127.0.0.1"
    /// 0 for any free port.
    package var port = 0
    package var opensBrowser = false
    package var printsJSON = false

    package init(
        path: String?, cipher: (any PageCipher)? = nil, canWrite: Bool = false, host: String = "127.0.0.1",
        port: Int = 0, opensBrowser: Bool = false, printsJSON: Bool = false
    ) {
        (self.path, self.cipher, self.canWrite) = (path, cipher, canWrite)
        (self.host, self.port, self.opensBrowser, self.printsJSON) = (host, port, opensBrowser, printsJSON)
    }
}

/// The tool was built without the page server.
private struct MissingTraitError: Error, CustomStringConvertible {
    var description: String { "this tool was built without the trait 'Browser' of Regnum, which brings 'realm studio'" }
}

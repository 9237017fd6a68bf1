// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import ArgumentParser
import RealmStorage
import RealmSystem

struct StudioCommand: FileCommand {
    static let configuration = CommandConfiguration(
        commandName: "studio",
        abstract: "Shows the file in a browser.",
        discussion: """
            Prints a secret address and serves it until an interrupt (Control-C). The page shows objects, queries, the \
            schema, and the use of the file's bytes; with --write it can change objects. Enter the key of an encrypted \
            file in the page; the key stays in this process.
            """)

    @Argument(help: "The database file. Without it, choose a file in the page.") var path: String?
    @OptionGroup var key: KeyOptions
    @Flag(help: "Allow the page to change the file.") var write = false
    @Option(
        help: .init(
            "The address to listen on. Any address except 127.0.0.1 allows unencrypted access from other machines.",
            valueName: "address"))
    var host = "127.0.0.1"
    @Option(help: .init("The port. Without it, a free port is used.", valueName: "number")) var port: Int?
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

private struct MissingTraitError: Error, CustomStringConvertible {
    var description: String {
        "this tool was built without the trait 'Browser' of Regnum, which provides 'realm studio'"
    }
}

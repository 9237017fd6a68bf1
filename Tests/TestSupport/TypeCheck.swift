// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation

/// Type-checks code that uses the library.
public struct TypeCheck {
    private let compiler: URL
    private let arguments: [String]

    /// Returns nil if there is no compiler or no build folder with the modules, which is reported.
    public init?() {
        let names = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        let compilers = names.map { URL(fileURLWithPath: String($0)).appendingPathComponent("swiftc") }
        guard let compiler = compilers.first(where: { FileManager.default.isExecutableFile(atPath: $0.path) }),
            let products = Self.products()
        else {
            Skip.report("no compiler or no modules to check code against")
            return nil
        }
        self.compiler = compiler
        let folders = [products.appendingPathComponent("Modules")] + Self.moduleMaps(of: products)
        arguments = ["-typecheck", "-swift-version", "6"] + folders.flatMap { ["-I", $0.path] }
    }

    /// The folder of the test binary, which contains the modules.
    private static func products() -> URL? {
        var folder = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
        while folder.path.count > 1 {
            folder.deleteLastPathComponent()
            let module = folder.appendingPathComponent("Modules/RealmSwift.swiftmodule")
            if FileManager.default.fileExists(atPath: module.path) { return folder }
        }
        return nil
    }

    /// The folders of the module maps of the C modules that ours import: in this package, and in its dependencies.
    private static func moduleMaps(of products: URL) -> [URL] {
        func contents(_ folder: URL) -> [URL] {
            (try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)) ?? []
        }
        let build = products.deletingLastPathComponent().deletingLastPathComponent()
        let package = (0..<3).reduce(URL(fileURLWithPath: #filePath)) { url, _ in url.deletingLastPathComponent() }
        let packages = [package] + contents(build.appendingPathComponent("checkouts"))
        let folders =
            packages.flatMap { contents($0.appendingPathComponent("Sources")) }
            .flatMap { [$0] + contents($0) }
            .flatMap { [$0, $0.appendingPathComponent("include")] }
        // The build has created the missing maps.
        return (folders + contents(products))
            .filter { FileManager.default.fileExists(atPath: $0.appendingPathComponent("module.modulemap").path) }
    }

    /// The compiler's output for `code`. Empty if it compiles.
    public func complaints(about code: String) throws -> String {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("regnum-\(UUID()).swift")
        try code.write(to: file, atomically: true, encoding: .utf8)
        defer { try? FileManager.default.removeItem(at: file) }
        return try FinishedProgram(compiler.path, arguments + [file.path], errors: .included).output
    }
}

// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import ArgumentParser
import Foundation
import RealmStorage
import RealmSystem
import RealmValues

/// The command-line tool `realm` as a function from arguments to text and an exit status.
public enum RealmTool {
    /// Equals the newest version of CHANGELOG.md; `Scripts/release` tags it.
    static let version = "0.1.0"

    /// Serves the page of `realm studio` until the process is terminated, and returns the exit status.
    package typealias Studio = @Sendable (StudioOptions, TextOutput) throws -> Int32

    /// Nil if the tool is built without the trait `Browser`.
    ///
    /// Set once, by the program's only thread before it runs a command, and never changed afterwards.
    nonisolated(unsafe) private(set) static var studio: Studio?

    /// Runs the tool with the arguments, standard output and standard error of the process. Ends the process with the
    /// exit status.
    public static func main() -> Never { exit(run(Array(CommandLine.arguments.dropFirst()))) }

    /// Runs the tool as a program with support for `realm studio`.
    package static func main(studio: @escaping Studio) -> Never {
        self.studio = studio
        main()
    }

    /// Runs the tool with the given arguments on standard output and standard error, and returns its exit status.
    public static func run(_ arguments: [String]) -> Int32 {
        let errors: @Sendable (String) -> Void = { try? FileHandle.standardError.write(contentsOf: Data($0.utf8)) }
        return run(
            arguments, terminal: .ofProcess(message: errors),
            output: { try FileHandle.standardOutput.write(contentsOf: Data($0)) }, errors: errors)
    }

    /// Runs the tool without a terminal, and returns its exit status. Errors of the arguments and the file are reported
    /// through `errors`, and never thrown.
    ///
    /// - Parameters:
    ///   - arguments: The command and its arguments, without the name of the program.
    ///   - output: Receives standard output as UTF-8, piece by piece. An error that it throws ends the command.
    ///   - errors: Receives the error messages, each with its line end.
    public static func run(
        _ arguments: [String], output: @escaping ([UInt8]) throws -> Void, errors: @escaping (String) -> Void
    ) -> Int32 {
        run(arguments, terminal: Terminal(), output: output, errors: errors)
    }

    static func run(
        _ arguments: [String], terminal: Terminal, output sink: @escaping ([UInt8]) throws -> Void,
        errors: @escaping (String) -> Void
    ) -> Int32 {
        let output = TextOutput(terminal: terminal, messages: errors) { bytes in
            do { try sink(bytes) } catch { throw OutputError(cause: error) }
        }
        do {
            let command = try parse(arguments)
            return try run(command, output, errors)
        } catch let error as OutputError {
            errors("realm: standard output: \(error.cause)\n")
            return ExitStatus.faults
        } catch {
            return explain(error, output, errors)
        }
    }

    private static func parse(_ arguments: [String]) throws -> any FileCommand {
        var command = try RealmCommand.parseAsRoot(arguments)
        if let command = command as? any FileCommand { return command }
        // `realm help …` throws the requested text.
        if !(command is RealmCommand) { try command.run() }
        throw ValidationError("Missing a command.")
    }

    private static func run(
        _ command: any FileCommand, _ output: TextOutput, _ errors: (String) -> Void
    ) throws -> Int32 {
        do {
            let status = try command.execute(output: output)
            try output.flush()
            return status
        } catch let error as OutputError {
            throw error
        } catch {
            try output.flush()
            errors("realm: " + message(error, about: command.file) + "\n")
            return ExitStatus.faults
        }
    }

    /// Returns `<path>: <error>`, in one line.
    private static func message(_ error: any Error, about path: String) -> String {
        var error = error
        if let system = error as? SystemError { error = StorageError(system) }
        guard let storage = error as? StorageError else { return "\(path): \(error)".printable }
        return storage.at(path: path).description.printable
    }

    private static func explain(_ error: any Error, _ output: TextOutput, _ errors: (String) -> Void) -> Int32 {
        let text = RealmCommand.fullMessage(for: error) + "\n"
        guard RealmCommand.exitCode(for: error) == .success else {
            errors(text)
            return ExitStatus.usage
        }
        do {
            try output.write(text)
            try output.flush()
            return ExitStatus.fine
        } catch {
            return ExitStatus.faults
        }
    }
}

/// The output couldn't be written; this isn't an error of the file.
private struct OutputError: Error {
    let cause: any Error
}

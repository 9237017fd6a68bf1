// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import ArgumentParser
import Foundation
import RealmStorage
import RealmSystem

/// The tool as a function: arguments in, text and an exit status out.
public enum RealmTool {
    static let version = "0.1.0"

    /// Serves the page of `realm studio` until the process is told to end, and returns the exit status.
    package typealias Studio = @Sendable (StudioOptions, TextOutput) throws -> Int32

    /// What serves the page; nil where the tool is built without the trait `Browser`.
    ///
    /// Set once, by the program's only thread before it runs a command, and never changed after that.
    nonisolated(unsafe) private(set) static var studio: Studio?

    /// Runs the tool as a program, on its arguments and its standard output and error, and ends it.
    public static func main() -> Never { exit(run(Array(CommandLine.arguments.dropFirst()))) }

    /// The same with `realm studio`.
    package static func main(studio: @escaping Studio) -> Never {
        self.studio = studio
        main()
    }

    /// Runs the tool on standard output and standard error.
    public static func run(_ arguments: [String]) -> Int32 {
        let errors: @Sendable (String) -> Void = { try? FileHandle.standardError.write(contentsOf: Data($0.utf8)) }
        return run(
            arguments, terminal: .ofProcess(message: errors),
            output: { try FileHandle.standardOutput.write(contentsOf: Data($0)) }, errors: errors)
    }

    /// Runs the tool as where there is no terminal; never throws, never traps, whatever the arguments and the file.
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
        // `realm help …` ends by throwing the text it was asked for.
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

    /// `<path>: <what is wrong>`, in one line.
    private static func message(_ error: any Error, about path: String) -> String {
        var error = error
        if let system = error as? SystemError { error = StorageError(system) }
        guard let storage = error as? StorageError else { return "\(path): \(error)".printable }
        return storage.at(path: path).description.printable
    }

    /// Prints help where it was asked for, and says what is wrong with the arguments otherwise.
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

/// The text could not be written, which says nothing about the file.
private struct OutputError: Error {
    let cause: any Error
}

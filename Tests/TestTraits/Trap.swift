// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Testing

/// Statements that end the process, and the text that they write to standard error.
package struct Trap: Sendable, CustomTestStringConvertible {
    private let text: String
    private let sourceLocation: SourceLocation
    private let body: @Sendable () async throws -> Void

    package init(
        _ text: String, sourceLocation: SourceLocation = #_sourceLocation,
        _ body: @escaping @Sendable () async throws -> Void
    ) {
        self.text = text
        self.sourceLocation = sourceLocation
        self.body = body
    }

    package var testDescription: String { text }

    /// Expects that the statements, run in a process of their own, end it with the text.
    ///
    /// A process can't be given a closure, so it looks the trap up by its place.
    package func expect(in suite: any TrapSuite.Type) async {
        await #expect(processExitsWith: .failure, observing: .errorText) {
            [suite = _mangledTypeName(suite) as String?, sourceLocation = sourceLocation as SourceLocation] in
            let traps = (suite.flatMap(_typeByName) as? any TrapSuite.Type)?.traps ?? []
            try await traps.first { $0.sourceLocation == sourceLocation }?.body()
        }.expectText(text, sourceLocation: sourceLocation)
    }
}

/// A suite of tests with a table of traps, the arguments of one of its tests.
package protocol TrapSuite {
    static var traps: [Trap] { get }
}

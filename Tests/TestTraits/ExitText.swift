// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Testing

extension Array where Element == any PartialKeyPath<ExitTest.Result> & Sendable {
    /// The observed values of an exit test whose error text is compared.
    package static var errorText: Self { [\.standardErrorContent] }
}

extension ExitTest.Result? {
    package var errorText: String { map { String(decoding: $0.standardErrorContent, as: UTF8.self) } ?? "" }

    /// Expects that the process ended with `text` on its standard error.
    package func expectText(_ text: String, sourceLocation: SourceLocation = #_sourceLocation) {
        #expect(errorText.contains(text), "\(errorText)", sourceLocation: sourceLocation)
    }
}

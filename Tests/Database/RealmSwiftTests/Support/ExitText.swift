// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Testing

/// Expects that the process ended with `text` on its standard error.
func expect(
    _ text: String, in result: ExitTest.Result?, sourceLocation: SourceLocation = #_sourceLocation
) {
    let output = result.map { String(decoding: $0.standardErrorContent, as: UTF8.self) } ?? ""
    #expect(output.contains(text), "\(output)", sourceLocation: sourceLocation)
}

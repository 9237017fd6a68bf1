// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// A step of a plan, with the estimated and the actual number of the remaining objects.
package struct PlanStep: Sendable, Equatable, CustomStringConvertible {
    package var text: String
    package var estimated: Int?
    package var actual: Int?
    package var parts: [PlanStep]

    package init(_ text: String, estimated: Double? = nil, actual: Int? = nil, _ parts: [PlanStep] = []) {
        self.text = text
        self.estimated = estimated.map { Int(min($0, 1e15).rounded()) }
        self.actual = actual
        self.parts = parts
    }

    package var description: String { lines.joined(separator: "\n") }

    private var lines: [String] {
        let counts = [estimated.map { "estimated \($0)" }, actual.map { "actual \($0)" }].compactMap { $0 }
        let line = counts.isEmpty ? text : "\(text) (\(counts.joined(separator: ", ")))"
        return [line] + parts.flatMap { $0.lines.map { "  " + $0 } }
    }
}

// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// `property == value` where the value is of the property's own type, so that nothing has to be checked or converted.
///
/// Most questions that an index answers are of this kind. A test for rows is made when somebody has to look at rows.
struct PlainEquality: Sendable {
    let comparison: ValueComparison
    private let path: BoundPath

    /// nil unless `comparison` is one. `path` leads to a column of the object itself.
    init?(_ comparison: ValueComparison, _ path: BoundPath) {
        guard comparison.operation == .equal, comparison.options.isEmpty else { return nil }
        switch (path.path.type, comparison.value) {
        case (.string, .string), (.int, .int): break
        default: return nil
        }
        self.comparison = comparison
        self.path = path
    }

    /// The number of objects of `table` that satisfy it, if an index tells it.
    func count(in table: Table, _ known: KnownLeaves?) throws -> Int? {
        guard let column = path.ownColumn else { return nil }
        return try table.countByIndex(column, equalTo: comparison.value, known)
    }

    var condition: Condition {
        let kind: ValueTest.Kind =
            switch comparison.value {
            case .string(let text): .string(text)
            case .int(let number): .int(number...number)
            default: .never
            }
        return .test(PathTest(path, ValueTest(kind: kind), comparison))
    }
}

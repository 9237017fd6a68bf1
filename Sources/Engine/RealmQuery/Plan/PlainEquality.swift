// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// `property == value` with a value of the property's own type, so that nothing has to be checked or converted.
///
/// Most conditions that an index answers have this form. A test for rows is created when rows have to be tested.
struct PlainEquality: Sendable {
    let comparison: Comparison
    private let path: BoundPath

    /// `comparison` must be suitable: `path` leads to a column of the object itself.
    init(_ comparison: Comparison, _ path: consuming BoundPath) {
        self.comparison = comparison
        self.path = path
    }

    /// Whether `comparison` has this form.
    static func suits(_ comparison: Comparison, _ path: BoundPath) -> Bool {
        comparison.operation == .equal && comparison.options.isEmpty
            && PlainEquality.kind(of: path, comparison.value) != nil
    }

    /// The number of objects of `table` that satisfy it, if an index can provide it.
    func count(in table: Table, _ known: ClusterLeafCache?) throws -> Int? {
        guard let column = path.ownColumn else { return nil }
        return try table.countByIndex(column, equalTo: comparison.value, known)
    }

    var condition: Condition {
        let kind = PlainEquality.kind(of: path, comparison.value) ?? .never
        return .test(PathTest(path, ValueTest(kind: kind), text: comparison))
    }

    /// Returns the test for values of the path's type; nil unless it compares with `value` unchanged.
    private static func kind(of path: BoundPath, _ value: StoredValue) -> ValueTest.Kind? {
        switch (path.path.type, value) {
        case (.string, .string(let text)): .string(text)
        case (.int, .int(let number)): .int(number...number)
        default: nil
        }
    }
}

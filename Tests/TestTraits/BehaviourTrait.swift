// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Testing

/// Names the rows of `Documentation/Compatibility/Behaviours.md` that a test covers: numbered behaviours of the
/// original's API (`"B-403"`, or a range, `"B-393 to B-399"`), and rows of the compatibility reviews (`"S26"`).
///
/// `Scripts/behaviours` reads the trait from the sources.
package struct BehaviourTrait: TestTrait, SuiteTrait {
    package let rows: [String]
}

extension Trait where Self == BehaviourTrait {
    package static func behaviour(_ rows: String...) -> BehaviourTrait { BehaviourTrait(rows: rows) }
}

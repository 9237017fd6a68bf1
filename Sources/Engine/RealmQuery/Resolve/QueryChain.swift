// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// The conditions of nested filters, the last one first. Adding one takes constant time.
///
/// `earlier` changes only during deallocation, when no other reference exists.
final class QueryChain: @unchecked Sendable {
    private var earlier: QueryChain?
    private let condition: Condition
    private let written: Predicate

    init(_ earlier: QueryChain?, _ condition: Condition, _ written: Predicate) {
        self.earlier = earlier
        self.condition = condition
        self.written = written
    }

    /// Releases links without other owners in a loop, because recursion could overflow the stack.
    deinit {
        var next = earlier.take()
        while isKnownUniquelyReferenced(&next) { next = next?.earlier.take() }
    }

    var conditions: [Condition] { all(\.condition) }
    var predicates: [Predicate] { all(\.written) }

    private func all<Part>(_ part: (QueryChain) -> Part) -> [Part] {
        var (parts, next) = ([Part](), QueryChain?.some(self))
        while let chain = next {
            parts.append(part(chain))
            next = chain.earlier
        }
        return parts.reversed()
    }
}

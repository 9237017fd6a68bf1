// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Two conditions joined by AND or OR.
///
/// A loop that adds a condition in each iteration makes a tree as deep as its number of iterations. Therefore trees
/// share their parts, and no code traverses a tree recursively.
final class QueryJunction {
    let isConjunction: Bool
    private(set) var left: QueryNode
    private(set) var right: QueryNode

    init(_ left: QueryNode, _ right: QueryNode, isConjunction: Bool) {
        self.isConjunction = isConjunction
        self.left = left
        self.right = right
    }

    /// Parts without other references are deallocated one after the other instead of recursively.
    deinit {
        var rest: [QueryJunction] = []
        takeJunctions(&rest)
        while var next = rest.popLast() {
            if isKnownUniquelyReferenced(&next) { next.takeJunctions(&rest) }
        }
    }

    private func takeJunctions(_ junctions: inout [QueryJunction]) {
        if let junction = left.withoutNot.junction { junctions.append(junction) }
        if let junction = right.withoutNot.junction { junctions.append(junction) }
        (left, right) = unsafe (.object, .object)
    }

    /// The operands of the same operator, flattened, from left to right.
    var parts: [QueryNode] {
        if !continues(left), !continues(right) { return [left, right] }
        var parts: [QueryNode] = []
        var rest = [right, left]
        while let node = rest.popLast() {
            if let junction = node.junction, continues(node) {
                rest.append(junction.right)
                rest.append(junction.left)
            } else {
                parts.append(node)
            }
        }
        return parts
    }

    private func continues(_ node: QueryNode) -> Bool { node.junction?.isConjunction == isConjunction }
}

extension QueryNode {
    static func and(_ left: QueryNode, _ right: QueryNode) -> QueryNode {
        .junction(QueryJunction(left, right, isConjunction: true))
    }

    static func or(_ left: QueryNode, _ right: QueryNode) -> QueryNode {
        .junction(QueryJunction(left, right, isConjunction: false))
    }

    /// Repeated NOTs are collapsed, so that a loop doesn't make a deep tree of them.
    var negated: QueryNode {
        if case .not(let once) = self, case .not(let twice) = once { return .not(twice) }
        return .not(self)
    }

    var junction: QueryJunction? { if case .junction(let junction) = self { junction } else { nil } }

    fileprivate var withoutNot: QueryNode {
        var node = self
        while case .not(let inner) = node { node = inner }
        return node
    }

    /// Calls `body` with the operands of the ANDs, ORs, NOTs and comparisons of this node.
    func forEachLeaf(_ body: (QueryNode) -> Void) {
        var rest = [self]
        while let node = rest.popLast() {
            switch node {
            case .junction(let junction): rest += [junction.right, junction.left]
            case .not(let inner): rest.append(inner)
            case .memberwise(_, _, _, let members): rest.append(members)
            case .comparison(_, let left, let right, _): rest += [right, left]
            case .constant, .path, .test, .between, .subqueryCount: body(node)
            }
        }
    }
}

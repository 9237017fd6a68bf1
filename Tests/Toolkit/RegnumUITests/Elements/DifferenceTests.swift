// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RegnumUI
import Testing

/// The operations between two trees, applied to the first, give the second.
@Suite struct DifferenceTests {
    private func tree(_ random: inout Random, _ ids: inout [ElementID], depth: Int) -> Element {
        let kinds: [Element.Kind] = [.text, .row, .vstack, .button]
        var element = Element(id: ids.removeLast(), kind: kinds[Int.random(in: 0..<4, using: &random)])
        element.runs = [TextRun(text: "\(Int.random(in: 0..<3, using: &random))")]
        element.state[.checked] = Bool.random(using: &random) ? .bool(true) : nil
        element.look[.padding] = Bool.random(using: &random) ? "1px" : nil
        element.access[.label] = Bool.random(using: &random) ? "x" : nil
        element.actions = Bool.random(using: &random) ? [.tap, .delete] : []
        if depth > 0 {
            for _ in 0..<Int.random(in: 0..<6, using: &random) where !ids.isEmpty {
                element.children.append(tree(&random, &ids, depth: depth - 1))
            }
        }
        return element
    }

    @Test(arguments: 0..<20) func anyTreeBecomesAnyOther(seed: Int) {
        var random = Random(state: UInt64(seed) &* 31 &+ 7)
        var mirror = ElementMirror()
        var before: Element?
        for _ in 0..<30 {
            // Some identities are new, some removed, and all positions may change. A child may even become the parent.
            var ids = (2..<ElementID(Int.random(in: 3..<40, using: &random))).shuffled(using: &random) + [1]
            let after = tree(&random, &ids, depth: 3)
            let applied = mirror.apply(Difference.operations(from: before, to: after))
            #expect(applied)
            #expect(mirror.element == after)
            before = after
        }
    }

    @Test func equalTreesNeedNothingAndAMoveNeedsOne() {
        var list = Element(id: 1, kind: .list)
        list.children = (2..<12).map { Element(id: $0, kind: .row) }
        #expect(Difference.operations(from: list, to: list).isEmpty)
        var moved = list
        moved.children.append(moved.children.removeFirst())
        #expect(Difference.operations(from: list, to: moved) == [.put(parent: 1, 2, at: 9)])
        var shorter = list
        shorter.children.remove(at: 4)
        #expect(Difference.operations(from: list, to: shorter) == [.delete(6)])
    }

    @Test func aBatchOfUnknownElementsIsRefused() {
        var mirror = ElementMirror()
        let batches: [[RegnumUI.Operation]] = [
            [.reset, .new(1, .page, [:])], [.put(parent: 1, 9, at: 0)], [.set(9, [:])], [.delete(9)],
            [.new(2, .row, [:]), .put(parent: 1, 2, at: 5)],
        ]
        let results = batches.map { mirror.apply($0) }
        #expect(results == [true, false, false, false, false])
    }
}
